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
use crate::support::settle::{Answer, Judge};
use std::fmt::Debug;

pub const SECOND: i128 = 1_000_000;
pub const WEEK: i128 = 7 * 86_400 * SECOND;

/// One limit and its state, in exact integers. All times are µs since the epoch, all spans µs.
pub trait Model: Debug {
    fn judge(&self) -> Judge;
    fn numbers(&self) -> [i128; 4];
    /// The most that can ever be taken at once.
    fn limit(&self) -> i128;
    /// Of a bucket the time it takes to fill.
    fn window(&self) -> i128;
    /// How long a state recorded now has to live, in ms.
    fn ttl(&self) -> i128;
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
        match () {
            () if self.passes(now, cost) => 0,
            () if cost > self.limit() => -1,
            () => first(0, 8 * (self.window() + WEEK), |wait| self.passes(now + wait, cost)),
        }
    }
}

/// The right answers to one call, and the state after it: all members are charged, or none.
pub fn decide(members: &mut [(Box<dyn Model>, bool)], now: i128, need: i128, take: i128) -> Vec<Answer> {
    let judged: Vec<(i128, i128)> = members
        .iter()
        .map(|(model, _)| match model.retry(now, need) {
            0 => (0, model.delay(now, need)),
            retry => (retry, 0),
        })
        .collect();
    let passed = judged.iter().zip(members.iter()).all(|((retry, _), (_, shadow))| *retry == 0 || *shadow);
    let mut answers = Vec::new();
    for ((retry, delay), (model, _)) in judged.into_iter().zip(members) {
        if passed && retry == 0 && take > 0 {
            model.record(now, take);
        }
        let (remaining, reset) = (model.remaining(now), model.reset(now));
        answers.push(Answer { now, retry, remaining, reset, delay });
    }
    answers
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

/// A neighbour of a number, a multiple, or a part of it.
fn altered(random: &mut Random, number: i128) -> i128 {
    random.pick(&[number / 2, number * 2, number - 1, number + 1]).max(1)
}
