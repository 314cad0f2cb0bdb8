//! Sliding log and audit log: the instant of every unit taken.

use super::{Model, altered, interval, limit_and_window};
use crate::support::random::Random;
use ratelimit::policy::Policy;

#[derive(Debug)]
pub struct SlidingLog {
    audit: bool,
    limit: i128,
    window: i128,
    taken: Vec<i128>,
}

impl SlidingLog {
    pub fn random(random: &mut Random, audit: bool) -> Self {
        let window = limit_and_window(random).1;
        let (few, many) = (random.within(1, 300), random.within(1, 3000));
        let limit = random.pick(&[1, 2, 5, 10, 23, 24, 25, 26, 31, 40, 64, 100, few, many]);
        SlidingLog { audit, limit, window, taken: Vec::new() }
    }

    /// Where a clock that fell back by no more than a window stands still: at the newest.
    fn at(&self, now: i128) -> i128 {
        self.taken.last().map_or(now, |newest| now.max(*newest))
    }

    /// Those in (at - window, at]; none after a larger step back.
    fn held(&self, now: i128) -> &[i128] {
        let at = self.at(now);
        if at - now > self.window {
            return &[];
        }
        &self.taken[self.taken.partition_point(|instant| *instant <= at - self.window)..]
    }
}

impl Model for SlidingLog {
    fn policy(&self, name: &str) -> Policy {
        Policy::sliding_log(name, self.limit as i64, interval(self.window), self.audit).expect("a policy")
    }

    fn limit(&self) -> i128 {
        self.limit
    }

    fn window(&self) -> i128 {
        self.window
    }

    fn passes(&self, now: i128, cost: i128) -> bool {
        self.held(now).len() as i128 + cost <= self.limit
    }

    fn reset(&self, now: i128) -> i128 {
        self.held(now).first().map_or(0, |oldest| oldest + self.window - now)
    }

    fn record(&mut self, now: i128, cost: i128) {
        let held = self.held(now).to_vec();
        let at = if held.is_empty() { now } else { self.at(now) };
        self.taken = held;
        self.taken.extend((0..cost).map(|_| at));
    }

    fn forget(&mut self) {
        self.taken.clear();
    }

    fn change(&mut self, random: &mut Random) {
        if random.percent(60) {
            self.limit = altered(random, self.limit).min(4000);
        } else {
            self.window = limit_and_window(random).1;
        }
    }
}
