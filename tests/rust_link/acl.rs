//! An ACL user with the commands that the README lists can do everything, and one with fewer is told so.

use std::collections::BTreeSet;
use std::time::Duration;

use ratelimit::decision::{Decision, Reason};
use ratelimit::failure_rule::FailureRule;
use ratelimit::interval::Interval;
use ratelimit::keys::Subject;
use ratelimit::limiter::{RateLimiter, Settings};
use ratelimit::policy::Policy;
use ratelimit::script;

use crate::support::{SECOND, Server, endpoint};

const README: &str = include_str!("../../README.md");
const SUBJECT: Subject<'_> = Subject { tenant: b"tenant", scope: b"scope" };

/// The commands that the scripts run, as they stand in their texts.
fn commands() -> BTreeSet<String> {
    let scripts = script::SETTLE.iter().chain([&script::REFUND, &script::HISTORY]);
    let calls = scripts.flat_map(|script| script.text.split("call('").skip(1));
    calls.filter_map(|call| call.split('\'').next()).map(str::to_lowercase).collect()
}

fn listed() -> BTreeSet<String> {
    let line =
        README.lines().find(|line| line.starts_with("ACL SETUSER limiter ")).expect("the README's line");
    line.split(' ').filter_map(|word| word.strip_prefix('+')).map(String::from).collect()
}

fn limiter(server: &Server, user: &str) -> RateLimiter {
    let url = format!("redis://{user}:secret@127.0.0.1:{}", server.port);
    let breaker = ratelimit::breaker::Settings { failures: 0, cooldown: SECOND };
    let settings = Settings {
        timeout: 10 * SECOND,
        prefix: "rl".into(),
        on_failure: FailureRule::Closed,
        breaker,
        refusal_ttl: Duration::ZERO,
    };
    RateLimiter::new(endpoint(&url), &settings)
}

fn policies() -> Vec<Policy> {
    let minute = Interval::parse("1 minute").unwrap();
    [
        Policy::token_bucket("bucket", 40, 40, minute),
        Policy::leaky_bucket("leaky", 40, 40, minute),
        Policy::sliding_log("log", 40, minute, false),
        Policy::sliding_log("audit", 40, minute, true),
        Policy::sliding_window("window", 40, minute),
        Policy::fixed_window("fixed", 40, minute, false),
    ]
    .map(Result::unwrap)
    .into()
}

#[test]
fn the_readme_lists_what_is_enough() {
    let server = Server::start(&[]);
    let own = ["evalsha", "eval", "ping", "cluster|slots", "asking", "role"].map(String::from);
    assert_eq!(listed(), commands().into_iter().chain(own).collect());
    let granted = listed().iter().map(|command| format!(" +{command}")).collect::<String>();
    server.ask(&format!("ACL SETUSER limiter on >secret ~rl:* -@all{granted}"));
    let limiter = limiter(&server, "limiter");
    for policy in policies() {
        let decide = |_| limiter.consume(&policy, SUBJECT, 1, None).unwrap();
        let taken: Vec<Decision> = (0..50).map(decide).collect();
        assert_eq!(taken.iter().filter(|decision| decision.allowed).count(), 40, "{taken:?}");
        assert!(!limiter.peek(&policy, SUBJECT, 1).unwrap().allowed);
        assert_eq!(limiter.refund(&taken[20]), Ok(true), "{}", policy.name());
        if policy.name().as_ref() == "log" || policy.name().as_ref() == "audit" {
            assert_eq!(limiter.history(&policy, SUBJECT).map(|entries| entries.len()), Ok(39));
        }
        assert_eq!(limiter.reset(&policy, SUBJECT), Ok(true));
    }
    assert!(limiter.ping().is_ok());
}

/// Above all a state that may not be read is no empty one.
#[test]
fn a_command_too_few_is_told() {
    let server = Server::start(&[]);
    for (number, command) in
        ["evalsha", "time", "get", "getrange", "zrange", "set", "zadd"].iter().enumerate()
    {
        let user = format!("limiter{number}");
        server.ask(&format!("ACL SETUSER {user} on >secret ~rl:* +@all -{command}"));
        let limiter = limiter(&server, &user);
        let without = |policy: &Policy| limiter.consume(policy, SUBJECT, 1, None).unwrap();
        let decisions: Vec<Decision> = policies().iter().map(without).collect();
        let degraded = decisions.iter().filter(|decision| decision.degraded).count();
        assert!(degraded > 0, "-{command} goes unnoticed");
        assert!(
            decisions
                .iter()
                .all(|decision| !decision.degraded || decision.reason == Some(Reason::StoreUnavailable))
        );
    }
}
