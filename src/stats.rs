//! What this process has done since it started, for `RateLimiter::stats()`.

use std::sync::atomic::{AtomicU64, Ordering};

/// A number that only grows.
#[derive(Debug, Default)]
pub struct Counter(AtomicU64);

impl Counter {
    pub const fn new() -> Self {
        Counter(AtomicU64::new(0))
    }

    pub fn add(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Decisions of any outcome.
pub static DECISIONS: Counter = Counter::new();
pub static ALLOWED: Counter = Counter::new();
pub static REFUSED: Counter = Counter::new();
/// Refusals that a shadow policy let pass.
pub static SHADOWED: Counter = Counter::new();
/// Decisions that the failure rule made.
pub static DEGRADED: Counter = Counter::new();
/// Calls that Redis did not answer usably.
pub static ERRORS: Counter = Counter::new();
/// Connections opened, to servers and sentinels.
pub static CONNECTS: Counter = Counter::new();
/// Scripts sent as text, because the server did not know their hash.
pub static SCRIPT_LOADS: Counter = Counter::new();

/// All of them, under the names that PHP code sees.
pub static ALL: [(&str, &Counter); 8] = [
    ("decisions", &DECISIONS),
    ("allowed", &ALLOWED),
    ("refused", &REFUSED),
    ("shadowed", &SHADOWED),
    ("degraded", &DEGRADED),
    ("errors", &ERRORS),
    ("connects", &CONNECTS),
    ("script_loads", &SCRIPT_LOADS),
];
