//! No call outlives its deadline by more than 10 ms, whatever the server does.

use std::thread;
use std::time::Duration;

use ratelimit::failure::Failure;
use ratelimit::{connection::backend::Backend, connection::deadline::Deadline};

use crate::support::{
    Folder, Full, SECOND, Server, Stopwatch, alone, backend, certificates, count, dripping, free_port,
    patient, silent,
};

const SLACK: Duration = Duration::from_millis(10);
const TIMEOUTS: [Duration; 2] = [Duration::from_millis(50), Duration::from_millis(20)];
const CALLS: usize = 200;
const THREADS: usize = 4;

/// Calls what stands behind `url` and checks each failure, and how long it took.
fn hold(url: &str, check: impl Fn(&Failure) + Sync) {
    let (_alone, check) = (alone(), &check);
    thread::scope(|scope| {
        for timeout in TIMEOUTS {
            for _ in 0..THREADS {
                scope.spawn(move || hold_with(&mut backend(url), timeout, check));
            }
        }
    });
}

/// Calls during which the machine stood still say nothing, and are made again. One that was kept from running may
/// have reached its deadline earlier than the fault.
fn hold_with(backend: &mut Backend, timeout: Duration, check: impl Fn(&Failure)) {
    let (mut waits, mut checked) = (Vec::new(), 0);
    for _ in 0..20 * CALLS {
        let watch = Stopwatch::start();
        let failure = count(backend, "k", 9, Deadline::after(timeout)).expect_err("it answers nothing");
        let Some((waited, own)) = watch.stop() else { continue };
        if own < SLACK {
            check(&failure);
            checked += 1;
        }
        waits.push(waited);
        if waits.len() == CALLS / THREADS {
            break;
        }
    }
    assert!(waits.len() == CALLS / THREADS && checked > 0, "the machine is too busy to tell");
    let longest = waits.iter().max().copied().unwrap_or_default();
    assert!(longest <= timeout + SLACK, "the longest call took {longest:?} of {timeout:?}");
}

fn not_run(failure: &Failure, text: &str) {
    match failure {
        Failure::NotRun(told) => assert!(told.contains(text), "{told}"),
        other => panic!("expected '{text}', got {other:?}"),
    }
}

fn unknown(failure: &Failure, text: &str) {
    match failure {
        Failure::Unknown(told) => assert!(told.contains(text), "{told}"),
        other => panic!("expected '{text}', got {other:?}"),
    }
}

#[test]
fn closed_port() {
    hold(&format!("redis://127.0.0.1:{}", free_port()), |failure| not_run(failure, "no connection: "));
}

#[test]
fn black_hole() {
    let (_full, port) = Full::tcp();
    hold(&format!("redis://127.0.0.1:{port}"), |failure| not_run(failure, "no connection within "));
}

#[test]
fn unix_socket_with_a_full_queue() {
    let folder = Folder::new();
    let _full = Full::unix(&folder.file("full"));
    hold(&format!("unix://{}", folder.file("full")), |failure| {
        not_run(failure, "queue of new connections is full")
    });
}

#[test]
fn accepts_and_never_answers() {
    hold(&format!("redis://127.0.0.1:{}", silent()), |failure| unknown(failure, "no answer within "));
}

#[test]
fn never_answers_a_login() {
    hold(&format!("redis://:secret@127.0.0.1:{}", silent()), |failure| not_run(failure, "no answer within "));
}

#[test]
fn silent_tls_server() {
    let folder = Folder::new();
    certificates(&folder);
    let url = format!("rediss://127.0.0.1:{}?ca={}", silent(), folder.file("ca.crt"));
    hold(&url, |failure| not_run(failure, "no connection within "));
}

#[test]
fn half_a_reply() {
    let port = dripping(b"$10\r\nhalf", 100, Duration::ZERO);
    hold(&format!("redis://127.0.0.1:{port}"), |failure| unknown(failure, "no answer within "));
}

#[test]
fn a_byte_every_40_ms() {
    let port = dripping(b"$10\r\n0123456789\r\n", 1, Duration::from_millis(40));
    hold(&format!("redis://127.0.0.1:{port}"), |failure| unknown(failure, "no answer within "));
    hold(&format!("redis://:secret@127.0.0.1:{port}"), |failure| not_run(failure, "no answer within "));
}

/// One call at a time: each starts a thread, which eight at once make slow.
#[test]
fn a_name_that_leads_nowhere() {
    let _alone = alone();
    for timeout in TIMEOUTS {
        let mut backend = backend("redis://nowhere.invalid");
        for _ in 0..THREADS {
            hold_with(&mut backend, timeout, |failure| {
                not_run(failure, "nowhere.invalid:6379: no connection")
            });
        }
    }
}

#[test]
fn stopped_in_the_middle() {
    let server = Server::start(&[]);
    for url in [server.unix(), server.tcp()] {
        let _alone = alone();
        let mut backends = TIMEOUTS.map(|timeout| (timeout, backend(&url)));
        for (_, backend) in &mut backends {
            assert!(count(backend, "k", 1000, patient()).is_ok());
        }
        server.signal(libc::SIGSTOP);
        thread::scope(|scope| {
            for (timeout, backend) in &mut backends {
                scope.spawn(|| hold_with(backend, *timeout, |failure| unknown(failure, "no answer within ")));
            }
        });
        server.signal(libc::SIGCONT);
        for (_, backend) in &mut backends {
            assert!(count(backend, "k", 1000, patient()).is_ok());
        }
    }
}

#[test]
fn a_cluster_and_sentinels_that_never_answer() {
    let hosts = (0..3).map(|_| format!("127.0.0.1:{}", silent())).collect::<Vec<_>>().join(",");
    hold(&format!("redis-cluster://{hosts}"), |failure| {
        assert!(matches!(failure, Failure::NotRun(_)), "{failure:?}");
    });
    hold(&format!("redis-sentinel://{hosts}/mymaster"), |failure| not_run(failure, " within "));
}

#[test]
fn a_deadline_that_has_passed_asks_nobody() {
    let server = Server::start(&[]);
    let mut backend = backend(&server.unix());
    assert_eq!(count(&mut backend, "k", 9, patient()), Ok(Some(1)));
    let late = count(&mut backend, "k", 9, Deadline::after(Duration::ZERO));
    not_run(&late.unwrap_err(), "within 0 ms");
    assert_eq!(count(&mut backend, "k", 9, Deadline::after(SECOND)), Ok(Some(2)));
}
