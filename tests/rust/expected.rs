//! The part of a decision that the models know, in µs.

use crate::oracle::{Answer, Member};
use ratelimit::decision::{Decision, Reason};

#[derive(Debug, PartialEq, Eq)]
pub struct Expected {
    allowed: bool,
    /// Of the member that decides.
    remaining: i128,
    retry_after: Option<i128>,
    reset_at: i128,
    reason: Option<Reason>,
    delay: i128,
    windows: Vec<Window>,
}

#[derive(Debug, PartialEq, Eq)]
struct Window {
    allowed: bool,
    remaining: i128,
    retry_after: Option<i128>,
    reset_at: i128,
}

impl Expected {
    pub fn of(decision: &Decision) -> Self {
        let windows = decision.windows.iter().map(|window| Window {
            allowed: window.allowed,
            remaining: window.remaining.into(),
            retry_after: window.retry_after.map(i128::from),
            reset_at: window.reset_at.into(),
        });
        Expected {
            allowed: decision.allowed,
            remaining: decision.remaining.into(),
            retry_after: decision.retry_after.map(i128::from),
            reset_at: decision.reset_at.unwrap_or(-1).into(),
            reason: decision.reason,
            delay: decision.delay.into(),
            windows: windows.collect(),
        }
    }

    /// A refusal is reported by the member that can never pass, else by the one with the longest wait, the first of
    /// equals; what only a shadow member refuses, by that; all else by the member with the least left, of those
    /// that could refuse if there are any.
    pub fn from(members: &[Member], answers: &[Answer], now: i128) -> Self {
        let severity = |at: usize| if answers[at].retry < 0 { i128::MAX } else { answers[at].retry };
        let worst = |mut refusing: Vec<usize>| {
            refusing.retain(|at| answers[*at].retry != 0);
            refusing.into_iter().rev().max_by_key(|at| severity(*at))
        };
        let all: Vec<usize> = (0..members.len()).collect();
        let binding: Vec<usize> = all.iter().copied().filter(|at| !members[*at].shadow).collect();
        let refusing = worst(binding.clone());
        let would = refusing.or_else(|| worst(all.clone()));
        let least = |of: &[usize]| of.iter().copied().min_by_key(|at| answers[*at].remaining);
        let deciding = &answers[would.or_else(|| least(&binding)).or_else(|| least(&all)).expect("a member")];
        let allowed = refusing.is_none();
        let reason = if deciding.retry < 0 { Reason::CostExceedsLimit } else { Reason::Limited };
        let window = |answer: &Answer| Window {
            allowed: answer.retry == 0,
            remaining: answer.remaining,
            retry_after: (answer.retry > 0).then_some(answer.retry),
            reset_at: now + answer.reset,
        };
        Expected {
            allowed,
            remaining: deciding.remaining,
            retry_after: (deciding.retry > 0 && !allowed).then_some(deciding.retry),
            reset_at: now + deciding.reset,
            reason: would.map(|_| reason),
            delay: if allowed { answers.iter().map(|answer| answer.delay).max().unwrap_or(0) } else { 0 },
            windows: answers.iter().map(window).collect(),
        }
    }
}
