//! Tells a forked child that what it inherited belongs to its parent.

use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};

static GENERATION: AtomicU64 = AtomicU64::new(0);
static HOOK: Once = Once::new();

extern "C" fn in_child() {
    GENERATION.fetch_add(1, Ordering::Relaxed);
}

/// A number that changes with every fork, on the child's side. Cheaper than asking for the process id.
pub fn generation() -> u64 {
    HOOK.call_once(|| {
        // SAFETY: the handler only adds to an atomic, which is safe after a fork of any process.
        unsafe { libc::pthread_atfork(None, None, Some(in_child)) };
    });
    GENERATION.load(Ordering::Relaxed)
}
