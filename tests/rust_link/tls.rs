//! TLS against a server with a private authority that asks clients for a certificate.

use ratelimit::failure::Failure;

use crate::support::{TRUST, TlsServer, backend, count, patient};

#[test]
fn a_private_authority_and_a_client_certificate() {
    let tls = TlsServer::start();
    for (expected, host) in [(1, "127.0.0.1"), (2, "localhost")] {
        let mut backend = backend(&tls.url(host, TRUST));
        assert_eq!(count(&mut backend, "k", 9, patient()), Ok(Some(expected)));
    }
    let mut named = backend(&tls.url("127.0.0.1", &format!("{TRUST}&server_name=redis.test")));
    assert_eq!(count(&mut named, "k", 9, patient()), Ok(Some(3)));
}

#[test]
fn one_connection_serves_all_calls_and_a_closed_one_is_reopened() {
    let tls = TlsServer::start();
    let mut backend = backend(&tls.url("127.0.0.1", TRUST));
    let before = tls.server.connections();
    for expected in 1..=200 {
        assert_eq!(count(&mut backend, "k", 999, patient()), Ok(Some(expected)));
    }
    assert_eq!(tls.server.connections(), before + 2);
    tls.server.ask("CLIENT KILL TYPE normal SKIPME yes");
    assert_eq!(count(&mut backend, "k", 999, patient()), Ok(Some(201)));
}

#[test]
fn whom_to_trust_is_not_negotiable() {
    let tls = TlsServer::start();
    for (query, fault) in [
        ("cert=@client.crt&key=@client.key", "UnknownIssuer"),
        (&format!("{TRUST}&server_name=other.test"), "not valid for name \"other.test\""),
        ("ca=@none.crt", "none.crt"),
        ("ca=@ca.key", "ca.key: no certificate"),
        ("ca=@ca.crt&cert=@client.crt&key=@names", "names"),
    ] {
        match count(&mut backend(&tls.url("127.0.0.1", query)), "k", 9, patient()) {
            Err(Failure::NotRun(text)) => assert!(text.contains(fault), "{query}: {text}"),
            other => panic!("{query}: {other:?}"),
        }
    }
    let anonymous = count(&mut backend(&tls.url("127.0.0.1", "ca=@ca.crt")), "k", 9, patient());
    let text = anonymous.unwrap_err().to_string();
    assert!(text.contains("CertificateRequired"), "{text}");
    assert_eq!(tls.server.ask("EXISTS k"), redis::Value::Int(0));
}
