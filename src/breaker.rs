//! The circuit breaker: after some failures in a row an endpoint is left alone, but for one probe per cooldown.
//!
//! All workers share it. The state of an endpoint is one atomic word ([`State`]) and changes by compare-and-swap, so
//! there is no half-done change, and of several processes exactly one makes a given step: trips, probes or warns.
//!
//! Calls overlap, and their outcomes arrive in any order. What a call found when it began is its [`Ticket`]; the
//! outcome of a call that began before the news it would contradict is out of date, and is not counted:
//! - a success ends an outage only if its call began after the outage's first failure was known,
//! - a failure counts only if no outage has ended since its call began.

mod circuit;
mod state;
mod table;

pub use state::State;
pub use table::{CAPACITY, Circuits};

use crate::shared_memory::monotonic_ns;
use once_cell::sync::OnceCell;
use std::time::Duration;

#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// Failures in a row that open the circuit; 0: it never opens. At most [`State::MOST_FAILURES`] count.
    pub failures: u32,
    /// From opening to the first probe, and from probe to probe.
    pub cooldown: Duration,
}

/// What a call is to do, and the ticket to report its outcome with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    Pass(Ticket),
    /// This call is the only one of its cooldown that may find out whether the endpoint is back.
    Probe(Ticket),
    /// Ask nobody; the next probe is due in `retry_after`.
    Open {
        retry_after: Duration,
        failures: u32,
    },
}

/// The state of its endpoint when a call began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ticket {
    endpoint: u64,
    seen: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    Closed,
    Open,
    /// The cooldown is over; the next call is the probe.
    HalfOpen,
}

impl Position {
    pub fn word(self) -> &'static str {
        match self {
            Position::Closed => "closed",
            Position::Open => "open",
            Position::HalfOpen => "half-open",
        }
    }
}

/// An endpoint that has failed at some time, as it stands now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Snapshot {
    pub endpoint: u64,
    pub position: Position,
    /// In a row, up to now.
    pub failures: u32,
    /// Until the next probe; zero unless open.
    pub retry_after: Duration,
}

static SHARED: OnceCell<Circuits> = OnceCell::new();

/// Puts the circuits where all processes forked from now on share them; later calls change nothing. False if the system
/// has no memory for them: then each process has its own.
pub fn share() -> bool {
    SHARED.get_or_try_init(|| Circuits::shared().ok_or(())).is_ok()
}

fn circuits() -> &'static Circuits {
    SHARED.get().unwrap_or(&Circuits::PRIVATE)
}

/// Whether a call to `endpoint` (a hash that is the same in every process, see [`crate::hash`]) may be made now.
pub fn admit(endpoint: u64, settings: &Settings) -> Admission {
    circuits().admit(endpoint, settings, monotonic_ns)
}

/// The endpoint answered.
pub fn succeeded(ticket: Ticket) {
    circuits().succeeded(ticket);
}

/// The endpoint answered, but with an error that concerns this call alone.
pub fn answered(ticket: Ticket) {
    circuits().answered(ticket);
}

/// The endpoint failed. True once per outage, and once per cooldown at most, in all processes together: this caller is
/// to warn. An outage lasts from its first failure to the next success, whether or not it opens the circuit.
pub fn failed(ticket: Ticket, settings: &Settings) -> bool {
    circuits().failed(ticket, settings, monotonic_ns)
}

/// The endpoint failed a caller that does not warn: that is left to the next one.
pub fn failed_quietly(ticket: Ticket, settings: &Settings) {
    circuits().failed_quietly(ticket, settings, monotonic_ns);
}

/// The endpoints that have failed so far; those not listed are closed.
pub fn snapshot() -> Vec<Snapshot> {
    circuits().snapshot(monotonic_ns())
}
