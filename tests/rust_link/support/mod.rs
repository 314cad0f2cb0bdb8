//! Real servers in folders of their own, gone when the test is over, whether it passed or not.

mod certificates;
#[path = "../../support/child.rs"]
pub mod child;
mod cluster;
mod counting;
mod fake;
#[path = "../../support/folder.rs"]
mod folder;
#[path = "../../support/process.rs"]
mod process;
#[path = "../../support/random.rs"]
mod random;
mod server;
mod stopwatch;
mod tls_server;
#[path = "../../support/until.rs"]
mod until;

pub use certificates::certificates;
pub use cluster::Cluster;
pub use counting::{COUNT, count};
pub use fake::{Full, dripping, fake, silent};
pub use folder::Folder;
pub use random::{Random, seed};
pub use server::{Server, free_port};
pub use stopwatch::Stopwatch;
pub use tls_server::{TRUST, TlsServer};
pub use until::{LONGEST, until};

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ratelimit::connection::backend::Backend;
use ratelimit::connection::deadline::Deadline;
use ratelimit::url::Endpoint;

pub const SECOND: Duration = Duration::from_secs(1);

pub fn endpoint(url: &str) -> Endpoint {
    Endpoint::parse(url).unwrap_or_else(|error| panic!("{url}: {error}"))
}

pub fn backend(url: &str) -> Backend {
    Backend::new(&endpoint(url))
}

/// Long enough for a busy machine, for tests that are not about time.
pub fn patient() -> Deadline {
    Deadline::after(10 * SECOND)
}

/// Keeps the tests that load the machine, or measure it, from running at once.
pub fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}
