//! How long a refusal stays true to the letter: refused, and every number it reports what Redis would report.
//!
//! It needs an anchor: a member that refuses and has nothing left, so that until its next token comes, or its oldest
//! entry leaves, nobody can take anything from it, whatever the cost. As long as an anchor refuses, a compound charges
//! no member, so the others change by time alone, and that is what their `reset` tells. Where something is left, a
//! cheaper call by anyone may take it: such a refusal is not remembered.

use crate::plan::{Judge, Member};
use crate::policy::Policy;
use crate::reply::Answer;
use std::time::Duration;

/// The time, from before the request was sent, in which `answers` to a call of `cost` change in nothing but the waits'
/// growing shorter. None where that is no time, or cannot be told.
pub fn of(policy: &Policy, answers: &[Answer], cost: i64) -> Option<Duration> {
    let members = &policy.plan().members;
    let anchored = members.iter().zip(answers).any(|(member, answer)| !member.shadow && is_anchor(answer));
    let owned = policy.own_members();
    let mut shortest = i64::MAX;
    for ((member, answer), own) in members.iter().zip(answers).zip(owned) {
        // Other tenants' compounds take from a shared budget that has something left.
        if !own && !is_anchor(answer) {
            return None;
        }
        shortest = shortest.min(steady(member, answer, cost)?);
    }
    (anchored && !policy.is_shadow() && shortest < i64::MAX).then(|| Duration::from_micros(shortest as u64))
}

fn is_anchor(answer: &Answer) -> bool {
    answer.retry > 0 && answer.remaining == 0
}

/// µs for which one answer stays true if nobody takes anything; None if it cannot be told.
fn steady(member: &Member, answer: &Answer, cost: i64) -> Option<i64> {
    if answer.never() {
        return None;
    }
    if member.judge == Judge::SlidingWindow {
        // The previous count fades all the time, and with it `remaining` grows at instants that the answer does not
        // tell; but a cost of 1 is refused for just as long as nothing remains, and an untouched window has no count.
        let told = (cost == 1 && is_anchor(answer)) || answer.remaining == member.limit;
        told.then_some(())?;
    }
    let changes = [answer.retry, answer.reset].into_iter().filter(|&wait| wait > 0);
    // Neither: a full bucket, an empty log, a window that is not open.
    Some(changes.min().unwrap_or(i64::MAX))
}
