//! What an allowed decision took, and where: enough to give it back, once.

use crate::call::Call;
use crate::connection::fork;
use crate::plan::{Member, Plan};
use crate::reply::Answer;
use crate::script::REFUND;
use crate::url::Endpoint;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Shared by every copy of its decision, so that it is given back once however often that was cloned.
#[derive(Debug)]
pub struct Charge {
    pub(crate) endpoint: Endpoint,
    pub(crate) keys: Vec<Vec<u8>>,
    pub(crate) plan: Arc<Plan>,
    pub(crate) answers: Vec<Answer>,
    pub(crate) cost: i64,
    pub(crate) request_id: Vec<u8>,
    pub(crate) refunded: AtomicBool,
    /// Of the process that was charged: a forked copy of it has a `refunded` of its own, so it may not refund.
    pub(crate) generation: u64,
}

/// A charge is one event: two are equal only if they are the same.
impl PartialEq for Charge {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Charge {
    /// True for the one caller that may refund it.
    pub(crate) fn claim(&self) -> bool {
        self.generation == fork::generation() && !self.refunded.swap(true, Ordering::AcqRel)
    }

    /// After a refund that certainly did not run.
    pub(crate) fn release(&self) {
        self.refunded.store(false, Ordering::Release);
    }

    /// The refund of every member that was charged (see lua/refund.lua).
    pub(crate) fn refund(&self) -> Call {
        let judged = self.keys.iter().zip(self.plan.members.iter().zip(&self.answers));
        let (keys, charged): (Vec<_>, Vec<_>) = judged
            .filter(|(_, (_, answer))| answer.passes())
            .map(|(key, member)| (key.clone(), member))
            .unzip();
        let mut call = Call::script(&REFUND, &keys, charged.len() + 1);
        for (member, answer) in charged {
            call.push(&refund_numbers(member, answer, self.cost));
        }
        call.push(&self.request_id);
        call
    }
}

/// ARGV of one member, packed '<Bddddddd': giver, take, at, stop and the algorithm's numbers.
fn refund_numbers(member: &Member, answer: &Answer, cost: i64) -> Vec<u8> {
    let mut packed = vec![member.judge.giver()];
    let [first, second, third, fourth] = member.numbers;
    let stop = (answer.now + answer.reset) as f64;
    for number in [cost as f64, answer.now as f64, stop, first, second, third, fourth] {
        packed.extend_from_slice(&number.to_le_bytes());
    }
    packed
}
