//! What a story leaves to chance.

use super::random::Random;

impl Random {
    /// Any of low..=high.
    pub fn within(&mut self, low: i128, high: i128) -> i128 {
        low + i128::from(self.next()) % (high - low + 1)
    }

    pub fn pick(&mut self, choices: &[i128]) -> i128 {
        choices[self.within(0, choices.len() as i128 - 1) as usize]
    }

    pub fn percent(&mut self, chance: i128) -> bool {
        self.within(1, 100) <= chance
    }
}
