//! Remembered refusals with a set clock: who finds what, until when, and what makes it void.

use ratelimit::interval::Interval;
use ratelimit::policy::Policy;
use ratelimit::refusals::{Found, LONGEST_REQUEST, MOST_MEMBERS, Question, Refusals, Ticket, lifetime};
use ratelimit::reply::Answer;
use std::time::Duration;

const NOW: i64 = 1_700_000_000_000_000;
const US: u64 = 1000;
const REFUSED: Answer = Answer { now: NOW, retry: 700, remaining: 0, reset: 300, delay: 0 };

fn refusals(slots: usize) -> Refusals {
    Refusals::shared(slots).unwrap()
}

struct Call {
    endpoint: u64,
    keys: Vec<Vec<u8>>,
    request: Vec<u8>,
}

impl Call {
    fn of(name: &str) -> Self {
        let keys = vec![format!("rl:api:{name}:global").into_bytes()];
        Call { endpoint: 1, keys, request: format!("EVALSHA {name} 5 per 60 s, cost 1").into_bytes() }
    }

    fn question(&self) -> Question<'_> {
        Question { endpoint: self.endpoint, keys: &self.keys, request: &self.request }
    }

    fn ask(&self, refusals: &Refusals, at_us: u64) -> Found {
        refusals.find(&self.question(), || at_us * US)
    }

    fn found(&self, refusals: &Refusals, at_us: u64) -> Option<Vec<Answer>> {
        match self.ask(refusals, at_us) {
            Found::Refusal(refusal) => Some(refusal.answers().to_vec()),
            Found::Nothing(_) => None,
        }
    }

    fn ticket(&self, refusals: &Refusals, at_us: u64) -> Ticket {
        match self.ask(refusals, at_us) {
            Found::Nothing(ticket) => ticket,
            Found::Refusal(refusal) => panic!("{refusal:?}"),
        }
    }

    /// Asked at `at_us`, answered 20 µs later, true for 300 µs.
    fn refuse(&self, refusals: &Refusals, at_us: u64, answers: &[Answer]) {
        let ticket = self.ticket(refusals, at_us);
        let lifetime = Duration::from_micros(300);
        refusals.store(&self.question(), ticket, lifetime, answers, (at_us + 20) * US);
    }
}

#[test]
fn a_refusal_holds_from_before_it_was_asked_for_and_waits_shrink() {
    let (refusals, call) = (refusals(64), Call::of("a"));
    let passing = Answer { now: NOW, retry: 0, remaining: 9, reset: 0, delay: 0 };
    call.refuse(&refusals, 1000, &[REFUSED, passing]);
    assert_eq!(call.found(&refusals, 1020), Some(vec![REFUSED, passing]));
    let refused = Answer { now: NOW + 279, retry: 421, remaining: 0, reset: 21, delay: 0 };
    let later = vec![refused, Answer { now: NOW + 279, ..passing }];
    assert_eq!(call.found(&refusals, 1299), Some(later));
    assert_eq!(call.found(&refusals, 1300), None);
}

#[test]
fn another_call_finds_nothing() {
    let (refusals, call) = (refusals(4), Call::of("a"));
    call.refuse(&refusals, 0, &[REFUSED]);
    assert!(call.found(&refusals, 50).is_some());
    let mut other = Call::of("a");
    other.endpoint = 2;
    assert_eq!(other.found(&refusals, 50), None);
    for at in 0..call.request.len() {
        let mut other = Call::of("a");
        other.request[at] ^= 1;
        assert_eq!(other.found(&refusals, 50), None);
    }
    let mut longer = Call::of("a");
    longer.request.push(0);
    assert_eq!(longer.found(&refusals, 50), None);
}

#[test]
fn what_was_already_over_when_it_arrived_is_not_kept() {
    let (refusals, call) = (refusals(4), Call::of("a"));
    let ticket = call.ticket(&refusals, 0);
    refusals.store(&call.question(), ticket, Duration::from_micros(300), &[REFUSED], 300 * US);
    assert_eq!(call.found(&refusals, 0), None);
}

#[test]
fn forgetting_a_key_voids_what_is_kept_and_what_is_under_way() {
    let (refusals, mut call) = (refusals(64), Call::of("a"));
    call.keys.push(b"rl:api:a:other".to_vec());
    for at in 0..2 {
        call.refuse(&refusals, 0, &[REFUSED, REFUSED]);
        let other = Call::of("b");
        other.refuse(&refusals, 0, &[REFUSED]);
        refusals.forget(call.endpoint, &call.keys[at..=at]);
        assert_eq!(call.found(&refusals, 30), None);
        assert!(other.found(&refusals, 30).is_some());
        refusals.forget(call.endpoint, &other.keys);
    }

    let under_way = call.ticket(&refusals, 0);
    refusals.forget(call.endpoint, &call.keys);
    refusals.store(&call.question(), under_way, Duration::from_micros(300), &[REFUSED], 20 * US);
    assert_eq!(call.found(&refusals, 30), None);
    call.refuse(&refusals, 40, &[REFUSED]);
    assert!(call.found(&refusals, 70).is_some());
}

#[test]
fn a_full_set_gives_up_what_is_over_first() {
    let refusals = refusals(1); // rounded up to one set of four
    let calls: Vec<_> = (0..5).map(|number| Call::of(&number.to_string())).collect();
    for (at, call) in calls.iter().enumerate() {
        call.refuse(&refusals, at as u64, &[REFUSED]);
    }
    let kept: Vec<_> = calls.iter().map(|call| call.found(&refusals, 100).is_some()).collect();
    assert_eq!(kept, [false, true, true, true, true]);
    calls[1].refuse(&refusals, 301, &[REFUSED]);
    let kept: Vec<_> = calls.iter().map(|call| call.found(&refusals, 301).is_some()).collect();
    assert_eq!(kept, [false, true, true, true, true], "its own slot, not another's");
}

#[test]
fn what_does_not_fit_is_not_kept() {
    let refusals = refusals(64);
    let mut call = Call::of("a");
    call.request = vec![7; LONGEST_REQUEST];
    call.refuse(&refusals, 0, &[REFUSED; MOST_MEMBERS]);
    assert_eq!(call.found(&refusals, 20), Some(vec![REFUSED; MOST_MEMBERS]));
    call.request.push(7);
    call.refuse(&refusals, 0, &[REFUSED]);
    assert_eq!(call.found(&refusals, 20), None);
    let call = Call::of("a");
    call.refuse(&refusals, 0, &[REFUSED; MOST_MEMBERS + 1]);
    assert_eq!(call.found(&refusals, 20), None);
}

#[test]
fn no_slots_no_memory() {
    let (refusals, call) = (Refusals::OFF, Call::of("a"));
    call.refuse(&refusals, 0, &[REFUSED]);
    refusals.forget(call.endpoint, &call.keys);
    assert_eq!(call.found(&refusals, 20), None);
}

fn second() -> Interval {
    Interval::parse("1 second").unwrap()
}

fn micros(policy: &Policy, answers: &[Answer], cost: i64) -> Option<u128> {
    lifetime::of(policy, answers, cost).map(|time| time.as_micros())
}

fn refused(retry: i64, remaining: i64, reset: i64) -> Answer {
    Answer { now: NOW, retry, remaining, reset, delay: 0 }
}

#[test]
fn a_lone_refusal_lives_until_something_comes_back() {
    let bucket = Policy::token_bucket("p", 10, 1, second()).unwrap();
    let leaky = Policy::leaky_bucket("p", 10, 1, second()).unwrap();
    let log = Policy::sliding_log("p", 10, second(), false).unwrap();
    let window = Policy::fixed_window("p", 10, second(), false).unwrap();
    for policy in [&bucket, &leaky, &log, &window] {
        assert_eq!(micros(policy, &[refused(700, 0, 700)], 1), Some(700));
        assert_eq!(
            micros(policy, &[refused(700, 0, 300)], 5),
            Some(300),
            "then one is there, and another may take it"
        );
        assert_eq!(micros(policy, &[refused(700, 3, 300)], 5), None, "a cheaper call may take these");
        assert_eq!(micros(policy, &[refused(-1, 0, 300)], 11), None);
        assert_eq!(micros(policy, &[refused(0, 3, 300)], 1), None, "that is no refusal");
        assert_eq!(micros(&policy.clone().shadow(true), &[refused(700, 0, 300)], 1), None);
    }
}

#[test]
fn a_sliding_window_is_steady_while_it_refuses_one() {
    let policy = Policy::sliding_window("p", 10, second()).unwrap();
    assert_eq!(micros(&policy, &[refused(700, 0, 900)], 1), Some(700));
    assert_eq!(
        micros(&policy, &[refused(1200, 0, 900)], 1),
        Some(900),
        "then the next window's reset is told"
    );
    assert_eq!(micros(&policy, &[refused(700, 0, 900)], 2), None, "the first comes back at an untold time");
}

#[test]
fn a_compound_lives_as_long_as_its_least_steady_member() {
    let bucket = || Policy::token_bucket("bucket", 10, 1, second()).unwrap();
    let hour = || Policy::fixed_window("hour", 10, second(), false).unwrap();
    let sliding = || Policy::sliding_window("sliding", 10, second()).unwrap();
    let both = Policy::compound("c", vec![bucket(), hour()]).unwrap();
    let anchor = refused(700, 0, 700);
    assert_eq!(micros(&both, &[anchor, refused(0, 4, 900)], 1), Some(700));
    assert_eq!(micros(&both, &[refused(0, 4, 200), refused(900, 0, 900)], 1), Some(200));
    assert_eq!(
        micros(&both, &[refused(0, 10, 0), refused(900, 0, 900)], 1),
        Some(900),
        "a full bucket stays full"
    );
    assert_eq!(micros(&both, &[refused(400, 4, 200), anchor], 5), Some(200));
    assert_eq!(micros(&both, &[refused(400, 4, 200), refused(0, 9, 900)], 5), None, "nothing anchors it");
    assert_eq!(micros(&both, &[anchor, refused(-1, 4, 900)], 11), None);

    let fading = Policy::compound("c", vec![bucket(), sliding()]).unwrap();
    assert_eq!(micros(&fading, &[anchor, refused(0, 9, 100)], 1), None);
    assert_eq!(micros(&fading, &[anchor, refused(0, 10, 100)], 1), Some(100), "untouched");
    assert_eq!(micros(&fading, &[refused(0, 9, 500), refused(400, 0, 450)], 1), Some(400));

    let shared = Policy::compound("c", vec![bucket(), hour().shared(true)]).unwrap();
    assert_eq!(micros(&shared, &[anchor, refused(0, 4, 900)], 1), None, "other tenants take from it");
    assert_eq!(micros(&shared, &[refused(0, 4, 200), anchor], 1), Some(200));

    let shadow = Policy::compound("c", vec![bucket().shadow(true), hour()]).unwrap();
    assert_eq!(micros(&shadow, &[anchor, refused(0, 4, 900)], 1), None, "it refuses nobody");
}
