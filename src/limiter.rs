//! Decides: policy and subject in, decision out. The one place that knows how the parts work together.

use crate::breaker;
use crate::call::Call;
use crate::charge::Charge;
use crate::decision::Decision;
use crate::error::Error;
use crate::failure::Failure;
use crate::failure_rule::FailureRule;
use crate::history::{self, Entry};
use crate::keys::{self, Subject};
use crate::policy::Policy;
use crate::refusals::{self, Found, Question, Ticket, lifetime};
use crate::reply::{self, Answer};
use crate::request::{self, Amount};
use crate::script::Script;
use crate::stats;
use crate::store::{Outage, Store};
use crate::url::Endpoint;
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

/// One call for a decision.
struct Request<'a> {
    policy: &'a Policy,
    amount: Amount,
    request_id: &'a [u8],
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
        self.decide(&Request { policy, amount: Amount { need: cost, take: cost }, request_id }, subject)
    }

    /// Whether `cost` (0 allowed) would pass now. Writes nothing.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for an empty tenant or scope or a negative cost.
    pub fn peek(&self, policy: &Policy, subject: Subject<'_>, cost: i64) -> Result<Decision, Error> {
        check_cost(cost, 0)?;
        self.decide(&Request { policy, amount: Amount { need: cost, take: 0 }, request_id: &[] }, subject)
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
        let refunded = self.store.ask(&charge.refund(), integer);
        refusals::forget(self.store.hash(), &charge.keys);
        if matches!(&refunded, Err(outage) if matches!(outage.failure, Failure::NotRun(_))) {
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
        let Some(first) = own.first().filter(|_| policy.plan().script.is_some()) else {
            return Ok(false);
        };
        let mut parts: Vec<&[u8]> = vec![b"DEL"];
        parts.extend(own.iter().map(Vec::as_slice));
        let deleted = self.store.ask(&Call::command(&parts, Some(first)), integer);
        refusals::forget(self.store.hash(), &own);
        Ok(deleted.map_err(unavailable)? > 0)
    }

    /// What a sliding log still holds, oldest first.
    ///
    /// # Errors
    /// [`Error::StoreUnavailable`]; [`Error::InvalidPolicy`] for another algorithm.
    pub fn history(&self, policy: &Policy, subject: Subject<'_>) -> Result<Vec<Entry>, Error> {
        check_subject(subject)?;
        let keys = keys::of(&self.prefix, policy, subject);
        self.store.ask(&history::call(policy, &keys)?, history::decode).map_err(unavailable)
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

    fn decide(&self, request: &Request<'_>, subject: Subject<'_>) -> Result<Decision, Error> {
        check_subject(subject)?;
        let decision = match request.policy.plan().script {
            None => Decision::unlimited(request.policy, request.amount.need),
            Some(script) => self.settle(request, script, keys::of(&self.prefix, request.policy, subject)),
        };
        stats::count(&decision);
        Ok(decision)
    }

    fn settle(&self, request: &Request<'_>, script: &'static Script, keys: Vec<Vec<u8>>) -> Decision {
        let &Request { policy, amount, request_id } = request;
        let call = request::settle(policy.plan(), script, &keys, amount, request_id);
        let question = Question { endpoint: self.store.hash(), keys: &keys, request: call.identity() };
        let ticket = match self.recall(request, &question) {
            Recall::Refused(decision) => return *decision,
            Recall::Nothing(ticket) => ticket,
        };
        let settled = self.store.ask(&call, |value| settled(request, value));
        let (answers, mut decision) = match settled {
            Ok(settled) => settled,
            Err(outage) => return self.degraded(request, &outage),
        };
        if !decision.allowed {
            if let Some((ticket, lifetime)) = ticket.zip(lifetime::of(policy, &answers, amount.need)) {
                refusals::store(&question, ticket, lifetime.min(self.refusal_ttl), &answers);
            }
        } else if amount.take > 0 {
            decision.charge = Some(Arc::new(self.charge(request, keys, answers)));
        }
        decision
    }

    /// A refusal of the same call that still holds. A peek is not answered from memory, nor remembered: it is there
    /// to look.
    fn recall(&self, request: &Request<'_>, question: &Question<'_>) -> Recall {
        if request.amount.take == 0 || self.refusal_ttl.is_zero() {
            return Recall::Nothing(None);
        }
        match refusals::find(question) {
            Found::Nothing(ticket) => Recall::Nothing(Some(ticket)),
            Found::Refusal(refusal) => {
                match Decision::settled(request.policy, refusal.answers(), request.amount.need) {
                    Some(decision) => Recall::Refused(Box::new(Decision { cached: true, ..decision })),
                    None => Recall::Nothing(None),
                }
            }
        }
    }

    fn charge(&self, request: &Request<'_>, keys: Vec<Vec<u8>>, answers: Vec<Answer>) -> Charge {
        Charge {
            endpoint: self.store.endpoint().clone(),
            keys,
            plan: request.policy.plan().clone(),
            answers,
            cost: request.amount.take,
            request_id: request.request_id.to_vec(),
            refunded: AtomicBool::new(false),
        }
    }

    fn degraded(&self, request: &Request<'_>, outage: &Outage) -> Decision {
        let rule = request.policy.failure_rule().unwrap_or(self.on_failure);
        let retry_after = outage.retry_after.map(|wait| wait.as_micros() as i64);
        let error = outage.failure.to_string();
        Decision {
            begins_outage: outage.begins,
            ..Decision::degraded(request.policy, rule, request.amount.need, error, retry_after)
        }
    }
}

/// What is remembered of a call.
enum Recall {
    Refused(Box<Decision>),
    Nothing(Option<Ticket>),
}

/// The answers in a reply, and what they come to.
fn settled(request: &Request<'_>, value: &Value) -> Option<(Vec<Answer>, Decision)> {
    let Value::BulkString(bytes) = value else { return None };
    let answers = reply::decode(bytes, request.policy.plan().members.len())?;
    let decision = Decision::settled(request.policy, &answers, request.amount.need)?;
    Some((answers, decision))
}

fn integer(value: &Value) -> Option<i64> {
    if let Value::Int(integer) = value { Some(*integer) } else { None }
}

fn unavailable(outage: Outage) -> Error {
    Error::StoreUnavailable(outage.failure)
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
