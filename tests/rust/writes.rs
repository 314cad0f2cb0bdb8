//! What may change in Redis, and what may not.

use crate::support::foreign;
use crate::support::policies::{every, pairs};
use crate::support::redis::{Redis, SECOND};
use ratelimit::decision::Decision;
use ratelimit::plan::Judge;
use ratelimit::policy::Policy;

/// Logs of more than 24 are written in place.
const LIMITS: [i64; 3] = [1, 5, 100];

#[test]
fn a_refused_call_and_a_peek_write_nothing() {
    let mut redis = Redis::start();
    for policy in LIMITS.into_iter().flat_map(every) {
        redis.client.command("FLUSHALL");
        redis.at(0);
        redis.consume(&policy, 1);
        redis.at(SECOND / 2);
        if policy.limit() > 1 {
            redis.consume(&policy, policy.limit() - 1);
        }
        redis.at(SECOND / 2 + 1);
        let (keys, written) = (redis.keys(), redis.written());
        assert_eq!(keys.len(), 1);
        for cost in [1, policy.limit() + 1] {
            assert!(!redis.consume(&policy, cost).allowed, "{}", policy.name());
            assert!(!redis.peek(&policy, cost).allowed, "{}", policy.name());
        }
        assert!(redis.peek(&policy, 0).allowed, "{}", policy.name());
        redis.at(59 * SECOND);
        redis.peek(&policy, 1);
        assert_eq!((redis.keys(), redis.written()), (keys, written), "{}", policy.name());
    }
}

#[test]
fn a_peek_at_nothing_creates_nothing() {
    let mut redis = Redis::start();
    for policy in every(5) {
        let decision = redis.peek(&policy, 5);
        assert!(decision.allowed);
        assert_eq!(decision.remaining, 5);
        assert!(!redis.consume(&policy, 6).allowed);
        assert_eq!(redis.keys(), []);
    }
}

#[test]
fn a_compound_charges_all_of_its_members_or_none() {
    let mut redis = Redis::start();
    for limit in [5, 100] {
        for policy in pairs(limit, 1).into_iter().chain(pairs(1, limit)) {
            redis.client.command("FLUSHALL");
            assert!(redis.consume(&policy, 1).allowed);
            let (keys, written) = (redis.keys(), redis.written());
            assert_eq!(keys.len(), 2);
            let refused = redis.consume(&policy, 1);
            assert!(!refused.allowed);
            assert_eq!(refused.remaining, 0);
            let left: i64 = refused.windows.iter().map(|window| window.remaining).sum();
            assert_eq!(left, limit - 1, "a member that was not charged says so: {}", policy.name());
            assert!(!redis.consume(&policy, 2).allowed);
            assert_eq!((redis.keys(), redis.written()), (keys, written), "{}", policy.name());
        }
    }
}

#[test]
fn a_shadow_member_is_charged_and_never_refuses() {
    let redis = Redis::start();
    for policy in every(2) {
        let (name, shadow) = (policy.name(), policy.clone().shadow(true));
        let wide = every(9).remove(0);
        let compound = Policy::compound(&format!("{name}-all"), vec![shadow, named("wide", &wide)]);
        let compound = compound.expect("a compound");
        let remaining = |decision: Decision| -> Vec<i64> {
            assert!(decision.allowed, "{name}");
            decision.windows.iter().map(|window| window.remaining).collect()
        };
        assert_eq!(remaining(redis.consume(&compound, 1)), [1, 8], "{name}");
        assert_eq!(remaining(redis.consume(&compound, 1)), [0, 7], "{name}");
        assert_eq!(remaining(redis.consume(&compound, 1)), [0, 6], "{name}");
    }
}

#[test]
fn another_kind_of_value_under_the_key_starts_clean() {
    let mut redis = Redis::start();
    for policy in LIMITS.into_iter().flat_map(every) {
        let key = format!("rl:{}:alice:global", policy.name());
        for words in foreign::values(&key) {
            redis.client.command("FLUSHALL");
            redis.client.command(&words);
            let before = redis.keys();
            assert_eq!(redis.peek(&policy, 1).remaining, policy.limit(), "{words}");
            assert_eq!(redis.keys(), before);
            let decision = redis.consume(&policy, 1);
            assert_eq!((decision.allowed, decision.remaining), (true, policy.limit() - 1), "{words}");
            assert_eq!(redis.peek(&policy, 1).remaining, policy.limit() - 1, "{words}");
            assert!(redis.keys()[0].expires > 0, "{words}");
        }
    }
}

#[test]
fn another_algorithm_under_the_same_name_starts_clean() {
    let mut redis = Redis::start();
    for old in LIMITS.into_iter().flat_map(every) {
        for new in LIMITS.into_iter().flat_map(every).filter(|new| kind(new) != kind(&old)) {
            redis.client.command("FLUSHALL");
            redis.consume(&named("same", &old), old.limit());
            let decision = redis.consume(&named("same", &new), 1);
            assert_eq!(
                (decision.allowed, decision.remaining),
                (true, new.limit() - 1),
                "{} after {}",
                new.name(),
                old.name()
            );
        }
    }
}

fn named(name: &str, policy: &Policy) -> Policy {
    Policy::new(name, policy.rule().clone()).expect("a policy")
}

/// Two buckets, or two fixed windows, understand each other's state.
fn kind(policy: &Policy) -> Judge {
    policy.plan().members[0].judge
}
