//! A server over TCP and a unix socket, which tests ask, stop, kill and start again.

use std::net::TcpListener;

use redis::Value;

use super::process::Process;
use super::{Folder, LONGEST};

pub struct Server {
    process: Process,
    arguments: Vec<String>,
    pub port: u16,
    pub folder: Folder,
}

/// A port that nothing listens on. Below the range from which outgoing connections take theirs.
pub fn free_port() -> u16 {
    use std::sync::atomic::{AtomicU16, Ordering};
    static NEXT: AtomicU16 = AtomicU16::new(0);
    loop {
        let offset = NEXT.fetch_add(1, Ordering::Relaxed);
        let port = 11_000 + (std::process::id() as u16 % 1000 * 20 + offset) % 20_000;
        if TcpListener::bind(("127.0.0.1", port)).is_ok() {
            return port;
        }
    }
}

impl Server {
    /// A server on a free port and on the unix socket `s` of its folder.
    pub fn start(arguments: &[&str]) -> Self {
        Self::start_in(Folder::new(), arguments)
    }

    pub fn start_in(folder: Folder, arguments: &[&str]) -> Self {
        let port = free_port();
        let own = [
            "--port",
            &port.to_string(),
            "--bind",
            "127.0.0.1",
            "--unixsocket",
            &folder.file("s"),
            "--save",
            "",
            "--repl-diskless-sync-delay",
            "0",
        ];
        Self::run(folder, port, own.iter().chain(arguments).map(|text| text.to_string()).collect())
    }

    /// A server that reads `config` from a file, which it may rewrite, as sentinels do.
    pub fn start_from(folder: Folder, config: &str, mode: &str) -> Self {
        let (port, file) = (free_port(), folder.file("config"));
        let own = format!("port {port}\nbind 127.0.0.1\nunixsocket {}\n", folder.file("s"));
        std::fs::write(&file, own + config).unwrap();
        Self::run(folder, port, vec![file, mode.to_string()])
    }

    fn run(folder: Folder, port: u16, arguments: Vec<String>) -> Self {
        let process = Process::start(&folder, arguments.iter().map(String::as_str), &[]);
        Server { process, arguments, port, folder }
    }

    /// Kills it, as a crash would.
    pub fn kill(&mut self) {
        self.process.kill();
        let _ = std::fs::remove_file(self.folder.file("s"));
    }

    /// Starts it again where it was, with what it saved.
    pub fn restart(&mut self) {
        self.restart_with(&[]);
    }

    pub fn restart_with(&mut self, more: &[&str]) {
        self.kill();
        let arguments = self.arguments.iter().map(String::as_str).chain(more.iter().copied());
        self.process = Process::start(&self.folder, arguments, &[]);
    }

    pub fn signal(&self, signal: i32) {
        // SAFETY: a child of this process that has not been waited for, so the id is still its own.
        assert_eq!(unsafe { libc::kill(self.process.0.id() as i32, signal) }, 0);
    }

    pub fn tcp(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    pub fn unix(&self) -> String {
        format!("unix://{}", self.folder.file("s"))
    }

    /// Runs one command, its words split at spaces, over a connection of the redis crate's.
    pub fn ask(&self, command: &str) -> Value {
        let words = command.split(' ').collect::<Vec<_>>();
        self.send(&words).unwrap_or_else(|error| panic!("{command}: {error}"))
    }

    pub fn eval(&self, script: &str) -> redis::RedisResult<Value> {
        self.send(&["EVAL", script, "0"])
    }

    pub fn send(&self, words: &[&str]) -> redis::RedisResult<Value> {
        let mut request = redis::Cmd::new();
        words.iter().for_each(|word| {
            request.arg(word);
        });
        let mut connection = redis::Client::open(self.unix())?.get_connection()?;
        connection.set_read_timeout(Some(LONGEST))?;
        request.query(&mut connection)
    }

    /// One line out of INFO.
    pub fn info(&self, name: &str) -> String {
        line_of(self.ask("INFO all"), name)
    }

    pub fn cluster_info(&self, name: &str) -> String {
        line_of(self.ask("CLUSTER INFO"), name)
    }

    /// How many connections it has seen, this question's included.
    pub fn connections(&self) -> u64 {
        self.info("total_connections_received").parse().unwrap()
    }

    /// How often it ran a command.
    pub fn calls(&self, command: &str) -> u64 {
        let line = self.info(&format!("cmdstat_{command}"));
        line.split_once("calls=").unwrap().1.split_once(',').unwrap().0.parse().unwrap()
    }
}

fn line_of(reply: Value, name: &str) -> String {
    let text: String = redis::from_redis_value(reply).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    line.unwrap_or_else(|| panic!("no {name} in {text}")).to_string()
}
