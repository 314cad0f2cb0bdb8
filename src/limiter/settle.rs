//! One decision: from memory, from Redis, or from the failure rule.

use super::RateLimiter;
use crate::call::Opening;
use crate::charge::Charge;
use crate::connection::fork;
use crate::decision::Decision;
use crate::plan::Amount;
use crate::policy::Policy;
use crate::refusals::{self, Found, Question, Ticket, lifetime};
use crate::reply::{self, Answer};
use crate::store::Outage;
use redis::Value;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// One call for a decision.
pub(super) struct Asked<'a> {
    pub policy: &'a Policy,
    pub amount: Amount,
    pub request_id: &'a [u8],
}

impl RateLimiter {
    pub(super) fn settle(&self, asked: &Asked<'_>, opening: &Opening, keys: Vec<Vec<u8>>) -> Decision {
        let &Asked { policy, amount, request_id } = asked;
        let call = policy.plan().settle_call(opening, &keys, amount, request_id);
        let question = Question { endpoint: self.store.database(), keys: &keys, request: call.identity() };
        let ticket = match self.recall(asked, &question) {
            ControlFlow::Break(decision) => return decision,
            ControlFlow::Continue(ticket) => ticket,
        };
        let settled = self.store.ask(&call, |value| read(asked, value));
        let (answers, mut decision) = match settled {
            Ok(settled) => settled,
            Err(outage) => return self.degraded(asked, &outage),
        };
        if !decision.allowed {
            if let Some((ticket, lifetime)) = ticket.zip(lifetime::of(policy, &answers, amount.need)) {
                refusals::store(&question, ticket, lifetime.min(self.refusal_ttl), &answers);
            }
        } else if amount.take > 0 && policy.plan().charged(&answers) {
            decision.charge = Some(Arc::new(self.charge(asked, keys, answers)));
        }
        decision
    }

    /// A refusal of the same call that still holds. A peek is not answered from memory, nor remembered: it is there
    /// to look.
    fn recall(&self, asked: &Asked<'_>, question: &Question<'_>) -> ControlFlow<Decision, Option<Ticket>> {
        if asked.amount.take == 0 || self.refusal_ttl.is_zero() {
            return ControlFlow::Continue(None);
        }
        let refusal = match refusals::find(question) {
            Found::Nothing(ticket) => return ControlFlow::Continue(Some(ticket)),
            Found::Refusal(refusal) => refusal,
        };
        match Decision::from_answers(asked.policy, refusal.answers(), asked.amount.need) {
            Some(decision) => ControlFlow::Break(Decision { cached: true, ..decision }),
            None => ControlFlow::Continue(None),
        }
    }

    fn charge(&self, asked: &Asked<'_>, keys: Vec<Vec<u8>>, answers: Vec<Answer>) -> Charge {
        Charge {
            endpoint: self.store.endpoint().clone(),
            keys,
            plan: asked.policy.plan().clone(),
            answers,
            cost: asked.amount.take,
            request_id: asked.request_id.to_vec(),
            refunded: AtomicBool::new(false),
            generation: fork::generation(),
        }
    }

    fn degraded(&self, asked: &Asked<'_>, outage: &Outage) -> Decision {
        let rule = asked.policy.failure_rule().unwrap_or(self.on_failure);
        let retry_after = outage.retry_after.map(|wait| wait.as_micros() as i64);
        let error = outage.failure.to_string();
        Decision {
            warns: outage.warns,
            ..Decision::degraded(asked.policy, rule, asked.amount.need, error, retry_after)
        }
    }
}

/// The answers in a reply, and what they come to.
fn read(asked: &Asked<'_>, value: &Value) -> Option<(Vec<Answer>, Decision)> {
    let Value::BulkString(bytes) = value else { return None };
    let answers = reply::decode(bytes, asked.policy.plan().members.len())?;
    let decision = Decision::from_answers(asked.policy, &answers, asked.amount.need)?;
    Some((answers, decision))
}
