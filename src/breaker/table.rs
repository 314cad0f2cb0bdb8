//! The table of circuits that all workers share, and the steps that a circuit can take.

use super::{Admission, Position, Settings, Snapshot, State, Ticket};
use crate::shared_memory::{Shareable, map};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

#[derive(Debug)]
struct Circuit {
    /// 0 while nobody has claimed it; never given up.
    endpoint: AtomicU64,
    state: AtomicU64,
}

#[allow(clippy::declare_interior_mutable_const, reason = "copied wherever it stands")]
const UNCLAIMED: Circuit = Circuit { endpoint: AtomicU64::new(0), state: AtomicU64::new(0) };

/// More URLs than any application fails at; 16 KB.
pub const CAPACITY: usize = 1024;

#[derive(Debug)]
struct Table {
    circuits: [Circuit; CAPACITY],
    /// For the endpoints that find all circuits claimed: it never opens and only keeps their warnings rare.
    overflow: Circuit,
}

// SAFETY: nothing but atomics; zeros are circuits that are unclaimed and closed.
unsafe impl Shareable for Table {}

static PRIVATE: Table = Table { circuits: [UNCLAIMED; CAPACITY], overflow: UNCLAIMED };

/// The circuits of all endpoints; one is claimed at the first failure of its endpoint.
#[derive(Debug)]
pub struct Circuits(&'static Table);

impl Circuits {
    pub const PRIVATE: Circuits = Circuits(&PRIVATE);

    pub fn shared() -> Option<Self> {
        map(1)?.first().map(Circuits)
    }

    pub fn admit(&self, endpoint: u64, settings: &Settings, now_ns: impl Fn() -> u64) -> Admission {
        let Some(circuit) = self.find(endpoint) else {
            return Admission::Pass(Ticket { endpoint, seen: State::HEALTHY });
        };
        let mut seen = circuit.state();
        loop {
            if settings.failures == 0 || !seen.has_opened() {
                return Admission::Pass(Ticket { endpoint, seen });
            }
            let now = now_ns();
            if let Some(retry_after) = seen.wait(now) {
                return Admission::Open { retry_after, failures: seen.failures() };
            }
            let probed = seen.open(now, settings.cooldown);
            match circuit.state.compare_exchange(seen.0, probed.0, Relaxed, Relaxed) {
                Ok(_) => return Admission::Probe(Ticket { endpoint, seen: probed }),
                Err(other) => seen = State(other),
            }
        }
    }

    pub fn succeeded(&self, ticket: Ticket) {
        if let Some(circuit) = self.find(ticket.endpoint) {
            let knew_of_it = |state: State| {
                ticket.seen.failures() > 0 && ticket.seen.outages_ended() == state.outages_ended()
            };
            circuit.change(|state| (state.failures() > 0 && knew_of_it(state)).then(|| state.recovered()));
        }
    }

    pub fn failed(&self, ticket: Ticket, settings: &Settings, now_ns: impl Fn() -> u64) -> bool {
        let circuit = self.claim(ticket.endpoint);
        let opens_at = if std::ptr::eq(circuit, &self.0.overflow) {
            0
        } else {
            settings.failures.min(State::MOST_FAILURES)
        };
        let before = circuit.change(|state| {
            if ticket.seen.outages_ended() != state.outages_ended() {
                return None;
            }
            let failed = state.one_more_failure();
            // A probe has already opened it for the next cooldown: recovery is noticed no later, however long it takes.
            let opens = opens_at > 0 && failed.failures() >= opens_at && state.wait(now_ns()).is_none();
            Some(if opens { failed.open(now_ns(), settings.cooldown) } else { failed })
        });
        before.is_some_and(|state| state.failures() == 0)
    }

    pub fn snapshot(&self, now_ns: u64) -> Vec<Snapshot> {
        self.0.circuits.iter().filter_map(|circuit| circuit.snapshot(now_ns)).collect()
    }

    /// The circuit of `endpoint`, unless it never failed.
    fn find(&self, endpoint: u64) -> Option<&Circuit> {
        let name = endpoint.max(1);
        for circuit in self.places(endpoint) {
            match circuit.endpoint.load(Relaxed) {
                0 => return None,
                other if other == name => return Some(circuit),
                _ => {}
            }
        }
        Some(&self.0.overflow)
    }

    fn claim(&self, endpoint: u64) -> &Circuit {
        let name = endpoint.max(1);
        let claimed = |circuit: &Circuit| {
            let taken = circuit.endpoint.compare_exchange(0, name, Relaxed, Relaxed);
            taken.map_or_else(|other| other == name, |_| true)
        };
        self.places(endpoint).find(|circuit| claimed(circuit)).unwrap_or(&self.0.overflow)
    }

    /// The circuits in the order in which `endpoint` tries them.
    fn places(&self, endpoint: u64) -> impl Iterator<Item = &Circuit> {
        let circuits = &self.0.circuits;
        let (before, from) = circuits.split_at(endpoint as usize % circuits.len());
        from.iter().chain(before)
    }
}

impl Circuit {
    fn state(&self) -> State {
        State(self.state.load(Relaxed))
    }

    /// Takes one step; `step` may see several states until its compare-and-swap wins. The state before it, or None if
    /// nothing changed.
    fn change(&self, step: impl Fn(State) -> Option<State>) -> Option<State> {
        let stepped = self.state.fetch_update(Relaxed, Relaxed, |state| {
            let next = step(State(state))?;
            (next.0 != state).then_some(next.0)
        });
        stepped.ok().map(State)
    }

    fn snapshot(&self, now_ns: u64) -> Option<Snapshot> {
        let endpoint = self.endpoint.load(Relaxed);
        let state = self.state();
        let retry_after = state.wait(now_ns);
        let position = match retry_after {
            _ if !state.has_opened() => Position::Closed,
            Some(_) => Position::Open,
            None => Position::HalfOpen,
        };
        let retry_after = retry_after.unwrap_or_default();
        (endpoint != 0).then(|| Snapshot { endpoint, position, failures: state.failures(), retry_after })
    }
}
