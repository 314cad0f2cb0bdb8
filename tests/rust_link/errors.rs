//! Every error reply of a real server in that state: told by its code, and nothing has been charged.

use std::thread;

use redis::Value;

use ratelimit::failure::Failure;
use ratelimit::stats;

use crate::support::{Folder, Server, backend, count, free_port, patient, until};

/// The failure of one call on the key `k`, which must have the code `code`.
fn refused(url: &str, code: &str) -> String {
    let failure = count(&mut backend(url), "k", 9, patient()).unwrap_err();
    assert_eq!(failure.code(), Some(code), "{failure}");
    failure.to_string()
}

fn not_run(url: &str) -> String {
    match count(&mut backend(url), "k", 9, patient()) {
        Err(Failure::NotRun(text)) => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn readonly_reconnects_once_and_finds_the_new_master() {
    let (master, replica) = (Server::start(&[]), Server::start(&[]));
    replica.ask(&format!("REPLICAOF 127.0.0.1 {}", master.port));
    let before = replica.connections();
    let text = refused(&replica.tcp(), "READONLY");
    assert!(text.starts_with(&format!("127.0.0.1:{}: READONLY", replica.port)), "{text}");
    assert_eq!(replica.connections(), before + 3, "two of ours, one of INFO");
    let mut backend = backend(&replica.tcp());
    assert!(count(&mut backend, "k", 9, patient()).is_err());
    replica.ask("REPLICAOF NO ONE");
    assert_eq!(count(&mut backend, "k", 9, patient()), Ok(Some(1)));
}

#[test]
fn masterdown() {
    let server = Server::start(&["--replica-serve-stale-data", "no"]);
    server.ask("REPLICAOF 127.0.0.1 1");
    refused(&server.unix(), "MASTERDOWN");
}

#[test]
fn loading() {
    let mut server = Server::start(&[]);
    server.eval("for i = 1, 5000 do redis.call('SET', i, i) end").unwrap();
    server.ask("SAVE");
    let mut backend = backend(&server.unix());
    assert_eq!(count(&mut backend, "k", 9, patient()), Ok(Some(1)));
    server.restart_with(&["--key-load-delay", "1000", "--loading-process-events-interval-bytes", "1024"]);
    let failure = count(&mut backend, "k", 9, patient()).unwrap_err();
    assert_eq!(failure.code(), Some("LOADING"), "{failure}");
}

#[test]
fn busy() {
    let server = Server::start(&["--busy-reply-threshold", "5"]);
    thread::scope(|scope| {
        let endless = scope.spawn(|| server.eval("while true do end"));
        until(
            "the script is busy",
            || matches!(count(&mut backend(&server.unix()), "k", 9, patient()), Err(f) if f.code() == Some("BUSY")),
        );
        server.ask("SCRIPT KILL");
        assert!(endless.join().unwrap().is_err());
    });
    assert!(count(&mut backend(&server.unix()), "k", 9, patient()).is_ok());
}

#[test]
fn oom() {
    let server = Server::start(&[]);
    server.ask("CONFIG SET maxmemory 1");
    refused(&server.unix(), "OOM");
    assert_eq!(server.ask("EXISTS k"), Value::Int(0));
}

#[test]
fn misconf() {
    let folder = Folder::new();
    let data = folder.file("data");
    std::fs::create_dir(&data).unwrap();
    let server = Server::start_in(folder, &["--dir", &data, "--save", "3600 1"]);
    std::fs::remove_dir(&data).unwrap();
    server.ask("BGSAVE");
    until("saving fails", || server.info("rdb_last_bgsave_status") == "err");
    refused(&server.unix(), "MISCONF");
}

#[test]
fn logins() {
    let server = Server::start(&[]);
    server.ask("CONFIG SET requirepass right");
    let host = format!("127.0.0.1:{}", server.port);
    refused(&format!("redis://{host}"), "NOAUTH");
    let text = refused(&format!("redis://:wr0ng-secret@{host}"), "WRONGPASS");
    assert!(text.contains("login of user 'default'") && !text.contains("wr0ng"), "{text}");
    let text = refused(&format!("redis://nobody:wr0ng-secret@{host}"), "WRONGPASS");
    assert!(text.contains("login of user 'nobody'") && !text.contains("wr0ng"), "{text}");
    let text = refused(&format!("redis://:right@{host}/99"), "ERR");
    assert!(text.contains("SELECT 99: ERR DB index is out of range"), "{text}");
    for url in [format!("redis://:right@{host}/3"), format!("{}?db=3&user=default&pass=right", server.unix())]
    {
        assert!(count(&mut backend(&url), "k", 9, patient()).is_ok());
    }
    let mut reader = backend(&format!("redis://:right@{host}"));
    assert_eq!(count(&mut reader, "k", 9, patient()), Ok(Some(1)), "database 0 is another");
}

#[test]
fn a_server_that_repeats_the_password_is_not_repeated() {
    let server = Server::start(&["--rename-command", "AUTH", ""]);
    let long = "s3cret".repeat(40);
    let text = refused(&format!("redis://limiter:{long}@127.0.0.1:{}", server.port), "ERR");
    assert!(text.contains("unknown command") && !text.contains("s3cret"), "{text}");
}

#[test]
fn noperm_and_the_commands_that_are_enough() {
    let server = Server::start(&[]);
    server.ask("ACL SETUSER limiter on >secret resetkeys ~k -@all +evalsha +eval +get");
    let url = format!("redis://limiter:secret@127.0.0.1:{}", server.port);
    let text = refused(&url, "ERR");
    // Redis 7.0, and all newer servers.
    assert!(text.contains("can't run this command") || text.contains("ACL failure in script"), "{text}");
    server.ask("ACL SETUSER limiter +set -evalsha");
    refused(&url, "NOPERM");
    server.ask("ACL SETUSER limiter +evalsha");
    assert_eq!(count(&mut backend(&url), "k", 9, patient()), Ok(Some(1)));
}

#[test]
fn unknown_command_wrongtype_and_no_cluster() {
    let server = Server::start(&["--rename-command", "EVALSHA", ""]);
    assert!(refused(&server.unix(), "ERR").contains("unknown command"));
    let server = Server::start(&[]);
    server.ask("LPUSH k foreign");
    refused(&server.unix(), "WRONGTYPE");
    let url = format!("redis-cluster://127.0.0.1:{}", server.port);
    assert!(refused(&url, "ERR").contains("cluster support disabled"));
}

#[test]
fn clusterdown() {
    let server = Server::start(&["--cluster-enabled", "yes", "--cluster-port", &free_port().to_string()]);
    refused(&server.unix(), "CLUSTERDOWN");
    let url = format!("redis-cluster://127.0.0.1:{}", server.port);
    assert!(not_run(&url).contains("CLUSTERDOWN"));
}

#[test]
fn a_script_is_sent_as_text_only_where_its_hash_is_unknown() {
    let server = Server::start(&[]);
    let mut backend = backend(&server.unix());
    let before = stats::SCRIPT_LOADS.get();
    assert_eq!(count(&mut backend, "k", 9, patient()), Ok(Some(1)));
    assert!(stats::SCRIPT_LOADS.get() > before);
    assert_eq!(server.calls("eval"), 1);
    assert_eq!(count(&mut backend, "k", 9, patient()), Ok(Some(2)));
    assert_eq!((server.calls("eval"), server.calls("evalsha")), (1, 2));
}
