//! The state of one circuit in one word, so that it changes as a whole or not at all.

use std::time::Duration;

const FAILURES_BITS: u32 = 12;
const UNTIL_BITS: u32 = 40;
const UNTIL_MAX: u64 = (1 << UNTIL_BITS) - 1;
pub(super) const NS_PER_MS: u64 = 1_000_000;

/// From the top: 12 bits count the outages that have ended, 12 the failures in a row of the present one (0: healthy),
/// 40 hold the ms on the monotonic clock until which the circuit is open (0: it is closed).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State(pub(super) u64);

impl State {
    /// The count stays here.
    pub const MOST_FAILURES: u32 = (1 << FAILURES_BITS) - 1;
    pub const HEALTHY: State = State(0);

    fn new(outages_ended: u64, failures: u32, until: u64) -> Self {
        State((outages_ended << FAILURES_BITS | u64::from(failures)) << UNTIL_BITS | until)
    }

    pub fn outages_ended(self) -> u64 {
        self.0 >> (UNTIL_BITS + FAILURES_BITS)
    }

    pub fn failures(self) -> u32 {
        (self.0 >> UNTIL_BITS) as u32 & Self::MOST_FAILURES
    }

    /// It has opened and no success has closed it since.
    pub fn has_opened(self) -> bool {
        self.until() != 0
    }

    /// The time left until a probe is due, on a circuit that has opened.
    pub fn wait(self, now_ns: u64) -> Option<Duration> {
        let left = (self.until() * NS_PER_MS).checked_sub(now_ns)?;
        (left > 0).then(|| Duration::from_nanos(left))
    }

    /// Open from now on for a cooldown.
    pub fn open(self, now_ns: u64, cooldown: Duration) -> Self {
        let cooldown = u64::try_from(cooldown.as_nanos()).unwrap_or(u64::MAX);
        let until = now_ns.saturating_add(cooldown).div_ceil(NS_PER_MS).min(UNTIL_MAX);
        State::new(self.outages_ended(), self.failures(), until)
    }

    /// The same outage, but everybody may ask again.
    pub fn closed(self) -> Self {
        State::new(self.outages_ended(), self.failures(), 0)
    }

    pub fn one_more_failure(self) -> Self {
        let failures = (self.failures() + 1).min(Self::MOST_FAILURES);
        State::new(self.outages_ended(), failures, self.until())
    }

    /// Healthy, one outage later. The count of outages wraps; no call lasts for 4096 of them.
    pub fn recovered(self) -> Self {
        State((self.outages_ended() + 1) << (UNTIL_BITS + FAILURES_BITS))
    }

    fn until(self) -> u64 {
        self.0 & UNTIL_MAX
    }
}
