//! The connections of this worker (a process, or a thread of one), found again by every request.

use std::cell::RefCell;

use redis::Value;

use crate::call::Call;
use crate::connection::backend::Backend;
use crate::connection::deadline::Deadline;
use crate::connection::fork;
use crate::failure::Failure;
use crate::url::Endpoint;

struct Kept {
    generation: u64,
    backends: Vec<(Endpoint, Box<Backend>)>,
}

thread_local! {
    static KEPT: RefCell<Kept> = const { RefCell::new(Kept { generation: 0, backends: Vec::new() }) };
}

/// Runs `call` over this worker's connections to `endpoint`, which are opened on first use. They are taken out of
/// the list meanwhile, so that nothing that happens in between finds them half used.
///
/// # Errors
/// [`Failure`] says whether the call may have run all the same.
pub fn run(endpoint: &Endpoint, call: &Call, deadline: Deadline) -> Result<Value, Failure> {
    let (endpoint, mut backend) =
        take(endpoint).unwrap_or_else(|| (endpoint.clone(), Box::new(Backend::new(endpoint))));
    let result = backend.run(call, deadline);
    // Gone only while the thread ends; the connections then end with it.
    let _ = KEPT.try_with(|kept| kept.borrow_mut().backends.push((endpoint, backend)));
    result
}

/// The endpoints that this worker has called.
pub fn endpoints() -> Vec<Endpoint> {
    let called =
        |kept: &RefCell<Kept>| kept.borrow().backends.iter().map(|(known, _)| known.clone()).collect();
    KEPT.try_with(called).unwrap_or_default()
}

fn take(endpoint: &Endpoint) -> Option<(Endpoint, Box<Backend>)> {
    KEPT.try_with(|kept| {
        let mut kept = kept.borrow_mut();
        if kept.generation != fork::generation() {
            // These connections are the parent's: closed on this side, unused.
            kept.backends.clear();
            kept.generation = fork::generation();
        }
        let at = kept.backends.iter().position(|(known, _)| known == endpoint)?;
        Some(kept.backends.swap_remove(at))
    })
    .ok()
    .flatten()
}
