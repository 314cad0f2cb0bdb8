//! Sliding window: two counts, the older one weighted by how much of its window is still covered.

use super::{Model, altered, interval, limit_and_window};
use crate::support::random::Random;
use ratelimit::policy::Policy;

#[derive(Debug)]
pub struct SlidingWindow {
    limit: i128,
    window: i128,
    /// When the last window that took something began, what it took, and what the one before took.
    kept: Option<(i128, i128, i128)>,
}

/// The counts as they stand at an instant.
struct View {
    start: i128,
    /// Not yet reached by a clock that fell back: until then time stands still at the start.
    at: i128,
    current: i128,
    previous: i128,
}

impl SlidingWindow {
    pub fn random(random: &mut Random) -> Self {
        let (limit, window) = limit_and_window(random);
        SlidingWindow { limit, window, kept: None }
    }

    fn view(&self, now: i128) -> View {
        let begun = |instant: i128| instant - instant.rem_euclid(self.window);
        let mut view = View { start: begun(now), at: now, current: 0, previous: 0 };
        let Some((opened, current, previous)) = self.kept else { return view };
        let opened = begun(opened);
        if opened > now && opened <= now + self.window {
            (view.start, view.at) = (opened, opened);
        }
        if opened == view.start {
            (view.current, view.previous) = (current, previous);
        } else if opened + self.window == view.start {
            view.previous = current;
        }
        view
    }
}

impl Model for SlidingWindow {
    fn policy(&self, name: &str) -> Policy {
        Policy::sliding_window(name, self.limit as i64, interval(self.window)).expect("a policy")
    }

    fn limit(&self) -> i128 {
        self.limit
    }

    fn window(&self) -> i128 {
        self.window
    }

    fn passes(&self, now: i128, cost: i128) -> bool {
        let view = self.view(now);
        let covered = view.start + self.window - view.at;
        view.previous * covered + (view.current + cost) * self.window <= self.limit * self.window
    }

    fn reset(&self, now: i128) -> i128 {
        self.view(now).start + self.window - now
    }

    fn record(&mut self, now: i128, cost: i128) {
        let view = self.view(now);
        self.kept = Some((view.start, view.current + cost, view.previous));
    }

    fn forget(&mut self) {
        self.kept = None;
    }

    fn change(&mut self, random: &mut Random) {
        if random.percent(60) {
            self.limit = altered(random, self.limit).min((1 << 53) / self.window);
        } else {
            (self.limit, self.window) = limit_and_window(random);
        }
    }
}
