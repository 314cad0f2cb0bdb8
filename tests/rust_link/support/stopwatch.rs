//! How long a call waited for others: what passed, less the time in which it ran and the time in which a busy
//! machine would not let it run.

use std::fs::read_to_string;
use std::time::{Duration, Instant};

pub struct Stopwatch {
    start: Instant,
    own: Duration,
    stolen: u64,
}

impl Stopwatch {
    pub fn start() -> Self {
        Stopwatch { stolen: stolen(), own: own(), start: Instant::now() }
    }

    /// How long the call waited, and how long it ran or could have run. None if the host took the processors away
    /// from this virtual machine meanwhile.
    pub fn stop(&self) -> Option<(Duration, Duration)> {
        let passed = self.start.elapsed();
        let own = own() - self.own;
        (stolen() == self.stolen).then_some((passed.saturating_sub(own), own))
    }
}

/// How long this thread has run, and has been ready to run without a processor.
fn own() -> Duration {
    let text = read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(text.split(' ').take(2).map(|field| field.parse::<u64>().unwrap()).sum())
}

/// The ticks of all processors in which the host ran something else.
fn stolen() -> u64 {
    let text = read_to_string("/proc/stat").unwrap();
    text.split_whitespace().nth(8).unwrap().parse().unwrap()
}
