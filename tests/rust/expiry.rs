//! No key lives for ever, and none dies while it still counts.

use crate::support::policies::every;
use crate::support::redis::{ALICE, Redis, SECOND, START};
use ratelimit::policy::Policy;

/// Small logs are written whole, larger ones in place.
const LIMITS: [i64; 2] = [5, 100];

/// Two windows of a minute, and two seconds.
const LONGEST: i64 = 122_000;

fn lives(redis: &mut Redis, now: i128, what: &str, policy: &Policy) {
    let keys = redis.keys();
    assert_eq!(keys.len(), 1, "{} after {what}", policy.name());
    let left = keys[0].expires - ((START + now) / 1000) as i64;
    assert!((1..=LONGEST).contains(&left), "{} lives {left} ms after {what}", policy.name());
}

#[test]
fn every_key_has_a_time_to_live_after_every_call() {
    let mut redis = Redis::start();
    for policy in LIMITS.into_iter().flat_map(every) {
        redis.client.command("FLUSHALL");
        redis.at(0);
        redis.consume(&policy, 1);
        lives(&mut redis, 0, "an allowed call", &policy);
        redis.at(SECOND);
        let taken = redis.consume(&policy, policy.limit() - 1);
        lives(&mut redis, SECOND, "a larger cost", &policy);
        redis.at(2 * SECOND);
        redis.consume(&policy, policy.limit());
        lives(&mut redis, 2 * SECOND, "a refusal", &policy);
        assert!(redis.limiter.refund(&taken).unwrap(), "{}", policy.name());
        lives(&mut redis, 2 * SECOND, "a refund", &policy);
        let shadow = redis.limiter.consume(&policy.clone().shadow(true), ALICE, policy.limit(), None);
        assert!(shadow.expect("a decision").allowed);
        lives(&mut redis, 2 * SECOND, "a call in shadow mode", &policy);
    }
}

#[test]
fn a_key_that_lost_its_time_to_live_gets_it_back() {
    let mut redis = Redis::start();
    for policy in LIMITS.into_iter().flat_map(every) {
        redis.client.command("FLUSHALL");
        redis.consume(&policy, policy.limit() / 2);
        let name = redis.keys().remove(0).name;
        redis.client.parts(&[b"PERSIST", &name]);
        assert_eq!(redis.keys()[0].expires, -1);
        assert!(redis.consume(&policy, 1).allowed);
        lives(&mut redis, 0, "an allowed call on a persistent key", &policy);
    }
}

#[test]
fn a_refund_leaves_the_time_to_live_as_it_was() {
    let mut redis = Redis::start();
    for policy in LIMITS.into_iter().flat_map(every) {
        redis.client.command("FLUSHALL");
        redis.at(0);
        let cost = policy.limit() / 5;
        redis.consume(&policy, cost);
        redis.at(SECOND);
        let taken = redis.consume(&policy, 2 * cost);
        redis.at(2 * SECOND);
        redis.consume(&policy, cost);
        let expires = redis.keys()[0].expires;
        redis.at(3 * SECOND);
        assert!(redis.limiter.refund(&taken).unwrap(), "{}", policy.name());
        assert_eq!(redis.keys()[0].expires, expires, "{}", policy.name());
    }
}
