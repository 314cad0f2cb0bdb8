//! What is answered when Redis gave no decision.

use crate::error::Error;

/// The answer of a degraded decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureRule {
    /// Let the request pass.
    Open,
    /// Refuse it.
    Closed,
}

impl FailureRule {
    pub fn word(self) -> &'static str {
        match self {
            FailureRule::Open => "open",
            FailureRule::Closed => "closed",
        }
    }

    /// # Errors
    /// [`Error::InvalidConfiguration`] that names the word and the two that are known.
    pub fn parse(word: &str) -> Result<Self, Error> {
        match word {
            "open" => Ok(FailureRule::Open),
            "closed" => Ok(FailureRule::Closed),
            _ => Err(Error::InvalidConfiguration(format!(
                "on_failure {word:?} is unknown; use \"open\" (let requests pass) or \"closed\" (refuse them)"
            ))),
        }
    }
}
