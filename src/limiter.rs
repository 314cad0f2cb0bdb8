//! Decides: policy and subject in, decision out. The one place that knows how the parts work together.

use crate::call::Call;
use crate::charge::Charge;
use crate::deadline::Deadline;
use crate::decision::Decision;
use crate::error::Error;
use crate::failure::Failure;
use crate::failure_rule::FailureRule;
use crate::history::{self, Entry};
use crate::keys::{self, Subject};
use crate::policy::Policy;
use crate::reply::{self, Answer};
use crate::request::{self, Amount};
use crate::script::Script;
use crate::url::Endpoint;
use crate::{stats, worker};
use redis::Value;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

const LONGEST_REQUEST_ID: usize = 128;

#[derive(Debug, Clone)]
pub struct Settings {
    /// For one decision, connecting included.
    pub timeout: Duration,
    /// First part of every key.
    pub prefix: String,
    /// For policies that name no rule of their own.
    pub on_failure: FailureRule,
}

/// Cheap to make: the connection belongs to the worker and outlives it.
#[derive(Debug, Clone)]
pub struct RateLimiter {
    endpoint: Endpoint,
    timeout: Duration,
    prefix: Vec<u8>,
    on_failure: FailureRule,
}

impl RateLimiter {
    pub fn new(endpoint: Endpoint, settings: &Settings) -> Self {
        RateLimiter {
            endpoint,
            timeout: settings.timeout,
            prefix: keys::encode_prefix(&settings.prefix),
            on_failure: settings.on_failure,
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
        self.decide(policy, subject, Amount { need: cost, take: cost }, request_id)
    }

    /// Whether `cost` (0 allowed) would pass now. Writes nothing.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for an empty tenant or scope or a negative cost.
    pub fn peek(&self, policy: &Policy, subject: Subject<'_>, cost: i64) -> Result<Decision, Error> {
        check_cost(cost, 0)?;
        self.decide(policy, subject, Amount { need: cost, take: 0 }, &[])
    }

    /// Gives back what `decision` took, once. True if anything came back; false too when Redis is away.
    pub fn refund(&self, decision: &Decision) -> bool {
        let Some(charge) = decision.charge.as_ref().filter(|charge| charge.claim()) else {
            return false;
        };
        match worker::run(&charge.endpoint, &charge.refund(), Deadline::after(self.timeout)) {
            Ok(value) => matches!(value, Value::Int(windows) if windows > 0),
            Err(failure) => {
                stats::ERRORS.add();
                if matches!(failure, Failure::NotRun(_)) {
                    charge.release();
                }
                false
            }
        }
    }

    /// Forgets the subject's state (not a budget that it shares as a member of a compound); true if there was any.
    ///
    /// # Errors
    /// [`Error::StoreUnavailable`], or [`Error::InvalidArgument`] for an empty tenant or scope.
    pub fn reset(&self, policy: &Policy, subject: Subject<'_>) -> Result<bool, Error> {
        check_subject(subject)?;
        let own = policy.own_members();
        let keys: Vec<_> = keys::of(&self.prefix, policy, subject)
            .into_iter()
            .zip(own)
            .filter_map(|(key, own)| own.then_some(key))
            .collect();
        let Some(first) = keys.first().filter(|_| policy.plan().script.is_some()) else {
            return Ok(false);
        };
        let mut parts: Vec<&[u8]> = vec![b"DEL"];
        parts.extend(keys.iter().map(Vec::as_slice));
        let deleted = self.ask(&Call::command(&parts, Some(first)))?;
        Ok(matches!(deleted, Value::Int(count) if count > 0))
    }

    /// What a sliding log still holds, oldest first.
    ///
    /// # Errors
    /// [`Error::StoreUnavailable`]; [`Error::InvalidPolicy`] for another algorithm.
    pub fn history(&self, policy: &Policy, subject: Subject<'_>) -> Result<Vec<Entry>, Error> {
        check_subject(subject)?;
        let keys = keys::of(&self.prefix, policy, subject);
        let value = self.ask(&history::call(policy, &keys)?)?;
        history::decode(&value).ok_or_else(|| Error::StoreUnavailable(self.unreadable("a history")))
    }

    /// The time of one round trip, connecting included if this worker has no connection yet.
    ///
    /// # Errors
    /// [`Error::StoreUnavailable`].
    pub fn ping(&self) -> Result<Duration, Error> {
        let start = Instant::now();
        self.ask(&Call::command(&[b"PING"], None))?;
        Ok(start.elapsed())
    }

    fn ask(&self, call: &Call) -> Result<Value, Error> {
        worker::run(&self.endpoint, call, Deadline::after(self.timeout)).map_err(|failure| {
            stats::ERRORS.add();
            Error::StoreUnavailable(failure)
        })
    }

    fn decide(
        &self,
        policy: &Policy,
        subject: Subject<'_>,
        amount: Amount,
        request_id: &[u8],
    ) -> Result<Decision, Error> {
        check_subject(subject)?;
        let decision = match policy.plan().script {
            None => Decision::unlimited(policy, amount.need),
            Some(script) => self.settle(policy, script, subject, amount, request_id),
        };
        stats::count(&decision);
        Ok(decision)
    }

    fn settle(
        &self,
        policy: &Policy,
        script: &'static Script,
        subject: Subject<'_>,
        amount: Amount,
        request_id: &[u8],
    ) -> Decision {
        let keys = keys::of(&self.prefix, policy, subject);
        let call = request::settle(policy.plan(), script, &keys, amount, request_id);
        let answered = self.answers(&call, policy.plan().members.len()).and_then(|answers| {
            let mut decision = Decision::settled(policy, &answers, amount.need)
                .ok_or_else(|| self.unreadable("a decision"))?;
            if decision.allowed && amount.take > 0 {
                decision.charge = Some(Arc::new(self.charge(policy, keys, answers, amount.take, request_id)));
            }
            Ok(decision)
        });
        answered.unwrap_or_else(|failure| self.degraded(policy, amount.need, &failure))
    }

    fn answers(&self, call: &Call, members: usize) -> Result<Vec<Answer>, Failure> {
        match worker::run(&self.endpoint, call, Deadline::after(self.timeout))? {
            Value::BulkString(bytes) => {
                reply::decode(&bytes, members).ok_or_else(|| self.unreadable("a decision"))
            }
            _ => Err(self.unreadable("a decision")),
        }
    }

    fn charge(
        &self,
        policy: &Policy,
        keys: Vec<Vec<u8>>,
        answers: Vec<Answer>,
        cost: i64,
        request_id: &[u8],
    ) -> Charge {
        Charge {
            endpoint: self.endpoint.clone(),
            keys,
            plan: policy.plan().clone(),
            answers,
            cost,
            request_id: request_id.to_vec(),
            refunded: AtomicBool::new(false),
        }
    }

    fn degraded(&self, policy: &Policy, cost: i64, failure: &Failure) -> Decision {
        let rule = policy.failure_rule().unwrap_or(self.on_failure);
        Decision::degraded(policy, rule, cost, failure.to_string(), None)
    }

    fn unreadable(&self, what: &str) -> Failure {
        Failure::Unknown(format!(
            "{}: the reply is not {what}; is another program answering there?",
            self.endpoint
        ))
    }
}

fn check_subject(subject: Subject<'_>) -> Result<(), Error> {
    let empty = |what: &str, hint: &str| Err(Error::InvalidArgument(format!("{what} is empty; {hint}")));
    if subject.tenant.is_empty() {
        return empty("tenant", "name who is asking, such as a user id or an address");
    }
    if subject.scope.is_empty() {
        return empty("scope", "leave it out for \"global\", or name what is asked for");
    }
    Ok(())
}

fn check_cost(cost: i64, least: i64) -> Result<(), Error> {
    if cost >= least {
        return Ok(());
    }
    Err(Error::InvalidArgument(format!("cost {cost} must be at least {least}")))
}

fn check_request_id(request_id: Option<&[u8]>) -> Result<&[u8], Error> {
    let id = request_id.unwrap_or_default();
    if id.len() <= LONGEST_REQUEST_ID {
        return Ok(id);
    }
    Err(Error::InvalidArgument(format!(
        "request id has {} bytes; it may have at most {LONGEST_REQUEST_ID}",
        id.len()
    )))
}
