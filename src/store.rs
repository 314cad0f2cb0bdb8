//! Redis behind its circuit breaker: asked in time, or not at all while it is down.

use crate::breaker::{self, Admission, Ticket};
use crate::call::Call;
use crate::connection::deadline::Deadline;
use crate::connection::worker;
use crate::failure::Failure;
use crate::hash;
use crate::stats;
use crate::url::Endpoint;
use redis::Value;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

/// A URL, and how long and how often what stands behind it is asked.
#[derive(Debug, Clone)]
pub struct Store {
    endpoint: Endpoint,
    /// Names the database in the memory that workers share: a hash of the URL without its password.
    database: u64,
    /// Names the circuit: a hash of the URL with its password, for a wrong one is no reason to leave the right one alone.
    circuit: u64,
    timeout: Duration,
    breaker: breaker::Settings,
}

/// Why Redis gave no answer, and what its failure rule should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outage {
    pub failure: Failure,
    /// Until Redis is asked again, if nobody is allowed to before.
    pub retry_after: Option<Duration>,
    /// Whether this caller is to warn of it (see [`breaker::failed`]).
    pub warns: bool,
}

/// Counts a failure, and says whether to warn of it.
type Failed = fn(Ticket, &breaker::Settings) -> bool;

impl Store {
    pub fn new(endpoint: Endpoint, timeout: Duration, breaker: breaker::Settings) -> Self {
        Store { database: database(&endpoint), circuit: circuit(&endpoint), endpoint, timeout, breaker }
    }

    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    pub fn database(&self) -> u64 {
        self.database
    }

    /// What `read` makes of the answer to `call`; an answer of which it makes nothing is a failure like any other.
    pub fn ask<T>(&self, call: &Call, read: impl FnOnce(&Value) -> Option<T>) -> Result<T, Outage> {
        self.ask_admitted(call, read, breaker::failed)
    }

    /// The same for a caller that does not warn: an outage's one warning is left to a decision.
    pub fn ask_quietly<T>(&self, call: &Call, read: impl FnOnce(&Value) -> Option<T>) -> Result<T, Failure> {
        let failed = |ticket, settings: &breaker::Settings| {
            breaker::failed_quietly(ticket, settings);
            false
        };
        self.ask_admitted(call, read, failed).map_err(|outage| outage.failure)
    }

    fn ask_admitted<T>(
        &self,
        call: &Call,
        read: impl FnOnce(&Value) -> Option<T>,
        failed: Failed,
    ) -> Result<T, Outage> {
        match breaker::admit(self.circuit, &self.breaker) {
            Admission::Pass(ticket) | Admission::Probe(ticket) => self
                .ask_now(call, read)
                .inspect(|_| breaker::succeeded(ticket))
                .map_err(|failure| self.outage(ticket, failure, failed)),
            Admission::Open { retry_after, failures } => Err(self.left_alone(retry_after, failures)),
        }
    }

    /// The same past the breaker, for those who want to know whether it answers.
    pub fn ask_now<T>(&self, call: &Call, read: impl FnOnce(&Value) -> Option<T>) -> Result<T, Failure> {
        let answer = worker::run(&self.endpoint, call, Deadline::after(self.timeout))
            .and_then(|value| read(&value).ok_or_else(|| self.unreadable()));
        answer.inspect_err(|_| stats::ERRORS.add())
    }

    fn outage(&self, ticket: Ticket, failure: Failure, failed: Failed) -> Outage {
        if concerns_the_call(&failure) {
            breaker::answered(ticket);
        }
        // A slot that is moving is no fault of anybody.
        if failure.code() == Some("TRYAGAIN") {
            return Outage { failure, retry_after: None, warns: false };
        }
        let settings = if concerns_the_call(&failure) {
            breaker::Settings { failures: 0, ..self.breaker }
        } else {
            self.breaker
        };
        Outage { warns: failed(ticket, &settings), failure, retry_after: None }
    }

    fn left_alone(&self, retry_after: Duration, failures: u32) -> Outage {
        let wait = retry_after.as_secs_f64();
        let text = format!(
            "{}: not asked for another {wait:.3} s after {failures} failures in a row",
            self.endpoint
        );
        Outage { failure: Failure::NotRun(text), retry_after: Some(retry_after), warns: false }
    }

    fn unreadable(&self) -> Failure {
        Failure::Unknown(format!(
            "{}: the reply makes no sense; does another program answer there?",
            self.endpoint
        ))
    }
}

/// Whether an error says something about this call, its key or its command, rather than about the server: it is worth
/// a warning, but opens no circuit for the calls of others, and holds none open.
fn concerns_the_call(failure: &Failure) -> bool {
    match failure.code() {
        // Without a code of its own, but it is the server that has no room.
        Some("ERR") => !failure.to_string().contains("max number of clients"),
        code => matches!(code, Some("NOPERM" | "TRYAGAIN" | "WRONGTYPE")),
    }
}

fn database(endpoint: &Endpoint) -> u64 {
    hash::of(0, endpoint.to_string().as_bytes())
}

/// The same in every process of this build: the keys of this hasher are constants.
pub fn circuit(endpoint: &Endpoint) -> u64 {
    let mut hasher = DefaultHasher::new();
    endpoint.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_without_room_concerns_all_calls() {
        let error = |text: &str| Failure::Server { code: "ERR".into(), text: format!("cache:6379: {text}") };
        assert!(concerns_the_call(&error("ERR unknown command 'EVALSHA'")));
        assert!(!concerns_the_call(&error("ERR max number of clients reached")));
    }
}
