//! Random numbers from a seed (splitmix64), so that whatever fails can be repeated.

use std::env;
use std::time::{SystemTime, UNIX_EPOCH};

pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// RATELIMIT_SEED, or another one every run. It is printed, and stands in the text of every failure.
pub fn seed() -> u64 {
    match env::var("RATELIMIT_SEED") {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("RATELIMIT_SEED={text} is no whole number")),
        Err(_) => SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64),
    }
}
