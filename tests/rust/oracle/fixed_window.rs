//! Fixed window: opened by the first hit, or at multiples of its length.

use super::{Model, altered, interval, limit_and_window};
use crate::support::random::Random;
use ratelimit::policy::Policy;

#[derive(Debug)]
pub struct FixedWindow {
    aligned: bool,
    limit: i128,
    window: i128,
    end: i128,
    used: i128,
}

impl FixedWindow {
    pub fn random(random: &mut Random, aligned: bool) -> Self {
        let (limit, window) = limit_and_window(random);
        FixedWindow { aligned, limit, window, end: 0, used: 0 }
    }

    /// An end more than two windows ahead was set by a clock that has since fallen back too far to be believed.
    fn open(&self, now: i128) -> bool {
        self.end > now && self.end <= now + 2 * self.window
    }

    fn used(&self, now: i128) -> i128 {
        if self.open(now) { self.used } else { 0 }
    }
}

impl Model for FixedWindow {
    fn policy(&self, name: &str) -> Policy {
        Policy::fixed_window(name, self.limit as i64, interval(self.window), self.aligned).expect("a policy")
    }

    fn limit(&self) -> i128 {
        self.limit
    }

    fn window(&self) -> i128 {
        self.window
    }

    fn passes(&self, now: i128, cost: i128) -> bool {
        self.used(now) + cost <= self.limit
    }

    fn reset(&self, now: i128) -> i128 {
        if self.open(now) { self.end - now } else { 0 }
    }

    fn record(&mut self, now: i128, cost: i128) {
        self.used = self.used(now) + cost;
        if !self.open(now) {
            let begun = if self.aligned { now - now % self.window } else { now };
            self.end = begun + self.window;
        }
    }

    fn forget(&mut self) {
        (self.end, self.used) = (0, 0);
    }

    fn change(&mut self, random: &mut Random) {
        if random.percent(60) {
            self.limit = altered(random, self.limit).min((1 << 53) / self.window);
        } else {
            (self.limit, self.window) = limit_and_window(random);
        }
    }
}
