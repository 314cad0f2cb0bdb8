//! The circuits that this worker shares by the name of their URL, for people to look at.

use crate::breaker::{self, Snapshot};
use crate::connection::worker;
use crate::store;

/// Every endpoint that has failed so far, named by its URL (passwords masked) where this worker knows it. Two that differ
/// in their password alone are numbered.
pub fn named() -> Vec<(String, Snapshot)> {
    let known: Vec<_> =
        worker::endpoints().into_iter().map(|endpoint| (store::circuit(&endpoint), endpoint)).collect();
    let url = |snapshot: &Snapshot| {
        let endpoint = known.iter().find(|(hash, _)| *hash == snapshot.endpoint);
        endpoint.map_or_else(
            || format!("another worker's {:016x}", snapshot.endpoint),
            |(_, url)| url.to_string(),
        )
    };
    let snapshots = breaker::snapshot();
    let urls: Vec<_> = snapshots.iter().map(url).collect();
    let name = |at: usize, url: &String| match urls.iter().take(at).filter(|other| *other == url).count() {
        0 => url.clone(),
        before => format!("{url} (login {})", before + 1),
    };
    let names: Vec<_> = urls.iter().enumerate().map(|(at, url)| name(at, url)).collect();
    names.into_iter().zip(snapshots).collect()
}
