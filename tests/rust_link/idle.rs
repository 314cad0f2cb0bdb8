//! Connections that ended while nobody used them: the next call is a normal one.

use crate::support::{Server, backend, count, patient, until};

fn counts(server: &Server, url: &str, disturb: impl Fn(&Server)) {
    let mut backend = backend(url);
    for expected in 1..=3 {
        assert_eq!(count(&mut backend, "k", 9, patient()), Ok(Some(expected)));
        disturb(server);
    }
}

#[test]
fn client_kill() {
    let server = Server::start(&[]);
    for url in [server.tcp(), server.unix()] {
        server.ask("DEL k");
        let before = server.connections();
        counts(&server, &url, |server| {
            server.ask("CLIENT KILL TYPE normal SKIPME yes");
        });
        assert!(server.connections() > before + 2);
    }
}

#[test]
fn idle_timeout() {
    let server = Server::start(&["--timeout", "1"]);
    let mut backend = backend(&server.tcp());
    assert_eq!(count(&mut backend, "k", 9, patient()), Ok(Some(1)));
    until("the server has closed the idle client", || server.info("connected_clients") == "1");
    assert_eq!(count(&mut backend, "k", 9, patient()), Ok(Some(2)));
}

#[test]
fn restart_and_script_flush() {
    let mut server = Server::start(&[]);
    let mut backend = backend(&server.unix());
    assert_eq!(count(&mut backend, "k", 9, patient()), Ok(Some(1)));
    assert_eq!(count(&mut backend, "k", 9, patient()), Ok(Some(2)));
    server.restart();
    assert_eq!(count(&mut backend, "k", 9, patient()), Ok(Some(1)));
    server.ask("SCRIPT FLUSH");
    assert_eq!(count(&mut backend, "k", 9, patient()), Ok(Some(2)));
    assert_eq!(server.calls("eval"), 2, "one EVAL per NOSCRIPT");
}

#[test]
fn one_connection_serves_all_calls() {
    let server = Server::start(&[]);
    for url in [server.tcp(), server.unix(), format!("{}?db=3", server.unix())] {
        let mut backend = backend(&url);
        let before = server.connections();
        for expected in 1..=1000 {
            assert_eq!(count(&mut backend, "k", 1000, patient()), Ok(Some(expected)));
        }
        assert_eq!(count(&mut backend, "k", 1000, patient()), Ok(None));
        assert_eq!(server.connections(), before + 2, "ours, and that of INFO");
        server.ask("DEL k");
    }
}
