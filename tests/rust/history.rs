//! What a log still holds.

use crate::support::foreign;
use crate::support::policies::every;
use crate::support::redis::{ALICE, Redis, SECOND, START};
use ratelimit::history::Entry;
use ratelimit::policy::Policy;

fn log(limit: i64, audit: bool) -> Policy {
    every(limit).remove(if audit { 3 } else { 2 })
}

fn entry(at: i128, cost: i64, request_id: Option<&str>) -> Entry {
    Entry { at: (START + at) as i64, cost, request_id: request_id.map(|id| id.as_bytes().to_vec()) }
}

fn history(redis: &Redis, policy: &Policy) -> Vec<Entry> {
    redis.limiter.history(policy, ALICE).expect("a history")
}

#[test]
fn a_log_holds_what_was_taken_in_the_last_window() {
    let mut redis = Redis::start();
    for (limit, audit) in [(9, false), (100, false), (9, true), (100, true)] {
        redis.client.command("FLUSHALL");
        let policy = log(limit, audit);
        let id = |id| if audit { Some(id) } else { None };
        assert_eq!(history(&redis, &policy), []);
        for (at, cost, request) in [(0, 2, "a"), (1, 1, "b"), (30 * SECOND, 3, "c")] {
            redis.at(at);
            redis.consume_as(b"alice", &policy, cost, Some(request.as_bytes()));
        }
        let keys = (redis.keys(), redis.written());
        let all = [entry(0, 2, id("a")), entry(1, 1, id("b")), entry(30 * SECOND, 3, id("c"))];
        assert_eq!(history(&redis, &policy), all);
        redis.at(60 * SECOND - 1);
        assert_eq!(history(&redis, &policy), all);
        redis.at(60 * SECOND);
        assert_eq!(history(&redis, &policy), all[1..]);
        assert_eq!((redis.keys(), redis.written()), keys);
    }
}

/// A large log goes round in its ring and grows; what it tells must not show it.
#[test]
fn the_ring_does_not_show() {
    let redis = Redis::start();
    for audit in [false, true] {
        let policy = log(100, audit);
        let mut taken: Vec<Entry> = vec![];
        for step in 0..700 {
            let now = step * (if step / 100 % 2 == 0 { SECOND } else { 3 * SECOND });
            let now = taken.last().map_or(now, |last| now.max(i128::from(last.at) - START + SECOND));
            redis.at(now);
            taken.retain(|entry| i128::from(entry.at) > START + now - 60 * SECOND);
            assert!(redis.consume(&policy, 1).allowed);
            taken.push(entry(now, 1, None));
            assert_eq!(history(&redis, &policy), taken, "step {step}");
        }
    }
}

/// In a log without request ids the units of one instant are one entry; an audit log keeps every request, also two
/// of one id.
#[test]
fn equal_instants_and_equal_ids_lose_nothing() {
    let redis = Redis::start();
    for audit in [false, true] {
        let policy = log(9, audit);
        for cost in [1, 2, 2, 3] {
            redis.consume_as(b"alice", &policy, cost, Some(b"same"));
        }
        let each = [1, 2, 2, 3].map(|cost| entry(0, cost, Some("same")));
        assert_eq!(history(&redis, &policy), if audit { each.to_vec() } else { vec![entry(0, 8, None)] });
        assert_eq!(redis.peek(&policy, 1).remaining, 1);
    }
}

#[test]
fn a_clock_that_fell_back_forgets_nothing_within_a_window() {
    let redis = Redis::start();
    for audit in [false, true] {
        let policy = log(9, audit);
        redis.at(0);
        redis.consume(&policy, 2);
        redis.at(-60 * SECOND);
        assert_eq!(history(&redis, &policy), [entry(0, 2, None)]);
        redis.at(-60 * SECOND - 1);
        assert_eq!(history(&redis, &policy), []);
    }
}

#[test]
fn another_kind_of_value_is_no_history() {
    let mut redis = Redis::start();
    for audit in [false, true] {
        let policy = log(100, audit);
        for words in foreign::values(&format!("rl:{}:alice:global", policy.name())) {
            redis.client.command("FLUSHALL");
            redis.client.command(&words);
            assert_eq!(history(&redis, &policy), [], "{words}");
        }
    }
}
