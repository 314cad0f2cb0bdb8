//! The circuits of this machine's workers by the name of their URL, for people to look at.

use crate::breaker::{self, Snapshot};
use crate::connection::worker;
use crate::store;

/// Every endpoint that has failed so far, named by its URL (passwords masked) where this worker knows it.
pub fn named() -> Vec<(String, Snapshot)> {
    let known: Vec<_> =
        worker::endpoints().into_iter().map(|endpoint| (store::circuit(&endpoint), endpoint)).collect();
    let name = |snapshot: &Snapshot| {
        let endpoint = known.iter().find(|(hash, _)| *hash == snapshot.endpoint);
        endpoint.map_or_else(
            || format!("another worker's {:016x}", snapshot.endpoint),
            |(_, url)| url.to_string(),
        )
    };
    breaker::snapshot().into_iter().map(|snapshot| (name(&snapshot), snapshot)).collect()
}
