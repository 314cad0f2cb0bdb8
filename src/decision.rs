//! The answer to one request: may it pass, what is left, when to come back. All times come from Redis' clock.

use crate::charge::Charge;
use crate::failure_rule::FailureRule;
use crate::plan::Member;
use crate::policy::Policy;
use crate::reply::Answer;
use std::sync::Arc;

/// Times are µs; instants since the Unix epoch.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    pub allowed: bool,
    pub policy: Arc<str>,
    /// The deciding member of a compound, else the policy itself.
    pub window: Arc<str>,
    pub limit: i64,
    pub remaining: i64,
    pub cost: i64,
    pub delay: i64,
    /// Until the same cost would pass; None: it passes now, or never will.
    pub retry_after: Option<i64>,
    pub reset_at: Option<i64>,
    pub reason: Option<Reason>,
    /// Allowed only because of shadow mode.
    pub shadow: bool,
    /// Redis did not answer; the failure rule did.
    pub degraded: bool,
    /// Answered from the workers' memory of an earlier refusal (see [`crate::refusals`]).
    pub cached: bool,
    /// With `degraded`: what went wrong, safe to log.
    pub error: Option<String>,
    pub windows: Vec<Window>,
    /// Redis' clock when it decided.
    pub now: Option<i64>,
    /// What a refund needs; only of a decision that took something.
    pub charge: Option<Arc<Charge>>,
    /// With `degraded`: whether this decision is the one that warns of the outage (see [`crate::breaker::failed`]).
    pub warns: bool,
}

/// What one member of the policy says.
#[derive(Debug, Clone, PartialEq)]
pub struct Window {
    pub name: Arc<str>,
    pub allowed: bool,
    pub limit: i64,
    pub remaining: i64,
    pub retry_after: Option<i64>,
    pub reset_at: i64,
    /// The time in which `limit` comes back, where it is known.
    pub interval: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    Limited,
    CostExceedsLimit,
    StoreUnavailable,
}

impl Reason {
    pub const ALL: [Reason; 3] = [Reason::Limited, Reason::CostExceedsLimit, Reason::StoreUnavailable];

    pub fn word(self) -> &'static str {
        match self {
            Reason::Limited => "limited",
            Reason::CostExceedsLimit => "cost_exceeds_limit",
            Reason::StoreUnavailable => "store_unavailable",
        }
    }
}

impl Decision {
    /// What the answers of the members of `policy` come to. None without members.
    pub fn from_answers(policy: &Policy, answers: &[Answer], cost: i64) -> Option<Self> {
        let members = &policy.plan().members;
        let judged = members.iter().zip(answers);
        let refusal = most_refusing(judged.clone().filter(|(member, _)| !member.shadow));
        let verdict = refusal.or_else(|| most_refusing(judged.clone()));
        let (member, answer) = verdict.or_else(|| least_remaining(judged.clone()))?;
        let allowed = refusal.is_none() || policy.is_shadow();
        let reason = if answer.never() { Reason::CostExceedsLimit } else { Reason::Limited };
        Some(Decision {
            allowed,
            window: member.name.clone(),
            limit: member.limit,
            remaining: answer.remaining,
            delay: if allowed { answers.iter().map(|answer| answer.delay).max().unwrap_or(0) } else { 0 },
            retry_after: if allowed { None } else { wait(answer) },
            reset_at: Some(answer.now + answer.reset),
            reason: verdict.map(|_| reason),
            shadow: allowed && verdict.is_some(),
            windows: judged.map(|(member, answer)| Window::of(member, answer)).collect(),
            now: Some(answer.now),
            ..Self::empty(policy, cost)
        })
    }

    /// Asks nobody: everything passes.
    pub fn unlimited(policy: &Policy, cost: i64) -> Self {
        Decision { allowed: true, remaining: i64::MAX, ..Self::empty(policy, cost) }
    }

    /// The failure rule's answer. `retry_after` is when Redis will be asked again, if that is known.
    pub fn degraded(
        policy: &Policy,
        rule: FailureRule,
        cost: i64,
        error: String,
        retry_after: Option<i64>,
    ) -> Self {
        let allowed = rule == FailureRule::Open;
        Decision {
            allowed,
            retry_after: if allowed { None } else { retry_after },
            reason: Some(Reason::StoreUnavailable),
            degraded: true,
            error: Some(error),
            ..Self::empty(policy, cost)
        }
    }

    fn empty(policy: &Policy, cost: i64) -> Self {
        Decision {
            allowed: false,
            policy: policy.name().clone(),
            window: policy.name().clone(),
            limit: policy.limit(),
            remaining: 0,
            cost,
            delay: 0,
            retry_after: None,
            reset_at: None,
            reason: None,
            shadow: false,
            degraded: false,
            cached: false,
            error: None,
            windows: vec![],
            now: None,
            charge: None,
            warns: false,
        }
    }
}

impl Window {
    fn of(member: &Member, answer: &Answer) -> Self {
        Window {
            name: member.name.clone(),
            allowed: answer.passes(),
            limit: member.limit,
            remaining: answer.remaining,
            retry_after: wait(answer),
            reset_at: answer.now + answer.reset,
            interval: Some(member.window),
        }
    }
}

fn wait(answer: &Answer) -> Option<i64> {
    (answer.retry > 0).then_some(answer.retry)
}

/// One that can never pass, else the one with the longest wait; of equal ones the first.
fn most_refusing<'a>(
    judged: impl Iterator<Item = (&'a Member, &'a Answer)>,
) -> Option<(&'a Member, &'a Answer)> {
    let wait = |answer: &Answer| if answer.never() { i64::MAX } else { answer.retry };
    let mut worst: Option<(&Member, &Answer)> = None;
    for (member, answer) in judged.filter(|(_, answer)| !answer.passes()) {
        if worst.is_none_or(|(_, other)| wait(answer) > wait(other)) {
            worst = Some((member, answer));
        }
    }
    worst
}

/// The member with the least remaining; shadow members bind nobody and count only among themselves.
fn least_remaining<'a>(
    judged: impl Iterator<Item = (&'a Member, &'a Answer)>,
) -> Option<(&'a Member, &'a Answer)> {
    judged.min_by_key(|(member, answer)| (member.shadow, answer.remaining))
}
