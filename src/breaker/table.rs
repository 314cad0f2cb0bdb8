//! The table of circuits that all workers share, and the steps that a circuit can take.

use super::circuit::Circuit;
use super::{Admission, Settings, Snapshot, State, Ticket};
use crate::shared_memory::{Shareable, map};

/// More URLs than any application fails at; 24 KB.
pub const CAPACITY: usize = 1024;

#[derive(Debug)]
struct Table {
    circuits: [Circuit; CAPACITY],
    /// For the endpoints that find all circuits claimed: it never opens and only keeps their warnings rare.
    overflow: Circuit,
}

// SAFETY: nothing but atomics; zeros are circuits that are unclaimed and closed.
unsafe impl Shareable for Table {}

static PRIVATE: Table = Table { circuits: [Circuit::UNCLAIMED; CAPACITY], overflow: Circuit::UNCLAIMED };

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
            match circuit.step(seen, probed) {
                Ok(()) => return Admission::Probe(Ticket { endpoint, seen: probed }),
                Err(other) => seen = other,
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

    /// A probe that failed for a reason of its own has found the endpoint back: others may ask. Whether the outage is
    /// over is for a success to say.
    pub fn answered(&self, ticket: Ticket) {
        if let Some(circuit) = self.find(ticket.endpoint) {
            let probed = |state: State| {
                ticket.seen.has_opened() && ticket.seen.outages_ended() == state.outages_ended()
            };
            circuit.change(|state| probed(state).then(|| state.closed()));
        }
    }

    pub fn failed(&self, ticket: Ticket, settings: &Settings, now_ns: impl Fn() -> u64) -> bool {
        let counted = self.failed_quietly(ticket, settings, &now_ns);
        counted.is_some_and(|(circuit, outage)| circuit.warns(outage, now_ns(), settings.cooldown))
    }

    /// Counts the failure; its circuit and its outage, unless it is out of date.
    pub fn failed_quietly(
        &self,
        ticket: Ticket,
        settings: &Settings,
        now_ns: impl Fn() -> u64,
    ) -> Option<(&Circuit, u64)> {
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
        before.map(|state| (circuit, state.outages_ended()))
    }

    pub fn snapshot(&self, now_ns: u64) -> Vec<Snapshot> {
        self.0.circuits.iter().filter_map(|circuit| circuit.snapshot(now_ns)).collect()
    }

    /// The circuit of `endpoint`, unless it never failed.
    fn find(&self, endpoint: u64) -> Option<&Circuit> {
        let name = Circuit::name_of(endpoint);
        for circuit in self.places(endpoint) {
            match circuit.name() {
                0 => return None,
                other if other == name => return Some(circuit),
                _ => {}
            }
        }
        Some(&self.0.overflow)
    }

    fn claim(&self, endpoint: u64) -> &Circuit {
        let name = Circuit::name_of(endpoint);
        self.places(endpoint).find(|circuit| circuit.claim(name)).unwrap_or(&self.0.overflow)
    }

    /// The circuits in the order in which `endpoint` tries them.
    fn places(&self, endpoint: u64) -> impl Iterator<Item = &Circuit> {
        let circuits = &self.0.circuits;
        let (before, from) = circuits.split_at(endpoint as usize % circuits.len());
        from.iter().chain(before)
    }
}
