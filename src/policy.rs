//! A rule: how much, how fast, for whom, and what happens when Redis is away. Immutable; checked when it is made.

mod compound;
mod member;

use crate::error::Error;
use crate::failure_rule::FailureRule;
use crate::interval::Interval;
use crate::plan::Plan;
use member::members;
use std::sync::Arc;

/// What a policy counts. Capacities, limits and costs are tokens, at least 1.
#[derive(Debug, Clone, PartialEq)]
pub enum Rule {
    /// `capacity` tokens, refilled continuously at `refill` per `interval`.
    TokenBucket {
        capacity: i64,
        refill: i64,
        interval: Interval,
    },
    /// A queue of `capacity` places that drains at `leak` per `interval`.
    LeakyBucket {
        capacity: i64,
        leak: i64,
        interval: Interval,
    },
    /// No window of `interval` ever holds more than `limit`; with `audit` a request id is kept for each entry.
    SlidingLog {
        limit: i64,
        interval: Interval,
        audit: bool,
    },
    /// Two counters, the previous one weighted by its overlap.
    SlidingWindow {
        limit: i64,
        interval: Interval,
    },
    /// One counter; its window opens at the first hit or, `aligned`, at multiples of `interval` since the epoch.
    FixedWindow {
        limit: i64,
        interval: Interval,
        aligned: bool,
    },
    /// All members pass, or none is charged.
    Compound(Vec<Policy>),
    Unlimited,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Policy {
    name: Arc<str>,
    rule: Rule,
    shadow: bool,
    shared: bool,
    on_failure: Option<FailureRule>,
    plan: Arc<Plan>,
}

impl Policy {
    /// # Errors
    /// [`Error::InvalidPolicy`], here and in every constructor below, for a rule that can never work: a name outside
    /// `[A-Za-z0-9._-]{1,64}`, an amount below 1, numbers whose product leaves the range of exact integers.
    pub fn new(name: &str, rule: Rule) -> Result<Self, Error> {
        check_name(name)?;
        let name: Arc<str> = name.into();
        let plan = Arc::new(Plan::of(members(&name, &rule)?));
        Ok(Policy { name, rule, shadow: false, shared: false, on_failure: None, plan })
    }

    pub fn token_bucket(name: &str, capacity: i64, refill: i64, interval: Interval) -> Result<Self, Error> {
        Self::new(name, Rule::TokenBucket { capacity, refill, interval })
    }

    pub fn leaky_bucket(name: &str, capacity: i64, leak: i64, interval: Interval) -> Result<Self, Error> {
        Self::new(name, Rule::LeakyBucket { capacity, leak, interval })
    }

    pub fn sliding_log(name: &str, limit: i64, interval: Interval, audit: bool) -> Result<Self, Error> {
        Self::new(name, Rule::SlidingLog { limit, interval, audit })
    }

    pub fn sliding_window(name: &str, limit: i64, interval: Interval) -> Result<Self, Error> {
        Self::new(name, Rule::SlidingWindow { limit, interval })
    }

    pub fn fixed_window(name: &str, limit: i64, interval: Interval, aligned: bool) -> Result<Self, Error> {
        Self::new(name, Rule::FixedWindow { limit, interval, aligned })
    }

    pub fn compound(name: &str, members: Vec<Policy>) -> Result<Self, Error> {
        Self::new(name, Rule::Compound(members))
    }

    pub fn unlimited(name: &str) -> Result<Self, Error> {
        Self::new(name, Rule::Unlimited)
    }

    /// The same rule with an answer of its own for when Redis is away.
    pub fn on_failure(mut self, rule: FailureRule) -> Self {
        self.on_failure = Some(rule);
        self
    }

    /// The same rule, counting and reporting but never refusing.
    pub fn shadow(mut self, shadow: bool) -> Self {
        self.shadow = shadow;
        self
    }

    /// The same rule with one budget for every tenant.
    pub fn shared(mut self, shared: bool) -> Self {
        self.shared = shared;
        self
    }

    pub fn name(&self) -> &Arc<str> {
        &self.name
    }

    pub fn rule(&self) -> &Rule {
        &self.rule
    }

    pub fn is_shadow(&self) -> bool {
        self.shadow
    }

    pub fn is_shared(&self) -> bool {
        self.shared
    }

    pub fn failure_rule(&self) -> Option<FailureRule> {
        self.on_failure
    }

    /// What is sent to Redis for it.
    pub fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    pub fn algorithm(&self) -> &'static str {
        match self.rule {
            Rule::TokenBucket { .. } => "token_bucket",
            Rule::LeakyBucket { .. } => "leaky_bucket",
            Rule::SlidingLog { .. } => "sliding_log",
            Rule::SlidingWindow { .. } => "sliding_window",
            Rule::FixedWindow { .. } => "fixed_window",
            Rule::Compound(_) => "compound",
            Rule::Unlimited => "unlimited",
        }
    }

    /// Whether each member's budget is the tenant's own, not one that a compound shares among tenants.
    pub fn own_members(&self) -> Vec<bool> {
        match &self.rule {
            Rule::Compound(members) => members.iter().map(|member| self.shared || !member.shared).collect(),
            _ => vec![true],
        }
    }

    /// Capacity or limit; of a compound its smallest member's; `i64::MAX` for unlimited.
    pub fn limit(&self) -> i64 {
        self.plan.smallest().map_or(i64::MAX, |member| member.limit)
    }

    /// Seconds; of a compound its smallest member's; 0 for unlimited.
    pub fn interval(&self) -> f64 {
        match &self.rule {
            Rule::TokenBucket { interval, .. }
            | Rule::LeakyBucket { interval, .. }
            | Rule::SlidingLog { interval, .. }
            | Rule::SlidingWindow { interval, .. }
            | Rule::FixedWindow { interval, .. } => interval.seconds(),
            Rule::Compound(members) => {
                members.iter().min_by_key(|member| member.limit()).map_or(0.0, Policy::interval)
            }
            Rule::Unlimited => 0.0,
        }
    }
}

fn check_name(name: &str) -> Result<(), Error> {
    if is_name(name) {
        return Ok(());
    }
    let shown: String = name.chars().take(80).collect();
    Err(Error::InvalidPolicy(format!("policy name {shown:?} cannot be used; a name is {NAME}")))
}

/// What [`is_name`] lets pass, in words.
pub(crate) const NAME: &str = "1 to 64 of the characters A-Z a-z 0-9 . _ -";

/// A name stands in keys and in headers as it is.
pub(crate) fn is_name(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    (1..=64).contains(&name.len()) && name.chars().all(allowed)
}
