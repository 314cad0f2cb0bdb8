//! Memory that all workers of one PHP-FPM master share: mapped before they are forked, then used by atomics alone.
//!
//! Nobody ever holds a lock in it, so a worker that dies or stops at any instruction blocks nobody.

use std::sync::atomic::AtomicU64;

/// What may lie in shared memory.
///
/// # Safety
/// The type holds nothing but atomics, and all its bytes being 0 is a value of it.
pub unsafe trait Shareable: Sync + 'static {}

// SAFETY: it is an atomic, and 0 is a value of it.
unsafe impl Shareable for AtomicU64 {}

/// `length` zeroed items, shared with every process forked from now on; None if the system has no memory for them.
pub fn map<T: Shareable>(length: usize) -> Option<&'static [T]> {
    let size = length.checked_mul(size_of::<T>())?;
    if size == 0 {
        return Some(&[]);
    }
    let (access, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_ANONYMOUS);
    // SAFETY: asks for new memory at an address of the system's choice; touches none that exists.
    let start = unsafe { libc::mmap(std::ptr::null_mut(), size, access, flags, -1, 0) };
    if start == libc::MAP_FAILED {
        return None;
    }
    // SAFETY: the mapping is `size` bytes of zeros, a valid T each by Shareable; it starts at a page, so it is
    // aligned; it is never unmapped; other processes change it through atomics only.
    Some(unsafe { std::slice::from_raw_parts(start.cast::<T>(), length) })
}

/// Nanoseconds on the clock that all processes of this machine share and that is never set.
pub fn monotonic_ns() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call only writes the timespec that it is given.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}
