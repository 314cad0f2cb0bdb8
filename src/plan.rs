//! What a policy sends to Redis: its script and, per member, the numbers of the algorithm, encoded once.

mod settle_call;

use crate::call::Opening;
use crate::reply::Answer;
use crate::script::SETTLE;
pub use settle_call::Amount;
use std::sync::Arc;

/// A judge of `lua/`; the order is that of the list in an assembled script and of the bits that name the script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judge {
    TokenBucket,
    SlidingLog,
    AuditLog,
    SlidingWindow,
    FixedWindow,
}

impl Judge {
    fn bit(self) -> usize {
        1 << self as usize
    }

    /// The number of its giver, which gives back what it took, in lua/refund.lua.
    pub fn giver(self) -> u8 {
        self as u8 + 1
    }
}

/// One budget: a policy that counts, or a member of a compound.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    pub name: Arc<str>,
    pub judge: Judge,
    pub limit: i64,
    /// The time in which `limit` comes back, µs: the window, or what a bucket takes to fill.
    pub window: u64,
    /// The algorithm's numbers, as `lua/` names them.
    pub numbers: [f64; 4],
    pub ttl_ms: u64,
    pub shadow: bool,
}

#[derive(Debug, PartialEq)]
pub struct Plan {
    pub members: Vec<Member>,
    /// Of every call for a decision; None for a policy that asks nobody.
    pub opening: Option<Opening>,
    /// ARGV of all members for [`Amount::ONE`], encoded once.
    arguments_for_one: Vec<u8>,
    bits: usize,
}

impl Plan {
    pub(crate) fn of(members: Vec<Member>) -> Self {
        let bits = members.iter().fold(0, |bits, member| bits | member.judge.bit());
        let script = bits.checked_sub(1).and_then(|at| SETTLE.get(at));
        let plan = Plan { members, opening: None, arguments_for_one: Vec::new(), bits };
        Plan {
            opening: script.map(|script| plan.opening(script)),
            arguments_for_one: plan.arguments(Amount::ONE),
            ..plan
        }
    }

    /// The member with the least limit.
    pub fn smallest(&self) -> Option<&Member> {
        self.members.iter().min_by_key(|member| member.limit)
    }

    /// Where a judge stands in the list of this plan's script, from 1.
    fn judge_index(&self, judge: Judge) -> u8 {
        let before = self.bits & (judge.bit() - 1);
        before.count_ones() as u8 + 1
    }

    /// Whether a call so answered took anything: all or nothing, but for shadow members, which hold nobody up.
    pub fn charged(&self, answers: &[Answer]) -> bool {
        self.members.iter().zip(answers).all(|(member, answer)| member.shadow || answer.passes())
    }

    fn keeps_request_ids(&self) -> bool {
        self.members.iter().any(|member| member.judge == Judge::AuditLog)
    }
}
