//! Forked children of a test.

use libc::pid_t;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Seconds after which a child is gone whatever it does: whoever waits for it need not wait for ever.
const LONGEST_LIFE: u32 = 300;

/// A child that ends with the exit code that `work` returns, or with 255 if it panics. `work` takes no lock that another
/// thread might have held.
pub fn fork(work: impl FnOnce() -> u8) -> pid_t {
    // SAFETY: by the contract above; the child leaves by _exit, without running the parent's handlers.
    match unsafe { libc::fork() } {
        -1 => panic!("fork: {}", std::io::Error::last_os_error()),
        0 => {
            // SAFETY: asks for the signal that ends the process.
            unsafe { libc::alarm(LONGEST_LIFE) };
            let code = catch_unwind(AssertUnwindSafe(work)).unwrap_or(u8::MAX);
            // SAFETY: as above.
            unsafe { libc::_exit(i32::from(code)) }
        }
        child => child,
    }
}

/// The status in which a child ended: 0, or the signal, or its exit code in the second byte.
pub fn wait(child: pid_t) -> i32 {
    let mut status = 0;
    // SAFETY: waits for a child of this process and writes its status.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    status
}
