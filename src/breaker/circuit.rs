//! What is kept of one endpoint: its state and its last warning, each in a word that changes as a whole or not at all.

use super::state::NS_PER_MS;
use super::{Position, Snapshot, State};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

const MS_BITS: u32 = 40;
const MS_MAX: u64 = (1 << MS_BITS) - 1;

#[derive(Debug)]
pub struct Circuit {
    /// A name (see [`Circuit::name_of`]); 0 while nobody has claimed it; never given up.
    endpoint: AtomicU64,
    state: AtomicU64,
    /// The outage that was warned of last, and 40 bits for the ms when; 0: none yet.
    warned: AtomicU64,
}

impl Circuit {
    #[allow(clippy::declare_interior_mutable_const, reason = "copied wherever it stands")]
    pub const UNCLAIMED: Circuit =
        Circuit { endpoint: AtomicU64::new(0), state: AtomicU64::new(0), warned: AtomicU64::new(0) };

    /// What a circuit calls `endpoint`: its hash, but never 0, which is that of a circuit without one.
    pub fn name_of(endpoint: u64) -> u64 {
        endpoint.max(1)
    }

    /// The name of its endpoint; 0: it has none.
    pub fn name(&self) -> u64 {
        self.endpoint.load(Relaxed)
    }

    /// Whether it is, or now has become, that of `name`.
    pub fn claim(&self, name: u64) -> bool {
        let taken = self.endpoint.compare_exchange(0, name, Relaxed, Relaxed);
        taken.map_or_else(|other| other == name, |_| true)
    }

    pub fn state(&self) -> State {
        State(self.state.load(Relaxed))
    }

    /// Takes the step from `seen`, or says what it has become meanwhile.
    pub fn step(&self, seen: State, next: State) -> Result<(), State> {
        self.state.compare_exchange(seen.0, next.0, Relaxed, Relaxed).map(|_| ()).map_err(State)
    }

    /// Takes one step; `step` may see several states until its compare-and-swap wins. The state before it, or None if
    /// nothing changed.
    pub fn change(&self, step: impl Fn(State) -> Option<State>) -> Option<State> {
        let stepped = self.state.fetch_update(Relaxed, Relaxed, |state| {
            let next = step(State(state))?;
            (next.0 != state).then_some(next.0)
        });
        stepped.ok().map(State)
    }

    /// Whether the caller is to warn of `outage`: once, and one cooldown after the warning before at the soonest, for
    /// where failures and answers mix (a server out of memory still refuses) outages begin and end with every call.
    pub fn warns(&self, outage: u64, now_ns: u64, cooldown: Duration) -> bool {
        let now = (now_ns / NS_PER_MS + 1).min(MS_MAX);
        let cooldown = u64::try_from(cooldown.as_millis()).unwrap_or(u64::MAX);
        let due = |warned: u64| {
            warned == 0 || (warned >> MS_BITS != outage && now >= (warned & MS_MAX).saturating_add(cooldown))
        };
        let warn = |warned| due(warned).then_some(outage << MS_BITS | now);
        self.warned.fetch_update(Relaxed, Relaxed, warn).is_ok()
    }

    pub fn snapshot(&self, now_ns: u64) -> Option<Snapshot> {
        let endpoint = self.name();
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
