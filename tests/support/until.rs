//! Waiting that ends, whether or not what is waited for comes.

use std::thread::sleep;
use std::time::{Duration, Instant};

/// Longer than any server takes, and any test may.
pub const LONGEST: Duration = Duration::from_secs(60);

/// Waits for a state that others reach by themselves.
pub fn until(state: &str, mut reached: impl FnMut() -> bool) {
    let end = Instant::now() + LONGEST;
    while !reached() {
        assert!(Instant::now() < end, "not reached: {state}");
        sleep(Duration::from_millis(5));
    }
}
