//! A redis-server of the test's own, on a unix socket in a folder of its own, gone when the test ends.

use super::client::Client;
use super::clock::Clock;
use ratelimit::breaker;
use ratelimit::failure_rule::FailureRule;
use ratelimit::limiter::{RateLimiter, Settings};
use ratelimit::url::Endpoint;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, process, thread};

pub struct Server {
    process: Child,
    folder: PathBuf,
    pub clock: Clock,
}

impl Server {
    /// RATELIMIT_SERVER in the environment names another program, such as valkey-server.
    pub fn start() -> Self {
        static STARTED: AtomicU32 = AtomicU32::new(0);
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let folder = env::temp_dir().join(format!("ratelimit-{}-{number}", process::id()));
        fs::create_dir_all(&folder).expect("temporary folder");
        let clock = Clock::new(&folder);
        let program = env::var("RATELIMIT_SERVER").unwrap_or_else(|_| "redis-server".into());
        let process = Command::new(&program)
            .args(["--port", "0", "--unixsocket", "redis.sock", "--save", "", "--appendonly", "no"])
            .current_dir(&folder)
            .envs(clock.environment())
            .stdout(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("cannot start {program}: {error}"));
        let mut server = Server { process, folder, clock };
        server.wait();
        server
    }

    pub fn socket(&self) -> PathBuf {
        self.folder.join("redis.sock")
    }

    pub fn connect(&self) -> Client {
        Client::connect(&self.socket()).expect("a connection to the server under test")
    }

    /// Over the unix socket, with time enough for a busy machine.
    pub fn limiter(&self) -> RateLimiter {
        let endpoint = Endpoint::parse(&format!("unix://{}", self.socket().display())).expect("a URL");
        let settings = Settings {
            timeout: Duration::from_secs(10),
            prefix: "rl".into(),
            on_failure: FailureRule::Closed,
            breaker: breaker::Settings { failures: 0, cooldown: Duration::from_secs(1) },
            // The tests set Redis' clock, which remembered refusals do not follow.
            refusal_ttl: Duration::ZERO,
        };
        RateLimiter::new(endpoint, &settings)
    }

    fn wait(&mut self) {
        let end = Instant::now() + Duration::from_secs(10);
        while Client::connect(&self.socket()).is_none() {
            let ended = self.process.try_wait().expect("the server's state");
            assert!(ended.is_none() && Instant::now() < end, "redis-server does not come up: {ended:?}");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(Path::new(&self.folder));
    }
}
