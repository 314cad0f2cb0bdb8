//! HTTP headers that tell a client what a decision said. Nothing is invented: a degraded decision and an
//! unlimited one have none, but for the Retry-After of a refusal whose end is known.

use crate::decision::{Decision, Window};

pub type Headers = Vec<(&'static str, String)>;

/// The largest integer of a structured field (RFC 9651, 3.3.1).
const LARGEST_INTEGER: i64 = 999_999_999_999_999;
const SECOND: i64 = 1_000_000;

/// X-RateLimit-Limit, -Remaining and -Reset (Unix seconds, rounded up), as GitHub and Laravel name them, and
/// Retry-After (RFC 9110, 10.2.3: whole seconds, rounded up, at least 1) on a refusal.
pub fn legacy(decision: &Decision) -> Headers {
    let mut headers = Headers::new();
    if let Some(reset_at) = decision.reset_at {
        headers.push(("X-RateLimit-Limit", decision.limit.to_string()));
        headers.push(("X-RateLimit-Remaining", decision.remaining.to_string()));
        headers.push(("X-RateLimit-Reset", seconds_up(reset_at).to_string()));
    }
    headers.extend(retry_after(decision));
    headers
}

/// RateLimit-Policy (`"name";q=quota;w=window`) and RateLimit (`"name";r=remaining;t=seconds to the reset`) of
/// draft-ietf-httpapi-ratelimit-headers, one item for each window, and Retry-After on a refusal.
pub fn standard(decision: &Decision) -> Headers {
    let mut headers = Headers::new();
    if !decision.windows.is_empty() {
        headers.push(("RateLimit-Policy", join(decision, policy_item)));
        headers.push(("RateLimit", join(decision, |window| limit_item(window, decision.now))));
    }
    headers.extend(retry_after(decision));
    headers
}

fn retry_after(decision: &Decision) -> Option<(&'static str, String)> {
    let wait = decision.retry_after.filter(|_| !decision.allowed)?;
    Some(("Retry-After", seconds_up(wait).max(1).to_string()))
}

fn join(decision: &Decision, item: impl Fn(&Window) -> String) -> String {
    decision.windows.iter().map(item).collect::<Vec<_>>().join(", ")
}

fn policy_item(window: &Window) -> String {
    let quota = window.limit.min(LARGEST_INTEGER);
    match window.interval {
        Some(interval) => format!("\"{}\";q={quota};w={}", window.name, seconds_up(interval as i64)),
        None => format!("\"{}\";q={quota}", window.name),
    }
}

fn limit_item(window: &Window, now: Option<i64>) -> String {
    let remaining = window.remaining.min(LARGEST_INTEGER);
    match now {
        Some(now) => {
            format!("\"{}\";r={remaining};t={}", window.name, seconds_up(window.reset_at - now).max(0))
        }
        None => format!("\"{}\";r={remaining}", window.name),
    }
}

fn seconds_up(micros: i64) -> i64 {
    micros.div_euclid(SECOND) + i64::from(micros.rem_euclid(SECOND) > 0)
}
