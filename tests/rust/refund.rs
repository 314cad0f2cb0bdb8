//! A refund gives back what one decision took, where its window is still the same one.

use crate::support::foreign;
use crate::support::policies::every;
use crate::support::random::{Random, seed};
use crate::support::redis::{ALICE, Redis, SECOND, START};
use ratelimit::decision::{Decision, Window};
use ratelimit::policy::Policy;

const ROUNDS: usize = 40;

/// Two tenants make the same calls, but for one call of the first that is given back: from then on they cannot be
/// told apart. The limits are never reached, and the bucket, large beside what is taken, never fills in between.
#[test]
fn after_a_refund_it_is_as_if_it_had_never_been_taken() {
    let redis = Redis::start();
    let seed = seed();
    println!("RATELIMIT_SEED={seed}");
    let mut random = Random::new(seed);
    for round in 0..ROUNDS {
        for policy in [20, 60, 1000].into_iter().flat_map(every) {
            let named =
                Policy::new(&format!("{}{round}-{}", policy.name(), policy.limit()), policy.rule().clone());
            let story = tell(&redis, &named.expect("a policy"), &mut random);
            assert!(story.is_ok(), "RATELIMIT_SEED={seed}, round {round}: {story:?}");
        }
    }
}

fn tell(redis: &Redis, policy: &Policy, random: &mut Random) -> Result<(), String> {
    let mut now = random.within(0, 100_000 * SECOND);
    let both = |now: i128, cost: i64| {
        redis.at(now);
        let request = now.to_string();
        let one = redis.consume_as(b"one", policy, cost, Some(request.as_bytes()));
        let other = redis.consume_as(b"other", policy, cost, Some(request.as_bytes()));
        assert!(one.allowed && other.allowed, "{} at {now}", policy.name());
    };
    let most = policy.limit() / 20;
    let calls = |random: &mut Random, now: &mut i128| {
        for _ in 0..random.within(1, 4) {
            *now += random.pick(&[0, 1, 1000, SECOND]);
            both(*now, random.within(1, most.into()) as i64);
        }
    };
    for _ in 0..random.within(0, 40) {
        both(now, most);
        now += 12 * SECOND; // so that a ring turns
    }
    both(now, policy.limit() / 4);
    calls(random, &mut now);
    let cost = random.within(1, most.into()) as i64;
    let taken = redis.consume_as(b"one", policy, cost, Some(b"to be given back"));
    now += random.pick(&[0, 1, SECOND]);
    if random.percent(70) {
        calls(random, &mut now);
    }
    if !redis.limiter.refund(&taken).unwrap() {
        return no_longer(policy, &taken, now);
    }
    for wait in [0, 1, 20 * SECOND, 15 * SECOND, 30 * SECOND, 10 * SECOND, 60 * SECOND] {
        now += wait;
        redis.at(now);
        for cost in [0, 1, policy.limit()] {
            let (one, other) = (redis.peek_as(b"one", policy, cost), redis.peek_as(b"other", policy, cost));
            if one.windows != other.windows {
                return Err(format!("{}\n{:?}\n{:?}\n{taken:?}", policy.name(), one.windows, other.windows));
            }
        }
    }
    Ok(())
}

/// Nothing came back: right only where the window has ended since.
fn no_longer(policy: &Policy, taken: &Decision, now: i128) -> Result<(), String> {
    let ended = i128::from(taken.reset_at.unwrap_or(0)) <= START + now;
    let windowed = policy.algorithm() == "fixed_window";
    if windowed && ended {
        Ok(())
    } else {
        Err(format!("nothing came back of {taken:?} at {now}, {}", policy.name()))
    }
}

#[test]
fn a_refund_comes_once_and_creates_nothing() {
    let mut redis = Redis::start();
    for policy in [5, 100].into_iter().flat_map(every) {
        let taken = redis.consume(&policy, 2);
        assert!(redis.limiter.refund(&taken).unwrap(), "{}", policy.name());
        assert!(!redis.limiter.refund(&taken.clone()).unwrap(), "{}", policy.name());
        assert_eq!(redis.peek(&policy, 1).remaining, policy.limit());
        let taken = redis.consume(&policy, 2);
        redis.client.command("FLUSHALL");
        assert!(!redis.limiter.refund(&taken).unwrap(), "{}", policy.name());
        assert_eq!(redis.keys(), []);
    }
}

#[test]
fn nothing_comes_back_once_the_window_is_over() {
    let mut redis = Redis::start();
    for policy in [5, 100].into_iter().flat_map(every) {
        redis.at(0);
        let taken = redis.consume(&policy, 2);
        redis.at(121 * SECOND);
        redis.consume(&policy, 2);
        let keys = redis.keys();
        assert!(!redis.limiter.refund(&taken).unwrap(), "{}", policy.name());
        assert_eq!(redis.keys(), keys, "{}", policy.name());
        redis.client.command("FLUSHALL");
    }
}

#[test]
fn another_kind_of_value_is_left_alone() {
    let mut redis = Redis::start();
    for policy in [5, 100].into_iter().flat_map(every) {
        for words in foreign::values(&format!("rl:{}:alice:global", policy.name())) {
            let taken = redis.consume(&policy, 2);
            redis.client.command("FLUSHALL");
            redis.client.command(&words);
            let keys = redis.keys();
            assert!(!redis.limiter.refund(&taken).unwrap(), "{words}");
            assert_eq!(redis.keys(), keys);
            redis.client.command("FLUSHALL");
        }
    }
}

/// What was taken since a reset is not given back twice over: no count falls below zero.
#[test]
fn no_more_comes_back_than_is_there() {
    let mut redis = Redis::start();
    for policy in [5, 100].into_iter().flat_map(every) {
        let taken = redis.consume(&policy, 3);
        redis.client.command("FLUSHALL");
        redis.consume(&policy, 1);
        redis.limiter.refund(&taken).unwrap();
        let remaining = redis.peek(&policy, 1).remaining;
        assert!(remaining <= policy.limit(), "{} has {remaining}", policy.name());
        assert!(redis.consume(&policy, remaining).allowed, "{}", policy.name());
        assert!(!redis.consume(&policy, 1).allowed, "{}", policy.name());
        redis.client.command("FLUSHALL");
    }
}

#[test]
fn every_member_of_a_compound_gets_its_share() {
    let redis = Redis::start();
    let members: Vec<Policy> = every(9);
    let compound = Policy::compound("all", members).expect("a compound");
    let left = |decision: Decision| -> Vec<i64> {
        decision.windows.iter().map(|Window { remaining, .. }| *remaining).collect()
    };
    redis.consume(&compound, 2);
    let taken = redis.consume(&compound, 3);
    assert_eq!(left(redis.peek(&compound, 1)), [4; 7]);
    assert!(redis.limiter.refund(&taken).unwrap());
    assert_eq!(left(redis.peek(&compound, 1)), [7; 7]);
}

/// The audit log names the request: of several at the same instant the right one goes.
#[test]
fn of_an_audit_log_the_request_itself_is_given_back() {
    let redis = Redis::start();
    let policy = every(9).remove(3);
    let ids = || -> Vec<(i64, Option<Vec<u8>>)> {
        let entries = redis.limiter.history(&policy, ALICE).expect("a history");
        entries.into_iter().map(|entry| (entry.cost, entry.request_id)).collect()
    };
    let id = |cost: i64, id: &str| (cost, Some(id.as_bytes().to_vec()));
    let consume = |request: &str, cost| redis.consume_as(b"alice", &policy, cost, Some(request.as_bytes()));
    consume("a", 1);
    let b = consume("b", 2);
    consume("c", 2);
    let again = consume("c", 2);
    assert_eq!(ids(), [id(1, "a"), id(2, "b"), id(2, "c"), id(2, "c")]);
    assert!(redis.limiter.refund(&b).unwrap());
    assert_eq!(ids(), [id(1, "a"), id(2, "c"), id(2, "c")]);
    assert!(redis.limiter.refund(&again).unwrap());
    assert_eq!(ids(), [id(1, "a"), id(2, "c")]);
    assert_eq!(redis.peek(&policy, 1).remaining, 6);
}
