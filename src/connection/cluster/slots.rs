//! Which node of a cluster owns which of its 16,384 slots.

use std::collections::HashMap;

use redis::Value;

use crate::url::Address;

const SLOTS: u16 = 16_384;

/// The slot of a key: of what stands between its first '{' and the next '}', if that is anything.
pub fn slot(key: &[u8]) -> u16 {
    let tag = key.splitn(2, |byte| *byte == b'{').nth(1).and_then(|rest| {
        let end = rest.iter().position(|byte| *byte == b'}')?;
        rest.get(..end).filter(|tag| !tag.is_empty())
    });
    crc16(tag.unwrap_or(key)) % SLOTS
}

/// CRC-16/XMODEM, as the cluster's specification asks.
fn crc16(bytes: &[u8]) -> u16 {
    let mut crc = 0;
    for byte in bytes {
        crc ^= u16::from(*byte) << 8;
        for _ in 0..8 {
            crc = if crc & 0x8000 == 0 { crc << 1 } else { crc << 1 ^ 0x1021 };
        }
    }
    crc
}

/// A map of the slots, as one node told it, and what MOVED has told since.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Owners {
    /// First slot, last slot, owner.
    ranges: Vec<(u16, u16, Address)>,
    moved: HashMap<u16, Address>,
}

impl Owners {
    /// Reads a reply to CLUSTER SLOTS that the node at `asked` gave. None if it is no such reply.
    pub fn parse(reply: &Value, asked: &Address) -> Option<Self> {
        let Value::Array(rows) = reply else { return None };
        let ranges = rows.iter().map(|row| range(row, asked)).collect::<Option<Vec<_>>>()?;
        Some(Owners { ranges, moved: HashMap::new() })
    }

    pub fn of(&self, slot: u16) -> Option<&Address> {
        let range = || self.ranges.iter().find(|(first, last, _)| (*first..=*last).contains(&slot));
        self.moved.get(&slot).or_else(|| range().map(|(_, _, owner)| owner))
    }

    pub fn moved(&mut self, slot: u16, owner: Address) {
        self.moved.insert(slot, owner);
    }

    /// Each owner, perhaps more than once.
    pub fn all(&self) -> impl Iterator<Item = &Address> {
        self.ranges.iter().map(|(_, _, owner)| owner).chain(self.moved.values())
    }
}

fn range(row: &Value, asked: &Address) -> Option<(u16, u16, Address)> {
    let Value::Array(row) = row else { return None };
    let [Value::Int(first), Value::Int(last), Value::Array(master), ..] = row.as_slice() else { return None };
    let [host, Value::Int(port), more @ ..] = master.as_slice() else { return None };
    let host = match host {
        Value::BulkString(host) => std::str::from_utf8(host).ok()?,
        Value::Nil => "",
        _ => return None,
    };
    // The node has been told to announce a name, and knows none: its address stands beside.
    let host = if host == "?" { announced_ip(more)? } else { host };
    let owner = node(host, u16::try_from(*port).ok()?, asked)?;
    Some((u16::try_from(*first).ok()?, u16::try_from(*last).ok()?, owner))
}

fn announced_ip(details: &[Value]) -> Option<&str> {
    let Value::Array(pairs) = details.get(1)? else { return None };
    let is_ip = |pair: &[Value]| matches!(pair, [Value::BulkString(name), _] if name == b"ip");
    match pairs.chunks(2).find(|pair| is_ip(pair))? {
        [_, Value::BulkString(address)] => std::str::from_utf8(address).ok(),
        _ => None,
    }
}

/// Where `MOVED 3999 host:port` or `ASK …`, answered by the node at `asked`, leads.
pub fn redirection(details: &str, asked: &Address) -> Option<Address> {
    let (host, port) = details.split(' ').nth(1)?.rsplit_once(':')?;
    node(host, port.parse().ok()?, asked)
}

/// An empty host is the one that was asked.
fn node(host: &str, port: u16, asked: &Address) -> Option<Address> {
    let host = match (host, asked) {
        ("?", _) => return None,
        ("", Address::Tcp { host, .. }) => host.clone(),
        ("", Address::Unix(_)) => return None,
        (host, _) => host.trim_matches(['[', ']']).to_string(),
    };
    Some(Address::Tcp { host, port })
}
