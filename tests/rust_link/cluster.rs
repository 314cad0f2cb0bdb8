//! A Redis Cluster whose slots move and whose masters die: never more successes than allowed.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ratelimit::call::Call;
use ratelimit::connection::deadline::Deadline;
use ratelimit::failure::Failure;

use crate::support::{Cluster, LONGEST, SECOND, Server, Stopwatch, alone, backend, count, patient, until};

const WORKERS: usize = 8;
const TIMEOUT: Duration = Duration::from_millis(50);
const KEY: &str = "rl:{api:tenant}:burst";

/// What all workers saw: which number how often, and how many calls may have counted without an answer.
#[derive(Default)]
struct Seen {
    numbers: BTreeMap<u64, u64>,
    unknown: u64,
    failed: u64,
    longest: Duration,
}

impl Seen {
    fn successes(&self) -> u64 {
        self.numbers.values().sum()
    }

    /// Successes whose number another one has as well: the first of them was lost with its master.
    fn lost(&self) -> u64 {
        self.successes() - self.numbers.len() as u64
    }
}

/// Counts `KEY` up from all workers until it is full for each.
fn fill(url: &str, limit: u64, timeout: Duration) -> Seen {
    let workers: Vec<Seen> = thread::scope(|scope| {
        let spawn = |_| scope.spawn(|| fill_by_one(url, limit, timeout));
        let spawned: Vec<_> = (0..WORKERS).map(spawn).collect();
        spawned.into_iter().map(|worker| worker.join().unwrap()).collect()
    });
    let mut all = Seen::default();
    for seen in workers {
        seen.numbers.iter().for_each(|(number, times)| *all.numbers.entry(*number).or_default() += times);
        all.unknown += seen.unknown;
        all.failed += seen.failed;
        all.longest = all.longest.max(seen.longest);
    }
    all
}

fn fill_by_one(url: &str, limit: u64, timeout: Duration) -> Seen {
    let (mut backend, mut seen, end) = (backend(url), Seen::default(), Instant::now() + LONGEST);
    loop {
        assert!(Instant::now() < end, "{url} is not full, after {} failures", seen.failed);
        let watch = Stopwatch::start();
        let result = count(&mut backend, KEY, limit, Deadline::after(timeout));
        seen.longest = seen.longest.max(watch.stop().unwrap_or_default().0);
        match result {
            Ok(Some(number)) => *seen.numbers.entry(number).or_default() += 1,
            Ok(None) => return seen,
            Err(failure) if failure.ran_nothing() => seen.failed += 1,
            Err(Failure::Unknown(_)) => seen.unknown += 1,
            Err(failure) => panic!("{failure}"),
        }
    }
}

#[test]
fn exact_while_a_slot_moves_and_bounded_when_its_owner_dies() {
    let _alone = alone();
    let mut cluster = Cluster::start();
    moving(&cluster);
    every_node_is_sent_the_text_once(&cluster);
    split_keys(&cluster);
    announced_hosts(&cluster);
    killed(&mut cluster);
}

fn moving(cluster: &Cluster) {
    const LIMIT: u64 = 4000;
    let stop = AtomicBool::new(false);
    let (seen, moves) = thread::scope(|scope| {
        let mover = scope.spawn(|| cluster.keep_moving(KEY, &stop));
        let seen = fill(&cluster.url(), LIMIT, 5 * SECOND);
        stop.store(true, Ordering::Relaxed);
        (seen, mover.join().unwrap())
    });
    assert!(moves >= 3, "the slot moved {moves} times");
    assert_eq!((seen.lost(), seen.successes() + seen.unknown), (0, LIMIT));
    assert_eq!(seen.unknown, 0, "every reply came within its time");
}

fn every_node_is_sent_the_text_once(cluster: &Cluster) {
    let masters = cluster.masters();
    let flush = |index: &usize| cluster.nodes[*index].ask("SCRIPT FLUSH");
    masters.iter().for_each(|index| drop(flush(index)));
    let texts = |index: &usize| cluster.nodes[*index].calls("eval");
    let before: Vec<u64> = masters.iter().map(texts).collect();
    let mut backend = backend(&cluster.url());
    for number in 0..300 {
        assert!(count(&mut backend, &format!("k{number}"), 9, patient()).is_ok());
    }
    let after: Vec<u64> = masters.iter().map(|index| texts(index) - 1).collect();
    assert_eq!(before, after);
    let slots = Call::command(&[b"CLUSTER", b"SLOTS"], None);
    assert!(backend.run(&slots, patient()).is_ok(), "a call without a key");
}

/// A call over two keys, of which one has moved, waits for the other.
fn split_keys(cluster: &Cluster) {
    let (one, other) = ("{split}1", "{split}2");
    let text = "return redis.call('SET', KEYS[1], (redis.call('GET', KEYS[2]) or 0) + 1)";
    let parts = ["EVAL", text, "2", one, other].map(str::as_bytes);
    let call = Call::command(&parts, Some(one.as_bytes()));
    let mut backend = backend(&cluster.url());
    let source = cluster.owner(one);
    let target = *cluster.masters().iter().find(|master| **master != source).unwrap();
    for key in [one, other] {
        cluster.nodes[source].ask(&format!("SET {key} 5"));
    }
    cluster.begin_move(one, source, target);
    cluster.migrate(one, source, target);
    let failure = backend.run(&call, patient()).unwrap_err();
    assert_eq!(failure.code(), Some("TRYAGAIN"), "{failure}");
    cluster.migrate(other, source, target);
    assert!(backend.run(&call, patient()).is_ok(), "all keys have moved, the slot has not");
    cluster.end_move(one, source, target);
    assert_eq!(cluster.nodes[target].ask(&format!("GET {one}")), redis::Value::BulkString(b"6".into()));
}

/// Nodes that announce a name that others do not know yet, one that they do, nothing but their port, or their address.
fn announced_hosts(cluster: &Cluster) {
    let set = |name: &str, value: &str| {
        cluster.nodes.iter().for_each(|node| drop(node.send(&["CONFIG", "SET", name, value]).unwrap()));
    };
    let seed = &cluster.nodes[cluster.masters()[0]];
    for (kind, name) in
        [("hostname", ""), ("hostname", "localhost"), ("unknown-endpoint", "localhost"), ("ip", "localhost")]
    {
        set("cluster-preferred-endpoint-type", kind);
        set("cluster-announce-hostname", name);
        let mut backend = backend(&format!("redis-cluster://limiter:secret@127.0.0.1:{}", seed.port));
        for number in 0..50 {
            let counted = count(&mut backend, &format!("{kind}{name}{number}"), 9, patient());
            assert!(counted.is_ok(), "{kind} {name}: {counted:?}");
        }
        let mut moved = crate::support::backend(&cluster.url());
        assert!(count(&mut moved, "moved", 99, patient()).is_ok());
        let masters = cluster.masters();
        let owner = cluster.owner("moved");
        let target = *masters.iter().find(|master| **master != owner).unwrap();
        cluster.move_slot("moved", owner, target);
        let counted = count(&mut moved, "moved", 99, patient());
        assert!(counted.is_ok(), "after MOVED with {kind} {name}: {counted:?}");
    }
}

/// The owner dies in the middle. What it had not handed to its replica is counted again, and nothing else.
fn killed(cluster: &mut Cluster) {
    const LIMIT: u64 = 3000;
    let (url, owner) = (cluster.url(), cluster.owner(KEY));
    cluster.nodes[owner].ask(&format!("DEL {KEY}"));
    let seen = thread::scope(|scope| {
        let filling = scope.spawn(|| fill(&url, LIMIT, TIMEOUT));
        let node: &mut Server = &mut cluster.nodes[owner];
        let counted = || redis::from_redis_value::<Option<u64>>(node.ask(&format!("GET {KEY}"))).unwrap();
        until("a third has been counted", || counted() >= Some(LIMIT / 3));
        node.kill();
        filling.join().unwrap()
    });
    assert!(seen.longest <= TIMEOUT + SECOND / 100, "the longest call took {:?}", seen.longest);
    assert!(seen.failed > 0, "the master died while it was asked");
    assert!(seen.lost() <= 100, "{} successes were lost", seen.lost());
    let counted = seen.numbers.len() as u64;
    assert!((LIMIT - seen.unknown..=LIMIT).contains(&counted), "{counted} numbers, {} unknown", seen.unknown);
}
