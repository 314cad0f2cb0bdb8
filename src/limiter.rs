//! Decides: policy and subject in, decision out. The one place that knows how the parts work together.

mod checks;
mod settle;

use crate::breaker;
use crate::call::Call;
use crate::decision::Decision;
use crate::error::Error;
use crate::failure_rule::FailureRule;
use crate::history::{self, Entry};
use crate::keys::{self, Subject};
use crate::plan::Amount;
use crate::policy::Policy;
use crate::refusals;
use crate::stats;
use crate::store::Store;
use crate::url::Endpoint;
use checks::{check_cost, check_request_id, check_subject};
use redis::Value;
use settle::Asked;
use std::time::{Duration, Instant};

#[derive(Debug, Clone)]
pub struct Settings {
    /// For one decision, connecting included.
    pub timeout: Duration,
    /// First part of every key.
    pub prefix: String,
    /// For policies that name no rule of their own.
    pub on_failure: FailureRule,
    pub breaker: breaker::Settings,
    /// How long a refusal is remembered at most; zero: not at all.
    pub refusal_ttl: Duration,
}

/// Cheap to make: the connection belongs to the worker and outlives it.
#[derive(Debug, Clone)]
pub struct RateLimiter {
    store: Store,
    prefix: Vec<u8>,
    on_failure: FailureRule,
    refusal_ttl: Duration,
}

impl RateLimiter {
    pub fn new(endpoint: Endpoint, settings: &Settings) -> Self {
        RateLimiter {
            store: Store::new(endpoint, settings.timeout, settings.breaker),
            prefix: keys::encode_prefix(&settings.prefix),
            on_failure: settings.on_failure,
            refusal_ttl: settings.refusal_ttl,
        }
    }

    /// Takes `cost`, or refuses and takes nothing. An absent Redis is answered by the failure rule.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for an empty tenant or scope, a cost below 1, a request id over 128 bytes.
    pub fn consume(
        &self,
        policy: &Policy,
        subject: Subject<'_>,
        cost: i64,
        request_id: Option<&[u8]>,
    ) -> Result<Decision, Error> {
        check_cost(cost, 1)?;
        let request_id = check_request_id(request_id)?;
        self.decide(&Asked { policy, amount: Amount { need: cost, take: cost }, request_id }, subject)
    }

    /// Whether `cost` (0 allowed) would pass now. Writes nothing.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for an empty tenant or scope or a negative cost.
    pub fn peek(&self, policy: &Policy, subject: Subject<'_>, cost: i64) -> Result<Decision, Error> {
        check_cost(cost, 0)?;
        self.decide(&Asked { policy, amount: Amount { need: cost, take: 0 }, request_id: &[] }, subject)
    }

    /// Gives back what `decision` took, once. True if anything came back; false too when Redis is away.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for a decision that was made behind another URL.
    pub fn refund(&self, decision: &Decision) -> Result<bool, Error> {
        let Some(charge) = &decision.charge else { return Ok(false) };
        if charge.endpoint != *self.store.endpoint() {
            let (made, here) = (&charge.endpoint, self.store.endpoint());
            return Err(Error::InvalidArgument(format!(
                "the decision was made at {made}; refund it there, not at {here}"
            )));
        }
        if !charge.claim() {
            return Ok(false);
        }
        let refunded = self.store.ask_quietly(&charge.refund(), integer);
        refusals::forget(self.store.database(), &charge.keys);
        if matches!(&refunded, Err(failure) if failure.ran_nothing()) {
            charge.release();
        }
        Ok(refunded.is_ok_and(|windows| windows > 0))
    }

    /// Forgets the subject's state (not a budget that it shares as a member of a compound); true if there was any.
    ///
    /// # Errors
    /// [`Error::StoreUnavailable`], or [`Error::InvalidArgument`] for an empty tenant or scope.
    pub fn reset(&self, policy: &Policy, subject: Subject<'_>) -> Result<bool, Error> {
        check_subject(subject)?;
        let keys = keys::of(&self.prefix, policy, subject);
        let own: Vec<_> =
            keys.into_iter().zip(policy.own_members()).filter_map(|(key, own)| own.then_some(key)).collect();
        let Some(first) = own.first().filter(|_| policy.plan().opening.is_some()) else {
            return Ok(false);
        };
        let mut parts: Vec<&[u8]> = vec![b"DEL"];
        parts.extend(own.iter().map(Vec::as_slice));
        let deleted = self.store.ask_quietly(&Call::command(&parts, Some(first)), integer);
        refusals::forget(self.store.database(), &own);
        Ok(deleted? > 0)
    }

    /// What a sliding log still holds, oldest first.
    ///
    /// # Errors
    /// [`Error::StoreUnavailable`]; [`Error::InvalidPolicy`] for another algorithm.
    pub fn history(&self, policy: &Policy, subject: Subject<'_>) -> Result<Vec<Entry>, Error> {
        check_subject(subject)?;
        let keys = keys::of(&self.prefix, policy, subject);
        Ok(self.store.ask_quietly(&history::call(policy, &keys)?, history::decode)?)
    }

    /// The time of one round trip, connecting included if this worker has no connection yet.
    ///
    /// # Errors
    /// [`Error::StoreUnavailable`].
    pub fn ping(&self) -> Result<Duration, Error> {
        let start = Instant::now();
        self.store.ask_now(&Call::command(&[b"PING"], None), |_| Some(()))?;
        Ok(start.elapsed())
    }

    fn decide(&self, asked: &Asked<'_>, subject: Subject<'_>) -> Result<Decision, Error> {
        check_subject(subject)?;
        let decision = match &asked.policy.plan().opening {
            None => Decision::unlimited(asked.policy, asked.amount.need),
            Some(opening) => self.settle(asked, opening, keys::of(&self.prefix, asked.policy, subject)),
        };
        count(&decision);
        Ok(decision)
    }
}

fn count(decision: &Decision) {
    stats::DECISIONS.add();
    if decision.allowed {
        stats::ALLOWED.add()
    } else {
        stats::REFUSED.add()
    }
    if decision.shadow {
        stats::SHADOWED.add();
    }
    if decision.degraded {
        stats::DEGRADED.add();
    }
}

fn integer(value: &Value) -> Option<i64> {
    if let Value::Int(integer) = value { Some(*integer) } else { None }
}
