//! A policy as the configuration that makes it.

use super::{Map, Value};
use crate::interval::Interval;
use crate::policy::{Policy, Rule};

/// The configuration that describes `policy`; only what differs from the defaults beyond its numbers.
pub fn describe(policy: &Policy) -> Map {
    let mut config = rule_words(policy.rule());
    if let Some(rule) = policy.failure_rule() {
        config.push(("on_failure".into(), Value::Text(rule.word().into())));
    }
    for (word, set) in [("shadow", policy.is_shadow()), ("shared", policy.is_shared())] {
        if set {
            config.push((word.into(), Value::Bool(true)));
        }
    }
    config
}

fn rule_words(rule: &Rule) -> Map {
    let entry = |word: &str, value: Value| (word.to_string(), value);
    let start = |algorithm: &str| vec![entry("policy", Value::Text(algorithm.into()))];
    let limited = |algorithm: &str, limit: i64, interval: &Interval| {
        [start(algorithm), vec![entry("limit", Value::Int(limit)), entry("interval", seconds(*interval))]]
            .concat()
    };
    let rated = |algorithm: &str, limit: i64, amount: i64, interval: &Interval| {
        let rate = vec![entry("amount", Value::Int(amount)), entry("interval", seconds(*interval))];
        [start(algorithm), vec![entry("limit", Value::Int(limit)), entry("rate", Value::Map(rate))]].concat()
    };
    let flagged = |mut config: Map, word: &str, set: bool| {
        if set {
            config.push(entry(word, Value::Bool(true)));
        }
        config
    };
    match rule {
        Rule::TokenBucket { capacity, refill, interval } => {
            rated("token_bucket", *capacity, *refill, interval)
        }
        Rule::LeakyBucket { capacity, leak, interval } => rated("leaky_bucket", *capacity, *leak, interval),
        Rule::SlidingLog { limit, interval, audit } => {
            flagged(limited("sliding_log", *limit, interval), "audit", *audit)
        }
        Rule::SlidingWindow { limit, interval } => limited("sliding_window", *limit, interval),
        Rule::FixedWindow { limit, interval, aligned } => {
            flagged(limited("fixed_window", *limit, interval), "aligned", *aligned)
        }
        Rule::Compound(members) => {
            let members =
                members.iter().map(|member| entry(member.name(), Value::Map(describe(member)))).collect();
            [start("compound"), vec![entry("limiters", Value::Map(members))]].concat()
        }
        Rule::Unlimited => start("no_limit"),
    }
}

/// Whole seconds as an integer, else a float that reads back as the same µs.
fn seconds(interval: Interval) -> Value {
    let micros = interval.micros();
    if micros.is_multiple_of(1_000_000) {
        Value::Int((micros / 1_000_000) as i64)
    } else {
        Value::Float(interval.seconds())
    }
}
