use super::slots::{Owners, redirection, slot};
use crate::url::Address;
use redis::Value;

fn tcp(host: &str, port: u16) -> Address {
    Address::Tcp { host: host.into(), port }
}

fn text(text: &str) -> Value {
    Value::BulkString(text.into())
}

/// The examples of the cluster's specification, and `CLUSTER KEYSLOT` of a server for the others.
#[test]
fn slots_follow_the_hash_tag() {
    assert_eq!(slot(b"123456789"), 0x31C3, "the check value of CRC-16/XMODEM");
    assert_eq!(slot(b"{user1000}.following"), slot(b"user1000"));
    assert_eq!(slot(b"foo{{bar}}zap"), slot(b"{bar"));
    assert_eq!(slot(b"foo{bar}{zap}"), slot(b"bar"));
    for whole in ["foo{}{bar}", "foo{bar", "foo}bar{", "}{"] {
        assert_ne!(slot(whole.as_bytes()), slot(b"bar"), "{whole}");
    }
    assert_eq!(slot(b"rl:{api:tenant:global}:burst"), slot(b"rl:{api:tenant:global}:daily"));
}

#[test]
fn redirections_name_hosts_of_every_kind() {
    let asked = tcp("cache", 7000);
    assert_eq!(redirection("3999 127.0.0.1:6381", &asked), Some(tcp("127.0.0.1", 6381)));
    assert_eq!(redirection("3999 node-1.example:6381", &asked), Some(tcp("node-1.example", 6381)));
    assert_eq!(redirection("3999 ::1:6381", &asked), Some(tcp("::1", 6381)));
    assert_eq!(redirection("3999 [fe80::1]:6381", &asked), Some(tcp("fe80::1", 6381)));
    assert_eq!(redirection("3999 :6381", &asked), Some(tcp("cache", 6381)));
    for unusable in ["3999 ?:6381", "3999", "", "3999 cache", "3999 cache:0x1", "3999 cache:99999"] {
        assert_eq!(redirection(unusable, &asked), None, "{unusable}");
    }
}

fn row(first: i64, last: i64, host: Value, port: i64, details: Value) -> Value {
    let master = Value::Array(vec![host, Value::Int(port), text("id"), details]);
    let replica = Value::Array(vec![text("replica"), Value::Int(1), text("id"), Value::Array(vec![])]);
    Value::Array(vec![Value::Int(first), Value::Int(last), master, replica])
}

#[test]
fn a_map_names_hosts_of_every_kind() {
    let none = || Value::Array(vec![]);
    let ip = Value::Array(vec![text("hostname"), text("x"), text("ip"), text("10.0.0.9")]);
    let reply = Value::Array(vec![
        row(0, 9, text("10.0.0.1"), 7000, none()),
        row(10, 19, text("::1"), 7001, none()),
        row(20, 29, text(""), 7002, none()),
        row(30, 39, Value::Nil, 7003, none()),
        row(40, 40, text("?"), 7004, ip),
        row(41, 49, text("node.example"), 7005, none()),
    ]);
    let mut owners = Owners::parse(&reply, &tcp("cache", 7000)).unwrap();
    for (slot, host, port) in [
        (0, "10.0.0.1", 7000),
        (9, "10.0.0.1", 7000),
        (10, "::1", 7001),
        (29, "cache", 7002),
        (30, "cache", 7003),
        (40, "10.0.0.9", 7004),
        (49, "node.example", 7005),
    ] {
        assert_eq!(owners.of(slot), Some(&tcp(host, port)), "{slot}");
    }
    assert_eq!(owners.of(50), None);
    owners.moved(9, tcp("::1", 7001));
    assert_eq!(owners.of(9), Some(&tcp("::1", 7001)));
    assert_eq!(owners.of(8), Some(&tcp("10.0.0.1", 7000)));
}

#[test]
fn what_is_no_map_is_none() {
    let asked = tcp("cache", 7000);
    let none = Value::Array(vec![]);
    for reply in [
        Value::Nil,
        Value::Array(vec![Value::Nil]),
        Value::Array(vec![row(0, 99_999, text("a"), 1, none.clone())]),
        Value::Array(vec![row(0, 9, text("a"), 99_999, none.clone())]),
        Value::Array(vec![row(0, 9, text("?"), 1, none)]),
        Value::Array(vec![Value::Array(vec![Value::Int(0), Value::Int(1)])]),
    ] {
        assert_eq!(Owners::parse(&reply, &asked), None, "{reply:?}");
    }
}
