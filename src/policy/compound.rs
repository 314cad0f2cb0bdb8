//! The members of a compound: which can be, and how they are sent.

use super::{Policy, Rule};
use crate::error::Error;
use crate::plan::Member;

/// The members of a compound, checked: at least one, distinct names, nothing that is no budget of its own.
pub fn check_members(name: &str, members: &[Policy]) -> Result<(), Error> {
    let invalid = |text: String| Err(Error::InvalidPolicy(format!("compound \"{name}\" {text}")));
    if members.is_empty() {
        return invalid("has no members; give it at least one policy".into());
    }
    for (at, member) in members.iter().enumerate() {
        if matches!(member.rule(), Rule::Compound(_) | Rule::Unlimited) {
            let kind = member.algorithm();
            return invalid(format!(
                "cannot hold \"{}\", which is {kind}; give it policies that count",
                member.name()
            ));
        }
        if members.iter().take(at).any(|other| other.name() == member.name()) {
            return invalid(format!(
                "has two members named \"{}\"; give each a name of its own",
                member.name()
            ));
        }
    }
    Ok(())
}

/// The members of a plan as they are sent: a shadow member says so.
pub fn planned_members(members: &[Policy]) -> Vec<Member> {
    let own =
        |policy: &Policy| policy.plan().members.first().cloned().map(|member| (member, policy.is_shadow()));
    members.iter().filter_map(own).map(|(member, shadow)| Member { shadow, ..member }).collect()
}
