//! The settle call of a decision: which keys, how much, and the numbers of each member (see lua/settle.lua).

use crate::call::Call;
use crate::plan::{Member, Plan};
use crate::script::Script;

/// How much must be there, and how much of it is taken: all, or for a peek nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Amount {
    pub need: i64,
    pub take: i64,
}

const ARGUMENT: usize = 2 + 6 * 8;

/// One EVALSHA for all members of `plan`.
pub fn encode(
    plan: &Plan,
    script: &'static Script,
    keys: &[Vec<u8>],
    amount: Amount,
    request_id: &[u8],
) -> Call {
    let ids = usize::from(plan.keeps_request_ids());
    let mut call = Call::script(script, keys, 2 * plan.members.len() + ids);
    for member in &plan.members {
        call.push(&argument(plan, member, amount));
        call.push_number(member.ttl_ms);
    }
    if ids == 1 {
        call.push(request_id);
    }
    call
}

/// ARGV of one member, packed '<BBdddddd': judge, shadow, need, take and the algorithm's numbers.
fn argument(plan: &Plan, member: &Member, amount: Amount) -> [u8; ARGUMENT] {
    let mut packed = [0; ARGUMENT];
    let [first, second, third, fourth] = member.numbers;
    let numbers = [amount.need as f64, amount.take as f64, first, second, third, fourth];
    let (head, body) = packed.split_at_mut(2);
    head.copy_from_slice(&[plan.judge_index(member.judge), u8::from(member.shadow)]);
    for (slot, number) in body.chunks_exact_mut(8).zip(numbers) {
        slot.copy_from_slice(&number.to_le_bytes());
    }
    packed
}
