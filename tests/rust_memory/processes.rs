//! The shared memory under many processes at once, some of which are killed or stopped wherever they happen to be.

use crate::child::{fork, wait};
use libc::pid_t;
use ratelimit::breaker::{self, Admission, Circuits, Settings};
use ratelimit::hash;
use ratelimit::refusals::{self, Found, Question, Refusals};
use ratelimit::reply::Answer;
use ratelimit::shared_memory::map;
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::time::{Duration, Instant};

const REDIS: u64 = 0xfeed;
const LONG: Duration = Duration::from_secs(3600);

/// Children of this test, gone when it ends however it ends.
struct Workers(Vec<pid_t>);

impl Workers {
    /// `work` gets the worker's number, and allocates nothing.
    fn start(count: usize, work: impl Fn(usize)) -> Self {
        Workers((0..count).map(|number| Self::fork(number, &work)).collect())
    }

    fn fork(number: usize, work: impl Fn(usize)) -> pid_t {
        fork(|| {
            work(number);
            0
        })
    }

    fn signal(&self, at: usize, signal: i32) {
        // SAFETY: a child of this process that has not been waited for, so the id is still its own.
        assert_eq!(unsafe { libc::kill(self.0[at], signal) }, 0);
    }

    /// Kills one wherever it is and puts another in its place.
    fn replace(&mut self, at: usize, work: impl Fn(usize)) {
        self.signal(at, libc::SIGKILL);
        assert_eq!(wait(self.0[at]), libc::SIGKILL);
        self.0[at] = Self::fork(at, work);
    }

    /// Waits for their ends; all must have ended well.
    fn finish(mut self) {
        for worker in self.0.drain(..) {
            assert_eq!(wait(worker), 0);
        }
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        for at in 0..self.0.len() {
            self.signal(at, libc::SIGKILL);
            wait(self.0[at]);
        }
    }
}

fn numbers(count: usize) -> &'static [AtomicU64] {
    map(count).unwrap()
}

fn wait_until(arrived: impl Fn() -> bool) {
    let start = Instant::now();
    while !arrived() {
        assert!(start.elapsed() < Duration::from_secs(60), "a worker has failed");
        std::thread::yield_now();
    }
}

#[test]
fn what_is_shared_before_a_fork_is_one_memory() {
    let settings = Settings { failures: 1, cooldown: LONG };
    let question = Question { endpoint: REDIS, keys: &[], request: b"cost 1" };
    let answer = Answer { now: 1, retry: 2_000_000_000, remaining: 0, reset: 2_000_000_000, delay: 0 };
    let remember = || {
        let Found::Nothing(ticket) = refusals::find(&question) else { panic!() };
        refusals::store(&question, ticket, LONG, &[answer]);
    };
    remember();
    assert!(matches!(refusals::find(&question), Found::Nothing(_)), "nothing is shared yet");
    assert!(breaker::snapshot().is_empty());

    assert!(breaker::share() && refusals::share(16));
    Workers::start(1, |_| {
        let Admission::Pass(ticket) = breaker::admit(REDIS, &settings) else { panic!() };
        assert!(breaker::failed(ticket, &settings));
        remember();
    })
    .finish();
    assert!(matches!(breaker::admit(REDIS, &settings), Admission::Open { failures: 1, .. }));
    assert!(matches!(refusals::find(&question), Found::Refusal(_)));
    assert!(breaker::share() && refusals::share(0), "a second time changes nothing");
    assert!(matches!(refusals::find(&question), Found::Refusal(_)));
}

#[test]
fn of_all_workers_one_warns_per_outage() {
    const WORKERS: usize = 6;
    const OUTAGES: u64 = 1000;
    let settings = Settings { failures: 3, cooldown: Duration::from_millis(1) };
    let circuits = Circuits::shared().unwrap();
    let [round, failed, warnings] = numbers(3) else { panic!() };

    let workers = Workers::start(WORKERS, |_| {
        for outage in 1..=OUTAGES {
            wait_until(|| round.load(SeqCst) == outage);
            let ticket = match circuits.admit(REDIS, &settings, || outage * 10_000_000) {
                Admission::Pass(ticket) | Admission::Probe(ticket) => Some(ticket),
                Admission::Open { .. } => None,
            };
            let warns =
                ticket.is_some_and(|ticket| circuits.failed(ticket, &settings, || outage * 10_000_000));
            warnings.fetch_add(u64::from(warns), SeqCst);
            failed.fetch_add(1, SeqCst);
        }
    });
    for outage in 1..=OUTAGES {
        round.store(outage, SeqCst);
        wait_until(|| failed.load(SeqCst) == outage * WORKERS as u64);
        assert_eq!(warnings.load(SeqCst), outage);
        match circuits.admit(REDIS, &settings, || outage * 10_000_000 + 5_000_000) {
            Admission::Pass(ticket) | Admission::Probe(ticket) => circuits.succeeded(ticket),
            Admission::Open { .. } => panic!("its cooldown is over"),
        }
    }
    workers.finish();
}

#[test]
fn of_all_workers_one_probes_per_cooldown_though_probers_are_killed() {
    const COOLDOWNS: u64 = 100;
    const MS: u64 = 1_000_000;
    let settings = Settings { failures: 1, cooldown: Duration::from_millis(1) };
    let circuits = Circuits::shared().unwrap();
    let [now_ms, tries] = numbers(2) else { panic!() };
    let probes = numbers(COOLDOWNS as usize + 1);
    now_ms.store(0, SeqCst);
    let Admission::Pass(ticket) = circuits.admit(REDIS, &settings, || 0) else { panic!() };
    circuits.failed(ticket, &settings, || 0);

    let work = |_| loop {
        let asked_ms = Cell::new(0);
        let now_ns = || {
            asked_ms.set(now_ms.load(SeqCst));
            asked_ms.get() * MS
        };
        match circuits.admit(REDIS, &settings, now_ns) {
            Admission::Probe(ticket) => {
                probes[asked_ms.get() as usize].fetch_add(1, SeqCst);
                circuits.failed(ticket, &settings, now_ns);
            }
            Admission::Open { .. } => {}
            Admission::Pass(_) => panic!("it is open"),
        }
        tries.fetch_add(1, SeqCst);
    };
    let mut workers = Workers::start(4, work);
    for cooldown in 1..=COOLDOWNS {
        now_ms.store(cooldown, SeqCst);
        let start = tries.load(SeqCst);
        wait_until(|| tries.load(SeqCst) > start + 100);
        workers.replace(cooldown as usize % 4, work);
    }
    drop(workers);
    // A prober that was killed may not have got as far as to count itself.
    let counts: Vec<_> = probes.iter().map(|count| count.load(SeqCst)).collect();
    assert!(counts.iter().all(|&count| count <= 1), "{counts:?}");
    assert!(counts.iter().sum::<u64>() > COOLDOWNS * 9 / 10, "{counts:?}");
}

/// Numbers that show which call and which writing of it they belong to.
fn answers(call: usize, nonce: u64) -> [Answer; 2] {
    [0, 1].map(|member| {
        let number = |part| (hash::mix(nonce, (call * 2 + member) as u64 * 5 + part) >> 12) as i64;
        Answer { now: nonce as i64, retry: number(1), remaining: number(2), reset: number(3), delay: 0 }
    })
}

#[test]
fn no_reader_sees_a_mixture_though_writers_are_killed_and_stopped() {
    const CALLS: usize = 6;
    let refusals = Refusals::shared(4).unwrap(); // one set of four slots for six calls
    let calls: Vec<_> = (0..CALLS).map(|call| (vec![], vec![call as u8; 200 + call % 2])).collect();
    let question = |call: usize| Question { endpoint: 1, keys: &calls[call].0, request: &calls[call].1 };
    let [hits, writes, stop] = numbers(3) else { panic!() };
    let tickets: Vec<_> = (0..CALLS).map(|call| ticket(&refusals, &question(call))).collect();

    let work = |worker: usize| {
        let mut random = worker as u64;
        while stop.load(SeqCst) == 0 {
            random = hash::mix(random, 1);
            let call = random as usize % CALLS;
            if let Found::Refusal(refusal) = refusals.find(&question(call), || 1000) {
                let nonce = refusal.answers()[0].now as u64;
                assert_eq!(refusal.answers(), answers(call, nonce));
                hits.fetch_add(1, SeqCst);
            }
            let nonce = writes.fetch_add(1, SeqCst) + 1;
            let lifetime = LONG + Duration::from_nanos(nonce);
            refusals.store(&question(call), tickets[call], lifetime, &answers(call, nonce), 1000);
        }
    };
    let mut workers = Workers::start(4, work);
    for upheaval in 0..50 {
        let (killed, stopped) = (upheaval % 4, (upheaval + 1) % 4);
        let start = writes.load(SeqCst);
        workers.signal(stopped, libc::SIGSTOP);
        wait_until(|| writes.load(SeqCst) > start + 1000);
        workers.replace(killed, work);
        workers.signal(stopped, libc::SIGCONT);
        wait_until(|| writes.load(SeqCst) > start + 2000);
    }
    stop.store(1, SeqCst);
    workers.finish();
    assert!(hits.load(SeqCst) > 1000, "{hits:?}");

    // Whatever the dead left behind, every slot can be used.
    for (call, ticket) in tickets.iter().enumerate().take(4) {
        refusals.store(&question(call), *ticket, 2 * LONG, &answers(call, 7), 1000);
    }
    for call in 0..4 {
        let Found::Refusal(refusal) = refusals.find(&question(call), || 1000) else { panic!("call {call}") };
        assert_eq!(refusal.answers(), answers(call, 7));
    }
}

fn ticket(refusals: &Refusals, question: &Question<'_>) -> ratelimit::refusals::Ticket {
    match refusals.find(question, || 1000) {
        Found::Nothing(ticket) => ticket,
        Found::Refusal(refusal) => panic!("{refusal:?}"),
    }
}

#[test]
fn nobody_finds_a_refusal_from_before_a_reset_that_has_returned() {
    const RESETS: u64 = 300;
    const END: u64 = u64::MAX;
    let refusals = Refusals::shared(4).unwrap();
    let keys = [b"rl:api:t:global".to_vec()];
    let question = Question { endpoint: 1, keys: &keys, request: b"cost 1" };
    // Redis' state is a count of its resets; `returned` is how many of them the one who resets has seen return.
    let [redis, returned, finds, asks] = numbers(4) else { panic!() };

    let work = |worker: usize| {
        if worker == 0 {
            for resets in 1..=RESETS {
                redis.store(resets, SeqCst);
                refusals.forget(question.endpoint, question.keys);
                returned.store(resets, SeqCst);
                let start = finds.load(SeqCst) + asks.load(SeqCst);
                wait_until(|| finds.load(SeqCst) + asks.load(SeqCst) > start + 5);
            }
            returned.store(END, SeqCst);
            return;
        }
        loop {
            let resets = returned.load(SeqCst);
            if resets == END {
                return;
            }
            match refusals.find(&question, || 1000) {
                Found::Refusal(refusal) => {
                    assert!(refusal.answers()[0].now as u64 >= resets);
                    finds.fetch_add(1, SeqCst);
                }
                Found::Nothing(ticket) => {
                    let answer =
                        Answer { now: redis.load(SeqCst) as i64, retry: 9, remaining: 0, reset: 9, delay: 0 };
                    refusals.store(&question, ticket, LONG, &[answer], 1000);
                    asks.fetch_add(1, SeqCst);
                }
            }
        }
    };
    Workers::start(4, work).finish();
    assert!(finds.load(SeqCst) > 300 && asks.load(SeqCst) > 300, "{finds:?} {asks:?}");
}
