//! What the breaker and the memory of refusals cost a decision, in ns: cargo run --release --example shared_memory

use ratelimit::breaker::{Admission, Circuits, Settings};
use ratelimit::refusals::{Found, Question, Refusals};
use ratelimit::reply::Answer;
use ratelimit::shared_memory::monotonic_ns;
use std::hint::black_box;
use std::time::{Duration, Instant};

const BATCHES: usize = 2001;
const CALLS: u32 = 200;
const LONG: Duration = Duration::from_secs(3600);

fn main() {
    measure("read the clock", monotonic_ns);
    breaker();
    for (members, bytes) in [(1, 120), (3, 350)] {
        println!("{members} members, a request of {bytes} bytes");
        refusals(members, bytes);
    }
}

fn breaker() {
    let settings = Settings { failures: 1, cooldown: LONG };
    let circuits = Circuits::shared().unwrap();
    let admit = || circuits.admit(black_box(1), &settings, monotonic_ns);
    let Admission::Pass(ticket) = admit() else { unreachable!() };
    measure("admit, closed", admit);
    measure("succeeded, nothing to end", || circuits.succeeded(black_box(ticket)));
    circuits.failed(ticket, &settings, monotonic_ns);
    measure("admit, open", admit);
}

fn refusals(members: usize, bytes: usize) {
    let refusals = Refusals::shared(4096).unwrap();
    let keys = vec![b"rl:api-default:tenant_8231:global".to_vec(); members];
    let request: Vec<u8> = (0..bytes).map(|byte| byte as u8).collect();
    let question = Question { endpoint: 1, keys: &keys, request: &request };
    let find = || refusals.find(black_box(&question), monotonic_ns);
    let Found::Nothing(ticket) = find() else { unreachable!() };
    measure("find, nothing", find);
    let answers = vec![Answer { now: 1, retry: 2, remaining: 0, reset: 3, delay: 0 }; members];
    measure("store", || refusals.store(black_box(&question), ticket, LONG, &answers, monotonic_ns()));
    measure("find, a refusal", find);
}

/// Prints the median over many batches, each short enough to run undisturbed.
fn measure<T>(name: &str, call: impl Fn() -> T) {
    let batch = || {
        let start = Instant::now();
        for _ in 0..CALLS {
            black_box(call());
        }
        start.elapsed().as_nanos() as f64 / f64::from(CALLS)
    };
    let mut batches: Vec<f64> = (0..BATCHES).map(|_| batch()).collect();
    batches.sort_by(f64::total_cmp);
    println!("{:>8.1} ns  {name}", batches[BATCHES / 2]);
}
