//! What can go wrong in a call to this crate. A refusal is not an error, and neither is an absent Redis: the
//! policy's failure rule answers for it.

use crate::failure::Failure;

/// Every text names the value at fault and says what would be right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A rule that can never work.
    #[error("{0}")]
    InvalidPolicy(String),
    /// A URL, timeout, prefix or setting that cannot be used.
    #[error("{0}")]
    InvalidConfiguration(String),
    /// A tenant, scope, cost or request id that cannot be used.
    #[error("{0}")]
    InvalidArgument(String),
    /// Redis did not answer a call that no failure rule stands in for (reset, history, ping).
    #[error(transparent)]
    StoreUnavailable(#[from] Failure),
}
