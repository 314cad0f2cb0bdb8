//! The instant by which a whole decision has to be over, connecting and TLS included.

use std::time::{Duration, Instant};

/// A day: adding it to an instant cannot overflow.
const LONGEST: Duration = Duration::from_secs(86_400);

/// One deadline is made per call and handed down to every read and write of it.
#[derive(Debug, Clone, Copy)]
pub struct Deadline {
    end: Instant,
    budget: Duration,
}

impl Deadline {
    /// `budget` from now.
    pub fn after(budget: Duration) -> Self {
        Deadline { end: Instant::now() + budget.min(LONGEST), budget }
    }

    /// What remains of it; zero once it has passed.
    pub fn left(&self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    pub fn passed(&self) -> bool {
        self.left().is_zero()
    }

    /// The time that was given at first, for messages.
    pub fn budget(&self) -> Duration {
        self.budget
    }

    /// A deadline for one of `parts` attempts, so that the first one cannot spend the time of all.
    pub fn share(&self, parts: u32) -> Self {
        Deadline::after(self.left() / parts.max(1))
    }
}
