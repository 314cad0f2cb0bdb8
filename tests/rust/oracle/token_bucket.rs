//! Token bucket and leaky bucket. One µs brings `refill` units, and a token is `period` units.

use super::{Model, SECOND, WEEK, altered, first, interval};
use crate::support::random::Random;
use ratelimit::policy::Policy;

#[derive(Debug)]
pub struct TokenBucket {
    leaky: bool,
    capacity: i128,
    /// `tokens` come in `span`; in lowest terms `refill` in `period`.
    tokens: i128,
    span: i128,
    period: i128,
    refill: i128,
    /// When it was empty, in whole µs and parts of one µs. A part kept at another rate is less than a µs.
    empty_at: Option<(i128, i128)>,
}

impl TokenBucket {
    pub fn random(random: &mut Random, leaky: bool) -> Self {
        let mut bucket =
            TokenBucket { leaky, capacity: 1, tokens: 1, span: 1, period: 1, refill: 1, empty_at: None };
        bucket.choose(random);
        bucket
    }

    fn choose(&mut self, random: &mut Random) {
        let any = random.within(1000, 1000 * SECOND);
        self.span = random.pick(&[SECOND, SECOND, 60 * SECOND, 3600 * SECOND, 86_400 * SECOND, WEEK, any]);
        let any = random.within(1, 1_000_000);
        self.tokens = random.pick(&[1, 1, 2, 3, 7, 10, 60, 100, 1013, 99_991, 999_983, 1_000_000, any]);
        let divisor = greatest_common_divisor(self.span, self.tokens);
        (self.period, self.refill) = (self.span / divisor, self.tokens / divisor);
        let any = random.within(1, 100_000);
        self.capacity = random.pick(&[1, 2, 3, 5, 10, 100, 1000, any]);
        self.keep_exact();
    }

    fn keep_exact(&mut self) {
        let most =
            (((1 << 52) - self.refill) / self.period).min(20 * WEEK * self.refill / self.period).max(1);
        self.capacity = self.capacity.min(most);
    }

    fn full(&self) -> i128 {
        if self.leaky { self.period } else { self.capacity * self.period }
    }

    fn lowest(&self) -> i128 {
        if self.leaky { -(self.capacity - 1) * self.period } else { 0 }
    }

    fn level(&self, now: i128) -> i128 {
        let Some((whole, part)) = self.empty_at else { return self.full() };
        let level = (now - whole) * self.refill - part.min(self.refill - 1);
        // So far below empty that the clock must have fallen back by more than the time it takes to fill.
        if level < 2 * self.lowest() - self.full() {
            return self.full();
        }
        level.clamp(self.lowest(), self.full())
    }
}

impl Model for TokenBucket {
    fn policy(&self, name: &str) -> Policy {
        let make = if self.leaky { Policy::leaky_bucket } else { Policy::token_bucket };
        make(name, self.capacity as i64, self.tokens as i64, interval(self.span)).expect("a policy")
    }

    fn limit(&self) -> i128 {
        self.capacity
    }

    fn window(&self) -> i128 {
        (self.capacity * self.period + self.refill - 1) / self.refill
    }

    fn passes(&self, now: i128, cost: i128) -> bool {
        self.level(now) - cost * self.period >= self.lowest()
    }

    /// When the next token has come.
    fn reset(&self, now: i128) -> i128 {
        let tokens = |level: i128| level.div_euclid(self.period);
        let level = self.level(now);
        if level == self.full() {
            return 0;
        }
        first(1, 2 * self.window() + 2, |wait| tokens(self.level(now + wait)) > tokens(level))
    }

    /// When the level, rising on, is back at zero.
    fn delay(&self, now: i128, cost: i128) -> i128 {
        let left = self.level(now) - cost * self.period;
        first(0, self.window() + 1, |wait| left + wait * self.refill >= 0)
    }

    fn record(&mut self, now: i128, cost: i128) {
        let left = self.level(now) - cost * self.period;
        let empty_at = now * self.refill - left;
        self.empty_at = Some((empty_at.div_euclid(self.refill), empty_at.rem_euclid(self.refill)));
    }

    fn forget(&mut self) {
        self.empty_at = None;
    }

    fn change(&mut self, random: &mut Random) {
        if random.percent(60) {
            self.capacity = altered(random, self.capacity);
            self.keep_exact();
        } else {
            self.choose(random);
        }
    }
}

fn greatest_common_divisor(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}
