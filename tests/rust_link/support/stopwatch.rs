//! How long a call took, less the time in which a busy machine let it wait for a processor, and whether a
//! processor stood still meanwhile, as those of a virtual machine do.

use std::sync::{Mutex, Once};
use std::thread;
use std::time::{Duration, Instant};

const TICK: Duration = Duration::from_millis(1);
const STILL: Duration = Duration::from_millis(2);

pub struct Stopwatch {
    start: Instant,
    waited: Duration,
}

/// What a thread that only sleeps, on a processor of its own, has seen.
#[derive(Clone, Copy)]
struct Witness {
    awake: Instant,
    last_still: Option<Instant>,
}

static WITNESSES: Mutex<Vec<Witness>> = Mutex::new(Vec::new());

impl Stopwatch {
    pub fn start() -> Self {
        static STARTED: Once = Once::new();
        STARTED.call_once(start_witnesses);
        Stopwatch { waited: waited(), start: Instant::now() }
    }

    /// What has passed; None if a processor stood still for a part of it.
    pub fn elapsed(&self) -> Option<Duration> {
        let end = Instant::now();
        let elapsed = (end - self.start).saturating_sub(waited() - self.waited);
        loop {
            let witnesses = WITNESSES.lock().unwrap().clone();
            if witnesses.iter().all(|witness| witness.awake > end) {
                let still = witnesses.iter().filter_map(|witness| witness.last_still).max();
                return (still < Some(self.start)).then_some(elapsed);
            }
            thread::sleep(TICK);
        }
    }
}

fn start_witnesses() {
    let processors = thread::available_parallelism().unwrap().get();
    let witness = Witness { awake: Instant::now(), last_still: None };
    WITNESSES.lock().unwrap().resize(processors, witness);
    for processor in 0..processors {
        thread::spawn(move || watch(processor));
    }
}

fn watch(processor: usize) {
    // SAFETY: a set of processors is plain data, and all zero is the empty one.
    unsafe {
        let mut set: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(processor, &mut set);
        libc::sched_setaffinity(0, size_of_val(&set), &raw const set);
    }
    loop {
        let (before, waited_before) = (Instant::now(), waited());
        thread::sleep(TICK);
        let awake = Instant::now();
        let late = (awake - before).saturating_sub(waited() - waited_before + TICK);
        let witness = &mut WITNESSES.lock().unwrap()[processor];
        witness.awake = awake;
        if late > STILL {
            witness.last_still = Some(awake);
        }
    }
}

/// How long this thread has been ready to run without a processor, since it began.
fn waited() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(text.split(' ').nth(1).unwrap().parse().unwrap())
}
