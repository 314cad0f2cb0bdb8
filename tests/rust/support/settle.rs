//! One decision at the level of the script: its arguments, and its reply in numbers.

use ratelimit::call::Call;
use ratelimit::script::SETTLE;

/// In the order of the bits that choose a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judge {
    TokenBucket,
    SlidingLog,
    AuditLog,
    SlidingWindow,
    FixedWindow,
}

/// One member as the script sees it.
#[derive(Debug, Clone)]
pub struct Member {
    pub key: Vec<u8>,
    pub judge: Judge,
    pub shadow: bool,
    pub numbers: [i128; 4],
    pub ttl: i128,
}

/// What the script answers for a member, in µs from now; retry -1 is never.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    pub now: i128,
    pub retry: i128,
    pub remaining: i128,
    pub reset: i128,
    pub delay: i128,
}

/// The call that decides: takes `take` from every member if `need` is there in all of them.
pub fn settle(members: &[Member], need: i128, take: i128, request: &[u8]) -> Call {
    let bits = members.iter().fold(0, |bits, member| bits | 1 << member.judge as usize);
    let mut arguments = Vec::new();
    for member in members {
        let index = 1 + (0..member.judge as usize).filter(|bit| bits >> bit & 1 == 1).count();
        let mut packed = vec![index as u8, u8::from(member.shadow)];
        pack(&mut packed, &[need, take]);
        pack(&mut packed, &member.numbers);
        arguments.push(packed);
        arguments.push(member.ttl.to_string().into_bytes());
    }
    if members.iter().any(|member| member.judge == Judge::AuditLog) {
        arguments.push(request.to_vec());
    }
    let keys: Vec<&[u8]> = members.iter().map(|member| member.key.as_slice()).collect();
    let arguments: Vec<&[u8]> = arguments.iter().map(Vec::as_slice).collect();
    Call::script(&SETTLE[bits - 1], &keys, &arguments)
}

pub fn pack(bytes: &mut Vec<u8>, numbers: &[i128]) {
    for &number in numbers {
        let double = number as f64;
        assert_eq!(double as i128, number, "exact on the wire");
        bytes.extend(double.to_le_bytes());
    }
}

pub fn answers(reply: &[u8]) -> Vec<Answer> {
    let number = |bytes: &[u8]| {
        let double = f64::from_le_bytes(bytes.try_into().expect("eight bytes"));
        assert_eq!(double, double.trunc(), "whole numbers only");
        double as i128
    };
    let answer = |bytes: &[u8]| {
        let [now, retry, remaining, reset, delay] = [0, 8, 16, 24, 32].map(|at| number(&bytes[at..at + 8]));
        Answer { now, retry, remaining, reset, delay }
    };
    reply.chunks(40).map(answer).collect()
}
