//! The settle call of a decision: which keys, how much, and the numbers of each member (see lua/settle.lua).

use super::{Member, Plan};
use crate::call::{self, Call, Opening};
use crate::script::Script;

/// How much must be there, and how much of it is taken: all, or for a peek nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Amount {
    pub need: i64,
    pub take: i64,
}

impl Amount {
    /// What most calls ask for.
    pub const ONE: Amount = Amount { need: 1, take: 1 };
}

const ARGUMENT: usize = 2 + 6 * 8;

impl Plan {
    /// How every such call begins.
    pub(super) fn opening(&self, script: &'static Script) -> Opening {
        let ids = usize::from(self.keeps_request_ids());
        Opening::new(script, self.members.len(), 2 * self.members.len() + ids)
    }

    /// One EVALSHA for all members, which have a key each.
    pub fn settle_call(
        &self,
        opening: &Opening,
        keys: &[Vec<u8>],
        amount: Amount,
        request_id: &[u8],
    ) -> Call {
        let mut call = Call::opened(opening, keys);
        if amount == Amount::ONE {
            call.push_encoded(&self.arguments_for_one);
        } else {
            call.push_encoded(&self.arguments(amount));
        }
        if self.keeps_request_ids() {
            call.push_incidental(request_id);
        }
        call
    }

    /// ARGV of all members, as it is sent.
    pub(super) fn arguments(&self, amount: Amount) -> Vec<u8> {
        let mut encoded = Vec::with_capacity(self.members.len() * 2 * ARGUMENT);
        for member in &self.members {
            call::bulk(&mut encoded, &self.argument(member, amount));
            call::bulk(&mut encoded, member.ttl_ms.to_string().as_bytes());
        }
        encoded
    }

    /// ARGV of one member, packed '<BBdddddd': judge, shadow, need, take and the algorithm's numbers.
    fn argument(&self, member: &Member, amount: Amount) -> [u8; ARGUMENT] {
        let mut packed = [0; ARGUMENT];
        let [first, second, third, fourth] = member.numbers;
        let numbers = [amount.need as f64, amount.take as f64, first, second, third, fourth];
        let (head, body) = packed.split_at_mut(2);
        head.copy_from_slice(&[self.judge_index(member.judge), u8::from(member.shadow)]);
        for (slot, number) in body.chunks_exact_mut(8).zip(numbers) {
            slot.copy_from_slice(&number.to_le_bytes());
        }
        packed
    }
}
