//! The numbers of one member, checked: what leaves the range of exact integers can never work.

use super::Rule;
use super::compound::{check_members, planned_members};
use crate::error::Error;
use crate::interval::Interval;
use crate::plan::{Judge, Member};
use std::fmt;
use std::sync::Arc;

/// The largest integer that a double, and so Lua, counts to exactly.
const EXACT: u128 = 1 << 53;
const LIMIT_BITS: u32 = 40;
const LOG_LIMIT_BITS: u32 = 24;
const LOG_WINDOW_BITS: u32 = 47;
const REFILL_BITS: u32 = 32;

/// What a policy counts: one budget, those of a compound's members, or nothing.
pub fn members(name: &Arc<str>, rule: &Rule) -> Result<Vec<Member>, Error> {
    match rule {
        Rule::Unlimited => Ok(vec![]),
        Rule::Compound(members) => {
            check_members(name, members)?;
            Ok(planned_members(members))
        }
        rule => Ok(vec![member(name, rule)?]),
    }
}

fn member(name: &Arc<str>, rule: &Rule) -> Result<Member, Error> {
    match *rule {
        Rule::TokenBucket { capacity, refill, interval } => {
            bucket(name, capacity, "refill", refill, interval, false)
        }
        Rule::LeakyBucket { capacity, leak, interval } => {
            bucket(name, capacity, "leak", leak, interval, true)
        }
        Rule::SlidingLog { limit, interval, audit } => {
            below(name, "limit", limit, LOG_LIMIT_BITS)?;
            below(name, "interval in µs", interval.micros() as i64, LOG_WINDOW_BITS)?;
            let judge = if audit { Judge::AuditLog } else { Judge::SlidingLog };
            // A ninth of its life is slack, so that a busy log need not renew it at every hit.
            Ok(window(name, judge, limit, interval, false, interval.micros() + interval.micros() / 8))
        }
        Rule::SlidingWindow { limit, interval } => {
            below(name, "limit", limit, LIMIT_BITS)?;
            exact(name, "limit × interval", limit, u128::from(interval.micros()), EXACT)?;
            Ok(window(name, Judge::SlidingWindow, limit, interval, false, 2 * interval.micros()))
        }
        Rule::FixedWindow { limit, interval, aligned } => {
            below(name, "limit", limit, LIMIT_BITS)?;
            Ok(window(name, Judge::FixedWindow, limit, interval, aligned, interval.micros()))
        }
        Rule::Compound(_) | Rule::Unlimited => Err(invalid(name, "counts nothing of its own")),
    }
}

fn window(name: &Arc<str>, judge: Judge, limit: i64, interval: Interval, aligned: bool, life: u64) -> Member {
    Member {
        name: name.clone(),
        judge,
        limit,
        window: interval.micros(),
        numbers: [limit as f64, interval.micros() as f64, f64::from(u8::from(aligned)), 0.0],
        ttl_ms: life.div_ceil(1000) + 1,
        shadow: false,
    }
}

/// Token and leaky bucket: one token takes period/refill µs, in lowest terms (see lua/token_bucket.lua).
fn bucket(
    name: &Arc<str>,
    capacity: i64,
    rate: &str,
    amount: i64,
    interval: Interval,
    leaky: bool,
) -> Result<Member, Error> {
    at_least_one(name, "capacity", capacity)?;
    at_least_one(name, rate, amount)?;
    let divisor = greatest_common_divisor(interval.micros(), amount as u64);
    let (period, refill) = (interval.micros() / divisor, amount as u64 / divisor);
    below(
        name,
        format_args!("{rate} (in lowest terms with the interval in µs)"),
        refill as i64,
        REFILL_BITS,
    )?;
    // What is past an edge by a fraction of a µs is still exact, and so is a queue's lowest level, doubled.
    let most = if leaky { EXACT / 2 } else { EXACT };
    let full = exact(name, "capacity × interval", capacity, u128::from(period), most - u128::from(refill))?;
    let (level, debt) = if leaky { (period, full - period) } else { (full, 0) };
    let fill = full.div_ceil(refill);
    Ok(Member {
        name: name.clone(),
        judge: Judge::TokenBucket,
        limit: capacity,
        window: fill,
        numbers: [period as f64, refill as f64, level as f64, debt as f64],
        ttl_ms: fill.div_ceil(1000) + 1,
        shadow: false,
    })
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

fn at_least_one(name: &str, what: impl fmt::Display, amount: i64) -> Result<(), Error> {
    if amount >= 1 { Ok(()) } else { Err(invalid(name, &format!("{what} {amount} must be at least 1"))) }
}

fn below(name: &str, what: impl fmt::Display, amount: i64, bits: u32) -> Result<(), Error> {
    at_least_one(name, &what, amount)?;
    if amount < 1 << bits {
        return Ok(());
    }
    Err(invalid(name, &format!("{what} {amount} is too large; it must be below {}", 1_i64 << bits)))
}

fn exact(name: &str, what: &str, amount: i64, factor: u128, most: u128) -> Result<u64, Error> {
    at_least_one(name, what, amount)?;
    let product = amount as u128 * factor;
    if product <= most {
        return Ok(product as u64);
    }
    Err(invalid(
        name,
        &format!(
            "{what} = {amount} × {factor} µs is past the range of exact integers (at most {most}); lower one of \
             them, or use a fixed window"
        ),
    ))
}

fn invalid(name: &str, text: &str) -> Error {
    Error::InvalidPolicy(format!("policy \"{name}\": {text}"))
}
