//! A server of the test's own, on a unix socket and with a clock that the test sets.

use super::client::Client;
use super::clock::Clock;
use super::folder::Folder;
use super::process::Process;
use ratelimit::breaker;
use ratelimit::failure_rule::FailureRule;
use ratelimit::limiter::{RateLimiter, Settings};
use ratelimit::url::Endpoint;
use std::time::Duration;

pub struct Server {
    _process: Process,
    folder: Folder,
    pub clock: Clock,
}

impl Server {
    pub fn start() -> Self {
        let folder = Folder::new();
        let clock = Clock::new(folder.path());
        let arguments = ["--port", "0", "--unixsocket", "s", "--save", "", "--appendonly", "no"];
        let process = Process::start(&folder, arguments, &clock.environment());
        Server { _process: process, folder, clock }
    }

    pub fn connect(&self) -> Client {
        Client::connect(&self.folder.file("s"))
    }

    /// Over the unix socket, with time enough for a busy machine.
    pub fn limiter(&self) -> RateLimiter {
        let endpoint = Endpoint::parse(&format!("unix://{}", self.folder.file("s"))).expect("a URL");
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
}
