//! A reply is only ever read by the call that asked for it, even where replies come late, cut or not at all.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use ratelimit::connection::deadline::Deadline;
use ratelimit::failure::Failure;

use crate::support::{Random, SECOND, Server, alone, backend, count, dripping, fake, patient, seed};

/// Lies between the clients and the server, and harms one reply in eight.
fn proxy(server: u16, seed: u64) -> u16 {
    static CONNECTIONS: AtomicU64 = AtomicU64::new(0);
    fake(move |mut client| {
        let mut random = Random::new(seed + CONNECTIONS.fetch_add(1, Ordering::Relaxed));
        let mut server = TcpStream::connect(("127.0.0.1", server)).unwrap();
        let (mut upstream, mut requests) = (server.try_clone().unwrap(), client.try_clone().unwrap());
        thread::spawn(move || {
            let _ = std::io::copy(&mut requests, &mut upstream);
            let _ = upstream.shutdown(Shutdown::Both);
        });
        let mut reply = [0; 4096];
        while let Ok(read @ 1..) = server.read(&mut reply) {
            let reply = &reply[..read];
            let kept = match random.next() % 32 {
                0 => {
                    thread::sleep(Duration::from_millis(5 + random.next() % 30));
                    reply
                }
                1 => &reply[..random.next() as usize % read],
                2 => &[],
                3 => break,
                _ => reply,
            };
            if client.write_all(kept).is_err() {
                break;
            }
        }
        let _ = (client.shutdown(Shutdown::Both), server.shutdown(Shutdown::Both));
    })
}

#[test]
fn late_cut_and_lost_replies_reach_nobody_else() {
    const KEYS: u64 = 50;
    const CALLS: u64 = 10_000;
    let _alone = alone();
    let server = Server::start(&[]);
    let seed = seed();
    let url = format!("redis://127.0.0.1:{}", proxy(server.port, seed));
    let calls: Vec<AtomicU64> = (0..KEYS).map(|_| AtomicU64::new(0)).collect();
    let answered: Vec<AtomicU64> = (0..KEYS).map(|_| AtomicU64::new(0)).collect();
    thread::scope(|scope| {
        for worker in 0..8 {
            let (url, calls, answered) = (&url, &calls, &answered);
            scope.spawn(move || {
                let (mut backend, mut random) = (backend(url), Random::new(seed ^ worker));
                for _ in 0..CALLS / 8 {
                    let key = (random.next() % KEYS) as usize;
                    // count() itself fails where the reply names another key.
                    let result =
                        count(&mut backend, &format!("key:{key}"), CALLS, Deadline::after(SECOND / 50));
                    match result {
                        Ok(_) => drop(answered[key].fetch_add(1, Ordering::Relaxed)),
                        Err(Failure::Unknown(_)) => {}
                        Err(Failure::NotRun(_)) => continue,
                        Err(other) => panic!("seed {seed}: {other}"),
                    }
                    calls[key].fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    for key in 0..KEYS as usize {
        let value: Option<u64> = redis::from_redis_value(server.ask(&format!("GET key:{key}"))).unwrap();
        let (answered, calls) = (answered[key].load(Ordering::Relaxed), calls[key].load(Ordering::Relaxed));
        let charged = value.unwrap_or(0);
        assert!((answered..=calls).contains(&charged), "seed {seed}: {answered}, {charged}, {calls}");
    }
    let lost: u64 = calls.iter().chain(&answered).map(|count| count.load(Ordering::Relaxed)).sum();
    assert!(lost < 2 * CALLS, "the proxy of seed {seed} harmed nothing");
}

#[test]
fn what_is_no_reply_is_told_so() {
    for (reply, text) in [
        (&b"HTTP/1.1 400 Bad Request\r\n\r\n"[..], "did not answer like a Redis server"),
        (b"$1\r\nabc\r\n", "did not answer like a Redis server"),
        (b"$1\r\na\r\n$1\r\nb\r\n", "answered more than it was asked"),
    ] {
        let mut backend = backend(&format!("redis://127.0.0.1:{}", dripping(reply, 100, Duration::ZERO)));
        for _ in 0..3 {
            match count(&mut backend, "k", 9, patient()) {
                Err(Failure::Unknown(told)) => assert!(told.contains(text), "{told}"),
                other => panic!("{other:?}"),
            }
        }
    }
}

#[test]
fn a_reply_that_comes_in_pieces_or_is_long_is_read_whole() {
    let port = dripping(b"$4\r\nk 17\r\n", 1, Duration::from_millis(1));
    let mut pieces = backend(&format!("redis://127.0.0.1:{port}"));
    assert_eq!(count(&mut pieces, "k", 9, patient()), Ok(Some(17)));
    assert_eq!(count(&mut pieces, "k", 9, patient()), Ok(Some(17)));

    let server = Server::start(&[]);
    let long = "long".repeat(500_000);
    let mut backend = backend(&server.tcp());
    assert_eq!(count(&mut backend, &long, 9, patient()), Ok(Some(1)));
    assert_eq!(count(&mut backend, "short", 9, patient()), Ok(Some(1)));
}
