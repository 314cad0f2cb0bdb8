//! Refused calls, remembered: who was refused until t is refused until t, by any worker, without asking Redis again.
//!
//! A fixed table in the memory that all workers share, in sets of four slots; a call has one set, found by its hash.
//! There is no lock: every entry carries a checksum, and a reader that meets a mixture of two writes, or one that a
//! dying worker left half done, sees no entry (see [`slot`]).
//!
//! A reset or refund makes entries void by an epoch: a counter for each of 1024 classes of Redis keys. An entry holds
//! the epoch that was read before its request was sent, so a refusal that was already under way when the key was reset
//! is void too, however late it arrives.

pub mod lifetime;
mod slot;

use crate::hash;
use crate::reply::Answer;
use crate::shared_memory::{map, monotonic_ns};
use once_cell::sync::OnceCell;
use slot::{Entry, Slot};
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

pub use slot::{LONGEST_REQUEST, MOST_MEMBERS};

/// A call as it goes to Redis. Two are the same call if endpoint and request are the same.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// A hash of the URL, the same in every process (see [`crate::hash`]).
    pub endpoint: u64,
    /// The Redis keys in it: a reset of any of them makes a refusal void.
    pub keys: &'a [Vec<u8>],
    /// The bytes that tell it from every other call: keys, policy numbers, cost.
    pub request: &'a [u8],
}

#[derive(Debug, Clone, Copy)]
pub enum Found {
    Refusal(Refusal),
    /// Ask Redis; if it refuses, give that to [`store`] with the ticket.
    Nothing(Ticket),
}

/// What Redis would answer now, without delays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refusal {
    answers: [Answer; MOST_MEMBERS],
    members: usize,
}

/// How things stood before the request was sent.
#[derive(Debug, Clone, Copy)]
pub struct Ticket {
    hash: u64,
    epoch: u64,
    asked_at_ns: u64,
}

static SHARED: OnceCell<Refusals> = OnceCell::new();

/// Makes room for `slots` refusals (0: none are remembered) that all processes forked from now on share; later calls
/// change nothing. False if the system has no memory for them: then none are remembered, as before the first call.
pub fn share(slots: usize) -> bool {
    SHARED.get_or_try_init(|| Refusals::shared(slots).ok_or(())).is_ok()
}

fn refusals() -> &'static Refusals {
    SHARED.get().unwrap_or(&Refusals::OFF)
}

/// Looks for a refusal of this very call that still holds.
pub fn find(question: &Question<'_>) -> Found {
    refusals().find(question, monotonic_ns)
}

/// Remembers that Redis refused, for `lifetime` from before the request was sent: what [`lifetime::of`] allows.
pub fn store(question: &Question<'_>, ticket: Ticket, lifetime: Duration, answers: &[Answer]) {
    refusals().store(question, ticket, lifetime, answers, monotonic_ns());
}

/// Makes every refusal that names one of `keys` void, and those that are under way. To be called when Redis has
/// answered the reset or refund, or may have executed it.
pub fn forget(endpoint: u64, keys: &[Vec<u8>]) {
    refusals().forget(endpoint, keys);
}

impl Refusal {
    fn new(answers: &[Answer]) -> Self {
        let mut kept = [Answer { now: 0, retry: 0, remaining: 0, reset: 0, delay: 0 }; MOST_MEMBERS];
        kept.iter_mut().zip(answers).for_each(|(to, from)| *to = *from);
        Refusal { answers: kept, members: answers.len() }
    }

    /// The same refusal as it is told some time later, while it holds: the instants stay, the waits have shrunk.
    fn later(mut self, elapsed_ns: u64) -> Self {
        let elapsed = (elapsed_ns / 1000) as i64;
        for answer in &mut self.answers {
            answer.now += elapsed;
            for wait in [&mut answer.retry, &mut answer.reset] {
                *wait = (*wait - elapsed).max(0);
            }
        }
        self
    }

    /// One per member of the policy, in order.
    pub fn answers(&self) -> &[Answer] {
        self.answers.get(..self.members).unwrap_or_default()
    }
}

const SET: usize = 4;
const CLASSES: usize = 1024;

#[derive(Debug)]
pub struct Refusals {
    sets: &'static [[Slot; SET]],
    epochs: &'static [AtomicU64],
    /// Of this memory alone, so that nobody can choose names whose hashes collide.
    seed: u64,
}

impl Refusals {
    pub const OFF: Refusals = Refusals { sets: &[], epochs: &[], seed: 0 };

    /// Room for `slots` refusals, rounded up to whole sets.
    pub fn shared(slots: usize) -> Option<Self> {
        if slots == 0 {
            return Some(Self::OFF);
        }
        let seed = RandomState::new().hash_one(slots);
        Some(Refusals { sets: map(slots.div_ceil(SET))?, epochs: map(CLASSES)?, seed })
    }

    pub fn find(&self, question: &Question<'_>, now_ns: impl Fn() -> u64) -> Found {
        if self.sets.is_empty() {
            return Found::Nothing(Ticket { hash: 0, epoch: 0, asked_at_ns: 0 });
        }
        let hash = hash::of(hash::mix(self.seed, question.endpoint), question.request);
        let epoch = self.epoch(question);
        let asked_at_ns = now_ns();
        let holds = |entry: &Entry| entry.epoch == epoch && asked_at_ns < entry.until_ns;
        let mut entries = self.set(hash).iter().filter_map(|slot| slot.read(hash, question, self.seed));
        match entries.find(holds) {
            Some(entry) => {
                Found::Refusal(entry.refusal.later(asked_at_ns.saturating_sub(entry.answered_at_ns)))
            }
            None => Found::Nothing(Ticket { hash, epoch, asked_at_ns }),
        }
    }

    pub fn store(
        &self,
        question: &Question<'_>,
        ticket: Ticket,
        lifetime: Duration,
        answers: &[Answer],
        now_ns: u64,
    ) {
        let lifetime = u64::try_from(lifetime.as_nanos()).unwrap_or(u64::MAX);
        let until_ns = ticket.asked_at_ns.saturating_add(lifetime);
        let fits = question.request.len() <= LONGEST_REQUEST && answers.len() <= MOST_MEMBERS;
        if !fits || until_ns <= now_ns {
            return;
        }
        // The same call's slot, else one that is empty or over, else the one that is over first.
        let slots = self.set(ticket.hash).iter();
        let slot = slots.min_by_key(|slot| if slot.hash() == ticket.hash { 0 } else { slot.until_ns() });
        if let Some(slot) = slot {
            let Ticket { hash, epoch, .. } = ticket;
            let (endpoint, request_length) = (question.endpoint, question.request.len());
            let refusal = Refusal::new(answers);
            let entry =
                Entry { hash, until_ns, endpoint, epoch, answered_at_ns: now_ns, request_length, refusal };
            slot.write(&entry, question.request, self.seed);
        }
    }

    pub fn forget(&self, endpoint: u64, keys: &[Vec<u8>]) {
        for key in keys {
            if let Some(epoch) = self.class(endpoint, key) {
                epoch.fetch_add(1, Ordering::AcqRel);
            }
        }
    }

    /// The sum of the epochs of the keys: each only grows, so it is the same only if none has changed.
    fn epoch(&self, question: &Question<'_>) -> u64 {
        let classes = question.keys.iter().filter_map(|key| self.class(question.endpoint, key));
        classes.fold(0, |sum, epoch| sum.wrapping_add(epoch.load(Ordering::Acquire)))
    }

    fn class(&self, endpoint: u64, key: &[u8]) -> Option<&AtomicU64> {
        self.epochs.get(hash::of(hash::mix(self.seed, endpoint), key) as usize % CLASSES)
    }

    fn set(&self, hash: u64) -> &[Slot] {
        let at = (u128::from(hash) * self.sets.len() as u128) >> 64;
        self.sets.get(at as usize).map_or(&[], |set| set)
    }
}
