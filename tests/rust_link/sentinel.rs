//! Sentinels that name the master, fall silent, are behind, or replace it.

use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use ratelimit::connection::deadline::Deadline;
use ratelimit::failure::Failure;

use crate::support::{Folder, SECOND, Server, alone, backend, count, dripping, fake, patient, until};

/// Without a login these may do all but what the limiter needs, so that a missing login shows.
const REDIS_USERS: [&str; 2] = [
    "ACL SETUSER default -evalsha -eval -role",
    "ACL SETUSER limiter on >secret ~* -@all +evalsha +eval +get +set +role",
];

struct Watched {
    master: Server,
    replica: Server,
    sentinels: Vec<Server>,
}

impl Watched {
    fn start() -> Self {
        let (master, replica) = (Server::start(&[]), Server::start(&[]));
        for server in [&master, &replica] {
            REDIS_USERS.iter().for_each(|user| drop(server.ask(user)));
        }
        replica.ask(&format!("REPLICAOF 127.0.0.1 {}", master.port));
        until("the replica follows", || replica.info("master_link_status") == "up");
        let sentinels = (0..3).map(|_| sentinel(master.port)).collect();
        let watched = Watched { master, replica, sentinels };
        until("the sentinels know each other and the replica", || {
            watched.sentinels.iter().all(|sentinel| {
                let line = sentinel.info("master0");
                line.contains("status=ok") && line.contains("slaves=1") && line.contains("sentinels=3")
            })
        });
        watched
    }

    fn url(&self) -> String {
        let hosts = self.sentinels.iter().map(|one| format!("127.0.0.1:{}", one.port)).collect::<Vec<_>>();
        let hosts = hosts.join(",");
        format!("redis-sentinel://limiter:secret@{hosts}/main?sentinel_user=watcher&sentinel_pass=hidden")
    }
}

fn sentinel(master: u16) -> Server {
    Server::start_from(
        Folder::new(),
        &format!(
            "sentinel monitor main 127.0.0.1 {master} 2\n\
             sentinel down-after-milliseconds main 500\n\
             sentinel failover-timeout main 2000\n\
             user default on nopass ~* &* +@all -sentinel|get-master-addr-by-name\n\
             user watcher on >hidden -@all +sentinel|get-master-addr-by-name\n"
        ),
        "--sentinel",
    )
}

#[test]
fn follows_the_failover_of_a_dead_master() {
    let _alone = alone();
    let mut watched = Watched::start();
    let mut backend = backend(&watched.url());
    watched.sentinels[0].signal(libc::SIGSTOP);
    assert_eq!(count(&mut backend, "k", 99, patient()), Ok(Some(1)), "one sentinel is silent");
    watched.sentinels[0].signal(libc::SIGCONT);

    until("the replica has it", || watched.replica.ask("GET k") == redis::Value::BulkString(b"1".into()));
    watched.master.kill();
    let mut failed = 0;
    let number = loop {
        match count(&mut backend, "k", 99, Deadline::after(SECOND / 20)) {
            Ok(number) => break number,
            Err(Failure::NotRun(_) | Failure::Unknown(_)) => failed += 1,
            Err(other) => panic!("{other}"),
        }
        thread::sleep(Duration::from_millis(10));
        assert!(failed < 3000, "no failover");
    };
    assert!(failed > 0, "the master was away");
    assert_eq!(number, Some(2));
}

/// A master that became a replica still answers on the kept connection: READONLY, and the same call asks the new
/// one.
#[test]
fn leaves_a_master_that_was_demoted() {
    let servers = [Server::start(&[]), Server::start(&[])];
    let turn = Arc::new(AtomicUsize::new(0));
    let (ports, named) = (servers.each_ref().map(|server| server.port), Arc::clone(&turn));
    let sentinel = fake(move |mut stream| {
        let port = ports[named.load(Ordering::Relaxed)].to_string();
        let _ = stream.read(&mut [0; 512]);
        let _ = write!(stream, "*2\r\n$9\r\n127.0.0.1\r\n${}\r\n{port}\r\n", port.len());
    });
    let mut backend = backend(&format!("redis-sentinel://127.0.0.1:{sentinel}/main"));
    assert_eq!(count(&mut backend, "k", 9, patient()), Ok(Some(1)));
    servers[1].ask("SET k 5");
    servers[0].ask(&format!("REPLICAOF 127.0.0.1 {}", servers[1].port));
    turn.store(1, Ordering::Relaxed);
    assert_eq!(count(&mut backend, "k", 9, patient()), Ok(Some(6)));
}

#[test]
fn what_a_sentinel_cannot_name_is_told() {
    let watched = Watched::start();
    let unknown = watched.url().replace("/main?", "/other?");
    told(&unknown, "knows no master named 'other'");
    let anonymous = watched.url().replace("?sentinel_user=watcher&sentinel_pass=hidden", "");
    assert_eq!(count(&mut backend(&anonymous), "k", 9, patient()).unwrap_err().code(), Some("NOPERM"));
    let wrong = watched.url().replace("pass=hidden", "pass=hidd3n");
    let failure = count(&mut backend(&wrong), "k", 9, patient()).unwrap_err();
    assert_eq!(failure.code(), Some("WRONGPASS"));
    assert!(!failure.to_string().contains("hidd3n"), "{failure}");

    let port = watched.replica.port.to_string();
    let behind = format!("*2\r\n$9\r\n127.0.0.1\r\n${}\r\n{port}\r\n", port.len());
    let behind = dripping(behind.leak().as_bytes(), 100, Duration::ZERO);
    told(&format!("redis-sentinel://limiter:secret@127.0.0.1:{behind}/main"), "no master, though sentinel");
}

fn told(url: &str, text: &str) {
    match count(&mut backend(url), "k", 9, patient()) {
        Err(Failure::NotRun(told)) => assert!(told.contains(text), "{told}"),
        other => panic!("{other:?}"),
    }
}
