//! One policy of every algorithm.

use ratelimit::interval::Interval;
use ratelimit::policy::Policy;

/// Each admits `limit` at once, and all of them again within a minute. A log of more than 24 is kept in another way
/// than a smaller one.
pub fn every(limit: i64) -> Vec<Policy> {
    let minute = Interval::parse("1 minute").expect("a minute");
    let policies = [
        Policy::token_bucket("token_bucket", limit, limit, minute),
        Policy::leaky_bucket("leaky_bucket", limit, limit, minute),
        Policy::sliding_log("sliding_log", limit, minute, false),
        Policy::sliding_log("audit_log", limit, minute, true),
        Policy::sliding_window("sliding_window", limit, minute),
        Policy::fixed_window("fixed_window", limit, minute, false),
        Policy::fixed_window("aligned_window", limit, minute, true),
    ];
    policies.into_iter().map(|policy| policy.expect("a policy")).collect()
}

/// Every two of them, in both orders: the first with room for `first`, the second for `second`.
pub fn pairs(first: i64, second: i64) -> Vec<Policy> {
    let member = |name: &str, policy: &Policy| Policy::new(name, policy.rule().clone()).expect("a policy");
    let compound = |(one, other): (Policy, Policy)| {
        Policy::compound(
            &format!("{}-{}", one.name(), other.name()),
            vec![member("a", &one), member("b", &other)],
        )
    };
    let pairs = every(first)
        .into_iter()
        .flat_map(|one| every(second).into_iter().map(move |other| (one.clone(), other)));
    pairs.map(|pair| compound(pair).expect("a compound")).collect()
}
