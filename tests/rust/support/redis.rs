//! A server, a limiter on it and a look at what it keeps, for tests that tell a story.

use super::client::{Client, integer};
use super::server::Server;
use ratelimit::decision::Decision;
use ratelimit::keys::Subject;
use ratelimit::limiter::RateLimiter;
use ratelimit::policy::Policy;
use redis::Value;

/// When every story begins, in µs.
pub const START: i128 = 1_760_000_000_000_000;
pub const SECOND: i128 = 1_000_000;
/// Who asks, where it does not matter.
pub const ALICE: Subject = Subject { tenant: b"alice", scope: b"global" };

pub struct Redis {
    server: Server,
    pub client: Client,
    pub limiter: RateLimiter,
}

/// One key: its name, its bytes as DUMP gives them, and when it expires in ms (-1 never).
#[derive(Debug, PartialEq)]
pub struct Key {
    pub name: Vec<u8>,
    pub state: Value,
    pub expires: i64,
}

impl Redis {
    pub fn start() -> Self {
        let server = Server::start();
        let redis = Redis { client: server.connect(), limiter: server.limiter(), server };
        redis.at(0);
        redis
    }

    /// Sets the clock to so many µs after the start of the story.
    pub fn at(&self, micros: i128) {
        self.server.clock.set(START + micros);
    }

    pub fn consume(&self, policy: &Policy, cost: i64) -> Decision {
        self.consume_as(b"alice", policy, cost, None)
    }

    pub fn consume_as(&self, tenant: &[u8], policy: &Policy, cost: i64, request: Option<&[u8]>) -> Decision {
        let subject = Subject { tenant, scope: b"global" };
        let decision = self.limiter.consume(policy, subject, cost, request).expect("a decision");
        assert_eq!(decision.error, None);
        decision
    }

    pub fn peek(&self, policy: &Policy, cost: i64) -> Decision {
        self.peek_as(b"alice", policy, cost)
    }

    pub fn peek_as(&self, tenant: &[u8], policy: &Policy, cost: i64) -> Decision {
        let subject = Subject { tenant, scope: b"global" };
        let decision = self.limiter.peek(policy, subject, cost).expect("a decision");
        assert_eq!(decision.error, None);
        decision
    }

    /// All that the server keeps.
    pub fn keys(&mut self) -> Vec<Key> {
        let Value::Array(names) = self.client.command("KEYS *") else { panic!("KEYS gives an array") };
        let mut keys: Vec<Key> = names.into_iter().map(|name| self.key(name)).collect();
        keys.sort_by(|one, other| one.name.cmp(&other.name));
        keys
    }

    fn key(&mut self, name: Value) -> Key {
        let Value::BulkString(name) = name else { panic!("a key is a string") };
        let state = self.client.parts(&[b"DUMP", &name]);
        let expires = integer(&self.client.parts(&[b"PEXPIRETIME", &name]));
        Key { name, state, expires }
    }

    /// Writes since the server started, and bytes sent to replicas if there were any.
    pub fn written(&mut self) -> Vec<String> {
        let Value::BulkString(info) = self.client.command("INFO everything") else {
            panic!("INFO gives a string")
        };
        let fields = ["rdb_changes_since_last_save:", "master_repl_offset:"];
        let info = String::from_utf8_lossy(&info).into_owned();
        let lines: Vec<String> = info
            .lines()
            .filter(|line| fields.iter().any(|field| line.starts_with(field)))
            .map(String::from)
            .collect();
        assert_eq!(lines.len(), fields.len());
        lines
    }
}
