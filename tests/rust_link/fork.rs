//! What a worker keeps: one connection per endpoint, found again by each call, and another one in a forked child.

use ratelimit::call::Call;
use ratelimit::{connection::worker, stats};

use crate::support::child::{fork, wait};
use crate::support::{COUNT, Server, TRUST, TlsServer, endpoint, patient};

const CHILDREN: u64 = 4;
const CALLS: u64 = 50;

fn count_in_worker(url: &str) -> bool {
    let mut call = Call::script(&COUNT, &[b"k".to_vec()], 1);
    call.push(b"9999");
    worker::run(&endpoint(url), &call, patient()).is_ok()
}

/// A child that counts and does nothing else; its exit code is the number of successes.
fn fork_and_count(url: &str) -> i32 {
    fork(|| (0..CALLS).filter(|_| count_in_worker(url)).count() as u8)
}

#[test]
fn forked_children_open_connections_of_their_own() {
    let tls = TlsServer::start();
    let server = &tls.server;
    for url in [server.unix(), server.tcp(), tls.url("127.0.0.1", TRUST)] {
        server.ask("DEL k");
        let before = server.connections();
        assert!(count_in_worker(&url));
        let children: Vec<i32> = (0..CHILDREN).map(|_| fork_and_count(&url)).collect();
        for _ in 0..CALLS {
            assert!(count_in_worker(&url), "the parent goes on beside them");
        }
        for child in children {
            assert_eq!(libc::WEXITSTATUS(wait(child)), CALLS as i32);
        }
        assert!(count_in_worker(&url));
        let counted: u64 = redis::from_redis_value(server.ask("GET k")).unwrap();
        assert_eq!(counted, (CHILDREN + 1) * CALLS + 2);
        assert_eq!(server.connections() - before, 1 + CHILDREN + 2, "two are those of GET and INFO");
    }
}

#[test]
fn equal_urls_share_a_connection_and_others_do_not() {
    let server = Server::start(&[]);
    let before = (server.connections(), stats::CONNECTS.get());
    for _ in 0..100 {
        assert!(count_in_worker(&server.unix()));
        assert!(count_in_worker(&format!("{}?db=0", server.unix())));
        assert!(count_in_worker(&format!("{}?db=1", server.unix())));
    }
    assert_eq!(server.connections() - before.0, 2 + 1, "one is that of INFO");
    assert!(stats::CONNECTS.get() >= before.1 + 2);
    std::thread::scope(|scope| {
        scope.spawn(|| assert!(count_in_worker(&server.unix()), "another thread has its own"));
    });
    assert_eq!(server.connections() - before.0, 3 + 2);
}
