//! What a sliding log still holds (see lua/history.lua).

use crate::call::Call;
use crate::error::Error;
use crate::policy::{Policy, Rule};
use crate::script::HISTORY;
use redis::Value;

/// One entry of a log; without audit, all units that were taken in the same microsecond.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// µs since the epoch.
    pub at: i64,
    pub cost: i64,
    pub request_id: Option<Vec<u8>>,
}

/// # Errors
/// [`Error::InvalidPolicy`] for a policy that keeps no log.
pub fn call(policy: &Policy, keys: &[Vec<u8>]) -> Result<Call, Error> {
    let (Rule::SlidingLog { .. }, [member]) = (policy.rule(), policy.plan().members.as_slice()) else {
        return Err(keeps_no_log(policy));
    };
    let [_, window, ..] = member.numbers;
    let mut call = Call::script(&HISTORY, keys, 1);
    call.push(&window.to_le_bytes());
    Ok(call)
}

fn keeps_no_log(policy: &Policy) -> Error {
    Error::InvalidPolicy(format!(
        "policy \"{}\" is a {} and keeps no history; ask one made by Policy::slidingLog()",
        policy.name(),
        policy.algorithm()
    ))
}

/// The entries of a reply: each packed '<dd' (at, cost) and the request id.
pub fn decode(value: &Value) -> Option<Vec<Entry>> {
    let Value::Array(entries) = value else { return None };
    entries.iter().map(entry).collect()
}

fn entry(value: &Value) -> Option<Entry> {
    let Value::BulkString(bytes) = value else { return None };
    let (at, behind) = bytes.split_first_chunk()?;
    let (cost, request_id) = behind.split_first_chunk()?;
    Some(Entry {
        at: f64::from_le_bytes(*at) as i64,
        cost: f64::from_le_bytes(*cost) as i64,
        request_id: (!request_id.is_empty()).then(|| request_id.to_vec()),
    })
}
