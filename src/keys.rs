//! The Redis keys of a subject's state: `{prefix}:{policy}:{tenant}:{scope}`.
//!
//! Different subjects never share a key, whatever bytes their names hold: the policy is the first part, the
//! scope the last (a ':' in it is percent-encoded), and the tenant all that stands between. The members of a
//! compound have a key each, `{prefix}:{policy:tenant:scope}:{member}` with real braces around the middle, so
//! that Redis Cluster keeps them in one slot. A shared budget leaves the tenant out.

use crate::policy::{Policy, Rule};
use ring::digest::{SHA512, digest};

/// Whose budget is asked for: both parts any bytes, never empty.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    pub tenant: &'a [u8],
    pub scope: &'a [u8],
}

/// A name longer than this is replaced by its hash.
const LONGEST_NAME: usize = 128;

/// The key of each member of `policy` for `subject`, in order; a policy that is no compound has one.
/// `prefix` must have gone through [`encode_prefix`].
pub fn of(prefix: &[u8], policy: &Policy, subject: Subject<'_>) -> Vec<Vec<u8>> {
    let Rule::Compound(members) = policy.rule() else {
        return vec![single(prefix, policy, subject)];
    };
    let tag_is_policy = policy.is_shared() || members.iter().any(Policy::is_shared);
    members
        .iter()
        .map(|member| {
            let shared = policy.is_shared() || member.is_shared();
            let mut key = Vec::with_capacity(prefix.len() + subject.tenant.len() + 64);
            key.extend_from_slice(prefix);
            key.extend_from_slice(b":{");
            key.extend_from_slice(policy.name().as_bytes());
            if tag_is_policy {
                key.push(b'}');
            }
            push_subject(&mut key, subject, shared);
            if !tag_is_policy {
                key.push(b'}');
            }
            key.push(b':');
            key.extend_from_slice(member.name().as_bytes());
            key
        })
        .collect()
}

fn single(prefix: &[u8], policy: &Policy, subject: Subject<'_>) -> Vec<u8> {
    let name = policy.name().as_bytes();
    let mut key =
        Vec::with_capacity(prefix.len() + name.len() + subject.tenant.len() + subject.scope.len() + 3);
    key.extend_from_slice(prefix);
    key.push(b':');
    key.extend_from_slice(name);
    push_subject(&mut key, subject, policy.is_shared());
    key
}

fn push_subject(key: &mut Vec<u8>, subject: Subject<'_>, shared: bool) {
    if !shared {
        key.push(b':');
        push_name(key, subject.tenant, &[]);
    }
    key.push(b':');
    push_name(key, subject.scope, b":%");
}

/// The name with the bytes of `reserved` percent-encoded, or, if it is long, its hash: 128 hexadecimal digits
/// behind a word, so longer than any name that stands for itself.
fn push_name(key: &mut Vec<u8>, name: &[u8], reserved: &[u8]) {
    if name.len() > LONGEST_NAME {
        key.extend_from_slice(b"sha512-");
        for byte in digest(&SHA512, name).as_ref() {
            key.extend_from_slice(format!("{byte:02x}").as_bytes());
        }
    } else {
        push_encoded(key, name, reserved);
    }
}

fn push_encoded(key: &mut Vec<u8>, name: &[u8], reserved: &[u8]) {
    if !name.iter().any(|byte| reserved.contains(byte)) {
        key.extend_from_slice(name);
        return;
    }
    for byte in name {
        if reserved.contains(byte) {
            key.extend_from_slice(format!("%{byte:02X}").as_bytes());
        } else {
            key.push(*byte);
        }
    }
}

/// The prefix as it stands in keys: without a ':' that could end it early and without braces, which would move
/// the hash tag.
pub fn encode_prefix(prefix: &str) -> Vec<u8> {
    let mut encoded = Vec::with_capacity(prefix.len());
    push_encoded(&mut encoded, prefix.as_bytes(), b":%{}");
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interval::Interval;

    fn minute() -> Interval {
        Interval::parse("1 minute").unwrap()
    }

    fn fixed(name: &str) -> Policy {
        Policy::fixed_window(name, 5, minute(), false).unwrap()
    }

    fn keys(policy: &Policy, tenant: &[u8], scope: &[u8]) -> Vec<String> {
        let keys = of(b"rl", policy, Subject { tenant, scope });
        keys.into_iter().map(|key| String::from_utf8_lossy(&key).into_owned()).collect()
    }

    #[test]
    fn a_key_names_policy_tenant_and_scope() {
        assert_eq!(
            keys(&fixed("api-default"), b"tenant_8231", b"global"),
            ["rl:api-default:tenant_8231:global"]
        );
        assert_eq!(
            keys(&fixed("export"), b"tenant_8231", b"POST_/v1/exports"),
            ["rl:export:tenant_8231:POST_/v1/exports"]
        );
        assert_eq!(keys(&fixed("a"), b"2001:db8::1", b"b:c%"), ["rl:a:2001:db8::1:b%3Ac%25"]);
        assert_eq!(keys(&fixed("a").shared(true), b"t", b"global"), ["rl:a:global"]);
    }

    #[test]
    fn a_colon_never_moves_between_tenant_and_scope() {
        assert_ne!(keys(&fixed("p"), b"a", b"b:c"), keys(&fixed("p"), b"a:b", b"c"));
        assert_ne!(keys(&fixed("p"), b"a", b"b:c"), keys(&fixed("p"), b"a", b"b%3Ac"));
    }

    #[test]
    fn members_of_a_compound_share_a_hash_tag() {
        let compound = Policy::compound("pay", vec![fixed("burst"), fixed("daily")]).unwrap();
        assert_eq!(
            keys(&compound, b"t1", b"global"),
            ["rl:{pay:t1:global}:burst", "rl:{pay:t1:global}:daily"]
        );
        let ceiling = Policy::compound("pay", vec![fixed("each"), fixed("all").shared(true)]).unwrap();
        assert_eq!(keys(&ceiling, b"t1", b"global"), ["rl:{pay}:t1:global:each", "rl:{pay}:global:all"]);
    }

    #[test]
    fn a_long_name_becomes_a_hash_that_no_short_one_can_equal() {
        let long = vec![b'x'; 10_000];
        let key = of(b"rl", &fixed("p"), Subject { tenant: &long, scope: b"global" }).remove(0);
        assert_eq!(key.len(), "rl:p:sha512-:global".len() + 128);
        let mut other = long.clone();
        other.push(b'x');
        assert_ne!(key, of(b"rl", &fixed("p"), Subject { tenant: &other, scope: b"global" }).remove(0));
    }

    #[test]
    fn a_prefix_cannot_end_early() {
        assert_eq!(encode_prefix("app:{rl}%"), b"app%3A%7Brl%7D%25");
    }
}
