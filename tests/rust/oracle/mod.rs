//! What is right, by definition and not by formula: a model says only what passes at an instant, and from that
//! follows how much remains (the most that passes) and when to retry (the first instant at which it passes).

mod fixed_window;
mod sliding_log;
mod sliding_window;
mod token_bucket;

pub use fixed_window::FixedWindow;
pub use sliding_log::SlidingLog;
pub use sliding_window::SlidingWindow;
pub use token_bucket::TokenBucket;

use crate::support::random::Random;
use ratelimit::interval::Interval;
use ratelimit::policy::Policy;
use std::fmt::Debug;

pub const SECOND: i128 = 1_000_000;
pub const WEEK: i128 = 7 * 86_400 * SECOND;

/// One limit and its state, in exact integers. All times are µs since the epoch, all spans µs.
pub trait Model: Debug {
    /// The policy that it is the model of.
    fn policy(&self, name: &str) -> Policy;
    /// The most that can ever be taken at once.
    fn limit(&self) -> i128;
    /// Of a bucket the time it takes to fill.
    fn window(&self) -> i128;
    /// Whether `cost` can be taken at `now`.
    fn passes(&self, now: i128, cost: i128) -> bool;
    fn reset(&self, now: i128) -> i128;
    /// How long to wait before acting on a cost that passes.
    fn delay(&self, _now: i128, _cost: i128) -> i128 {
        0
    }
    fn record(&mut self, now: i128, cost: i128);
    /// The state expired.
    fn forget(&mut self);
    /// New numbers over the same state.
    fn change(&mut self, random: &mut Random);

    fn remaining(&self, now: i128) -> i128 {
        first(0, self.limit() + 1, |cost| !self.passes(now, cost + 1))
    }

    fn retry(&self, now: i128, cost: i128) -> i128 {
        if self.passes(now, cost) {
            0
        } else if cost > self.limit() {
            -1
        } else {
            first(0, 8 * (self.window() + WEEK), |wait| self.passes(now + wait, cost))
        }
    }
}

/// What is right for one member, in µs from now; retry -1 is never.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    pub retry: i128,
    pub remaining: i128,
    pub reset: i128,
    pub delay: i128,
}

/// A member, and whether it is in shadow mode: charged if it passes, never in the way of the others.
#[derive(Debug)]
pub struct Member {
    pub model: Box<dyn Model>,
    pub shadow: bool,
}

/// The right answers to one call, and the state after it: all members are charged, or none.
pub fn decide(members: &mut [Member], now: i128, need: i128, take: i128) -> Vec<Answer> {
    let retries: Vec<i128> = members.iter().map(|member| member.model.retry(now, need)).collect();
    let passed = members.iter().zip(&retries).all(|(member, retry)| member.shadow || *retry == 0);
    let answer = |(member, retry): (&mut Member, i128)| {
        let delay = if retry == 0 { member.model.delay(now, need) } else { 0 };
        if passed && retry == 0 && take > 0 {
            member.model.record(now, take);
        }
        Answer { retry, delay, remaining: member.model.remaining(now), reset: member.model.reset(now) }
    };
    members.iter_mut().zip(retries).map(answer).collect()
}

/// The least number of low..=high from which on the test holds.
pub fn first(mut low: i128, mut high: i128, holds: impl Fn(i128) -> bool) -> i128 {
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    low
}

/// A limit and a window whose product stays exact.
fn limit_and_window(random: &mut Random) -> (i128, i128) {
    let any = random.within(1000, 1000 * SECOND);
    let window = random.pick(&[1000, SECOND, SECOND, 60 * SECOND, 3600 * SECOND, 86_400 * SECOND, WEEK, any]);
    let any = random.within(1, 10_000);
    let limit = random.pick(&[1, 1, 2, 3, 10, 100, 1000, 1_000_000, any]);
    (limit.min((1 << 53) / window), window)
}

fn interval(micros: i128) -> Interval {
    Interval::parse(&format!("{micros} us")).expect("a length of time")
}

/// A neighbour of a number, a multiple, or a part of it.
fn altered(random: &mut Random, number: i128) -> i128 {
    random.pick(&[number / 2, number * 2, number - 1, number + 1]).max(1)
}
