//! One remembered refusal in shared memory: a row of atomic words under a checksum.
//!
//! Any number of workers may write a slot at once, and any of them may die or be stopped between two words, even to go
//! on much later. What stands there then is a mixture, and [`Slot::read`] tells: the checksum covers every word but
//! those of the request, among them the request's hash, and the request is compared byte for byte. A mixture passes
//! by a chance of 2^-64.

use super::{Question, Refusal};
use crate::hash;
use crate::reply::Answer;
use crate::shared_memory::Shareable;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Bytes: a compound of four and a tenant of 69 bytes fit. Longer requests are not remembered.
pub const LONGEST_REQUEST: usize = 8 * REQUEST_WORDS;
/// Refusals with more answers are not remembered.
pub const MOST_MEMBERS: usize = 4;
const REQUEST_WORDS: usize = 120;
const HEAD_WORDS: usize = 7;
/// Without the delay, which only a call that passes has to keep.
const ANSWER_WORDS: usize = 4;
const ENTRY_WORDS: usize = HEAD_WORDS + ANSWER_WORDS * MOST_MEMBERS;

/// 1,152 bytes.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Slot {
    checksum: AtomicU64,
    /// An [`Entry`], its hash first and the end of its life second.
    entry: [AtomicU64; ENTRY_WORDS],
    request: [AtomicU64; REQUEST_WORDS],
}

// SAFETY: nothing but atomics, and zeros are slots whose checksums are wrong, that is empty ones.
unsafe impl Shareable for [Slot; super::SET] {}

/// What a slot holds beside the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    pub hash: u64,
    pub until_ns: u64,
    pub endpoint: u64,
    pub epoch: u64,
    /// When the answers were true. They came a moment before: a wait told from them is never too short, and too long
    /// by less than a round trip.
    pub answered_at_ns: u64,
    pub request_length: usize,
    pub refusal: Refusal,
}

impl Slot {
    /// The entry of this very question, if it is here and whole.
    pub fn read(&self, hash: u64, question: &Question<'_>, seed: u64) -> Option<Entry> {
        if self.hash() != hash {
            return None;
        }
        let words = self.entry.each_ref().map(|word| word.load(Relaxed));
        let whole = self.checksum.load(Relaxed) == checksum(&words, seed)?;
        let entry = Entry::decode(words);
        let same = entry.hash == hash
            && entry.endpoint == question.endpoint
            && entry.request_length == question.request.len()
            && request_words(question.request)
                .zip(&self.request)
                .all(|(word, here)| here.load(Relaxed) == word);
        (whole && same).then_some(entry)
    }

    pub fn write(&self, entry: &Entry, request: &[u8], seed: u64) {
        let words = entry.encode();
        for (here, word) in self.request.iter().zip(request_words(request)) {
            here.store(word, Relaxed);
        }
        for (here, word) in self.entry.iter().zip(words) {
            here.store(word, Relaxed);
        }
        self.checksum.store(checksum(&words, seed).unwrap_or_default(), Relaxed);
    }

    pub fn hash(&self) -> u64 {
        let [hash, ..] = &self.entry;
        hash.load(Relaxed)
    }

    pub fn until_ns(&self) -> u64 {
        let [_, until_ns, ..] = &self.entry;
        until_ns.load(Relaxed)
    }
}

/// Over the words in use; None if they cannot be that many.
fn checksum(words: &[u64; ENTRY_WORDS], seed: u64) -> Option<u64> {
    let [_, _, _, _, _, _, members, ..] = words;
    let used = HEAD_WORDS.checked_add(ANSWER_WORDS.checked_mul(*members as usize)?)?;
    Some(hash::of_words(seed, words.get(..used)?))
}

fn request_words(request: &[u8]) -> impl Iterator<Item = u64> {
    let (words, rest) = request.as_chunks::<8>();
    let mut last = [0; 8];
    last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    words.iter().copied().chain([last]).map(u64::from_le_bytes)
}

impl Entry {
    fn encode(&self) -> [u64; ENTRY_WORDS] {
        let Refusal { answers, members } = self.refusal;
        let length = self.request_length as u64;
        let head = [
            self.hash,
            self.until_ns,
            self.endpoint,
            self.epoch,
            self.answered_at_ns,
            length,
            members as u64,
        ];
        let numbers = answers.iter().flat_map(|it| [it.now, it.retry, it.remaining, it.reset]);
        let mut words = [0; ENTRY_WORDS];
        let all = head.into_iter().chain(numbers.map(|number| number as u64));
        words.iter_mut().zip(all).for_each(|(to, from)| *to = from);
        words
    }

    fn decode(words: [u64; ENTRY_WORDS]) -> Self {
        let [hash, until_ns, endpoint, epoch, answered_at_ns, request_length, members, numbers @ ..] = words;
        let mut answers = [Answer { now: 0, retry: 0, remaining: 0, reset: 0, delay: 0 }; MOST_MEMBERS];
        let (rows, _) = numbers.as_chunks();
        for (answer, row) in answers.iter_mut().zip(rows) {
            let [now, retry, remaining, reset] = row.map(|number| number as i64);
            *answer = Answer { now, retry, remaining, reset, delay: 0 };
        }
        let refusal = Refusal { answers, members: members as usize };
        let request_length = request_length as usize;
        Entry { hash, until_ns, endpoint, epoch, answered_at_ns, request_length, refusal }
    }
}
