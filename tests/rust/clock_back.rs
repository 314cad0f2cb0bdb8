//! A clock that falls back, as after a failover to a server that is behind.

use crate::support::policies::every;
use crate::support::redis::{Redis, SECOND};

const WINDOW: i128 = 60 * SECOND;
/// Anywhere in a window.
const DRAINED: i128 = 25 * SECOND + 7;

#[test]
fn up_to_a_window_it_grants_nothing_twice_and_adds_no_more_than_itself_to_a_wait() {
    let mut redis = Redis::start();
    for policy in [1, 5, 100].into_iter().flat_map(every) {
        for step in [1, 999, SECOND, 26 * SECOND, WINDOW - 1, WINDOW] {
            redis.client.command("FLUSHALL");
            redis.at(DRAINED);
            redis.consume(&policy, policy.limit());
            let wait = redis.consume(&policy, 1).retry_after.expect("a wait");
            for since in [0, 1, step / 2, step - 1] {
                redis.at(DRAINED - step + since);
                let refused = redis.consume(&policy, 1);
                let name = format!("{} of {}, step {step}, after {since}", policy.name(), policy.limit());
                assert!(!refused.allowed, "{name}");
                let longer = i128::from(refused.retry_after.expect("a wait") - wait);
                assert!(longer <= step - since, "{name}: waits {longer} longer");
            }
        }
    }
}

#[test]
fn waiting_as_long_as_was_said_is_enough() {
    let mut redis = Redis::start();
    for policy in [1, 5, 100].into_iter().flat_map(every) {
        for step in [1, 999, SECOND, 26 * SECOND, WINDOW - 1, WINDOW, WINDOW + 1, 2 * WINDOW, 9 * WINDOW] {
            redis.client.command("FLUSHALL");
            redis.at(DRAINED);
            redis.consume(&policy, policy.limit());
            let now = DRAINED - step;
            redis.at(now);
            let wait = i128::from(redis.peek(&policy, 1).retry_after.unwrap_or(0));
            redis.at(now + wait - 1);
            assert!(wait == 0 || !redis.peek(&policy, 1).allowed, "{} after {step}", policy.name());
            redis.at(now + wait);
            assert!(redis.peek(&policy, 1).allowed, "{} after {step}", policy.name());
        }
    }
}

#[test]
fn a_step_of_more_than_two_windows_starts_clean() {
    let mut redis = Redis::start();
    for policy in [1, 5, 100].into_iter().flat_map(every) {
        redis.client.command("FLUSHALL");
        redis.at(DRAINED);
        redis.consume(&policy, policy.limit());
        redis.at(DRAINED - 2 * WINDOW - 1);
        let decision = redis.consume(&policy, 1);
        assert_eq!((decision.allowed, decision.remaining), (true, policy.limit() - 1), "{}", policy.name());
    }
}
