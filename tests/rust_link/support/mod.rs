//! Real servers in folders of their own, gone when the test is over, whether it passed or not.

mod counting;
mod folder;
mod server;

pub use counting::count;
pub use folder::Folder;
pub use server::{Server, free_port};

use std::time::Duration;

use ratelimit::backend::Backend;
use ratelimit::deadline::Deadline;
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
