//! The circuit breaker with a set clock: when it opens, who probes, who warns, and whose news is out of date.

use ratelimit::breaker::{Admission, CAPACITY, Circuits, Position, Settings, Snapshot, State, Ticket};
use std::time::Duration;

const MS: u64 = 1_000_000;
const REDIS: u64 = 0xfeed;
const SETTINGS: Settings = Settings { failures: 3, cooldown: Duration::from_millis(1000) };
const OFF: Settings = Settings { failures: 0, ..SETTINGS };

fn circuits() -> Circuits {
    Circuits::shared().unwrap()
}

fn admit(circuits: &Circuits, at_ms: u64) -> Admission {
    circuits.admit(REDIS, &SETTINGS, || at_ms * MS)
}

fn passed(circuits: &Circuits, at_ms: u64) -> Ticket {
    match admit(circuits, at_ms) {
        Admission::Pass(ticket) => ticket,
        other => panic!("{other:?}"),
    }
}

fn probe(circuits: &Circuits, at_ms: u64) -> Ticket {
    match admit(circuits, at_ms) {
        Admission::Probe(ticket) => ticket,
        other => panic!("{other:?}"),
    }
}

fn fail(circuits: &Circuits, ticket: Ticket, at_ms: u64) -> bool {
    circuits.failed(ticket, &SETTINGS, || at_ms * MS)
}

fn open(wait_ms: u64, failures: u32) -> Admission {
    Admission::Open { retry_after: Duration::from_millis(wait_ms), failures }
}

/// Three failures at 5000 ms: open until 6000.
fn opened() -> Circuits {
    let circuits = circuits();
    for _ in 0..3 {
        let ticket = passed(&circuits, 5000);
        fail(&circuits, ticket, 5000);
    }
    circuits
}

#[test]
fn it_opens_after_failures_in_a_row() {
    let circuits = circuits();
    for _ in 0..2 {
        fail(&circuits, passed(&circuits, 10), 10);
    }
    circuits.succeeded(passed(&circuits, 11));
    for _ in 0..3 {
        fail(&circuits, passed(&circuits, 5000), 5000);
    }
    assert_eq!(admit(&circuits, 5000), open(1000, 3));
    assert_eq!(admit(&circuits, 5999), open(1, 3));
    assert!(matches!(circuits.admit(REDIS + 1, &SETTINGS, || 0), Admission::Pass(_)), "another endpoint");
}

#[test]
fn one_call_per_cooldown_probes() {
    let circuits = opened();
    let first = probe(&circuits, 6000);
    assert_eq!(admit(&circuits, 6000), open(1000, 3));
    assert!(!fail(&circuits, first, 6050));
    assert_eq!(admit(&circuits, 6999), open(1, 4), "counted from the probe's start, however long it took");
    probe(&circuits, 7100);
    assert_eq!(admit(&circuits, 8099), open(1, 4), "and the second prober died");
    circuits.succeeded(probe(&circuits, 8100));
    passed(&circuits, 8100);
}

#[test]
fn a_probe_that_fails_after_its_cooldown_opens_another() {
    let circuits = opened();
    let slow = probe(&circuits, 6000);
    fail(&circuits, slow, 9000);
    assert_eq!(admit(&circuits, 9000), open(1000, 4));
}

#[test]
fn many_failures_at_once_open_it_once() {
    let circuits = circuits();
    let tickets: Vec<_> = (0..16).map(|_| passed(&circuits, 100)).collect();
    for (at, ticket) in tickets.into_iter().enumerate() {
        fail(&circuits, ticket, 150 + at as u64);
    }
    assert_eq!(admit(&circuits, 170), open(152 + 1000 - 170, 16));
}

#[test]
fn an_outage_is_warned_of_once() {
    for settings in [SETTINGS, OFF] {
        let circuits = circuits();
        let at = |ms: u64| move || ms * MS;
        let ticket = |ms| match circuits.admit(REDIS, &settings, at(ms)) {
            Admission::Pass(ticket) => ticket,
            other => panic!("{other:?}"),
        };
        assert!(circuits.failed(ticket(0), &settings, at(0)));
        assert!(!circuits.failed(ticket(0), &settings, at(0)));
        circuits.succeeded(ticket(1000));
        assert!(circuits.failed(ticket(1000), &settings, at(1000)));
        assert!(!circuits.failed(ticket(5000), &settings, at(5000)));
    }
}

/// As where a server is out of memory: charges fail, refusals are answered, in turn.
#[test]
fn outages_that_end_at_once_are_warned_of_once_per_cooldown() {
    let circuits = circuits();
    let warnings = (0..10_000).filter(|ms| {
        let warns = fail(&circuits, passed(&circuits, *ms), *ms);
        circuits.succeeded(passed(&circuits, *ms));
        warns
    });
    assert_eq!(warnings.collect::<Vec<_>>(), (0..10).map(|second| second * 1000).collect::<Vec<_>>());
}

/// It began too soon after the last one to be warned of at once, and then stays.
#[test]
fn no_outage_goes_without_its_warning() {
    let circuits = circuits();
    assert!(fail(&circuits, passed(&circuits, 0), 0));
    circuits.succeeded(passed(&circuits, 1));
    for at in [2, 3, 4] {
        assert!(!fail(&circuits, passed(&circuits, at), at));
    }
    assert!(fail(&circuits, probe(&circuits, 1004), 1004));
    assert!(!fail(&circuits, probe(&circuits, 2004), 2004));
}

#[test]
fn a_success_that_began_before_the_outage_does_not_end_it() {
    let circuits = circuits();
    let early = passed(&circuits, 0);
    assert!(fail(&circuits, passed(&circuits, 0), 1));
    circuits.succeeded(early);
    assert!(!fail(&circuits, passed(&circuits, 2), 3));
    assert_eq!(circuits.snapshot(0)[0].failures, 2);
}

#[test]
fn a_failure_that_began_before_the_recovery_is_no_new_outage() {
    let circuits = opened();
    let slow = probe(&circuits, 6000);
    circuits.succeeded(probe(&circuits, 7000));
    assert!(!fail(&circuits, slow, 7001));
    assert_eq!(circuits.snapshot(0)[0].failures, 0);
    assert!(fail(&circuits, passed(&circuits, 7002), 7003));
}

#[test]
fn a_late_success_of_the_same_outage_ends_it() {
    let circuits = opened();
    let slow = probe(&circuits, 6000);
    let other = probe(&circuits, 7000);
    circuits.succeeded(slow);
    passed(&circuits, 7001);
    assert!(!fail(&circuits, other, 7050));
}

#[test]
fn failures_that_never_open_it_are_counted_up_to_a_bound() {
    let circuits = circuits();
    for _ in 0..State::MOST_FAILURES + 10 {
        circuits.failed(passed(&circuits, 0), &OFF, || 0);
    }
    assert_eq!(circuits.snapshot(0)[0].failures, State::MOST_FAILURES);
    assert_eq!(circuits.snapshot(0)[0].position, Position::Closed);
    let beyond = Settings { failures: u32::MAX, ..SETTINGS };
    circuits.failed(passed(&circuits, 0), &beyond, || 0);
    assert_eq!(circuits.snapshot(0)[0].position, Position::Open);
}

#[test]
fn the_snapshot_tells_how_each_endpoint_stands() {
    let circuits = opened();
    let mut shown = Snapshot {
        endpoint: REDIS,
        position: Position::Open,
        failures: 3,
        retry_after: Duration::from_millis(400),
    };
    assert_eq!(circuits.snapshot(5600 * MS), [shown]);
    (shown.position, shown.retry_after) = (Position::HalfOpen, Duration::ZERO);
    assert_eq!(circuits.snapshot(6000 * MS), [shown]);
    circuits.succeeded(probe(&circuits, 6000));
    (shown.position, shown.failures) = (Position::Closed, 0);
    assert_eq!(circuits.snapshot(6001 * MS), [shown]);
}

#[test]
fn endpoints_beyond_the_table_warn_once_and_never_open() {
    let circuits = circuits();
    let fail = |endpoint| match circuits.admit(endpoint, &SETTINGS, || 0) {
        Admission::Pass(ticket) => circuits.failed(ticket, &SETTINGS, || 0),
        other => panic!("{other:?}"),
    };
    // Endpoint 0 too has a circuit; all of these begin their search at the same place.
    assert!((0..CAPACITY as u64).map(|number| number * CAPACITY as u64).all(fail));
    assert!(fail(3));
    assert!((0..100).all(|_| !fail(3)));
    assert_eq!(circuits.snapshot(0).len(), CAPACITY);
}

#[test]
fn an_endless_cooldown_has_an_end_in_the_far_future() {
    let circuits = circuits();
    let settings = Settings { failures: 1, cooldown: Duration::MAX };
    circuits.failed(passed(&circuits, 0), &settings, || 1);
    let Admission::Open { retry_after, failures: 1 } = circuits.admit(REDIS, &settings, || 1) else {
        panic!()
    };
    assert!(retry_after > Duration::from_secs(86_400 * 365 * 30));
}

#[test]
fn an_answer_that_concerns_one_call_closes_it_though_the_outage_goes_on() {
    let circuits = opened();
    let ticket = probe(&circuits, 6000);
    circuits.answered(ticket);
    assert!(!circuits.failed(ticket, &OFF, || 6000 * MS), "no second warning");
    fail(&circuits, passed(&circuits, 6001), 6002);
    assert_eq!(admit(&circuits, 6003), open(999, 5), "the next failure of the endpoint opens it again");
}

#[test]
fn an_answer_from_before_the_outage_closes_nothing() {
    let circuits = circuits();
    let early = passed(&circuits, 4999);
    for _ in 0..3 {
        fail(&circuits, passed(&circuits, 5000), 5000);
    }
    circuits.answered(early);
    assert_eq!(admit(&circuits, 5001), open(999, 3));
}
