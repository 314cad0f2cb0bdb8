//! A quick 64-bit hash that is the same in every process of every run: for names in shared memory, never for secrets.

/// Odd numbers without a pattern: 2^64 divided by the golden ratio, and by the root of x^4 = x + 1.
const FIRST: u64 = 0x9e37_79b9_7f4a_7c15;
const SECOND: u64 = 0xd1b5_4a32_d192_ed03;

/// The hash of `bytes`; different seeds give unrelated hashes.
pub fn of(seed: u64, bytes: &[u8]) -> u64 {
    let (blocks, rest) = bytes.as_chunks::<16>();
    let mut last = [0; 16];
    last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
    let key = fold(seed ^ FIRST, SECOND);
    let hash = blocks.iter().chain([&last]).fold(seed ^ FIRST, |hash, block| {
        let block = u128::from_le_bytes(*block);
        fold(hash ^ block as u64, key ^ (block >> 64) as u64)
    });
    mix(hash, bytes.len() as u64)
}

/// The hash of a row of words.
pub fn of_words(seed: u64, words: &[u64]) -> u64 {
    let (pairs, last) = words.as_chunks::<2>();
    let key = fold(seed ^ SECOND, FIRST);
    let hash = pairs.iter().fold(seed ^ FIRST, |hash, [one, two]| fold(hash ^ one, key ^ two));
    mix(last.iter().fold(hash, |hash, word| mix(hash, *word)), words.len() as u64)
}

/// `hash` taken on by one more word.
pub fn mix(hash: u64, word: u64) -> u64 {
    fold(hash ^ FIRST, word ^ SECOND)
}

/// Every bit of the result depends on every bit of both.
fn fold(one: u64, two: u64) -> u64 {
    let product = u128::from(one) * u128::from(two);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_byte_the_length_and_the_seed_count() {
        let zeros = [0; 40];
        let mut seen = HashSet::new();
        for length in 0..=zeros.len() {
            assert!(seen.insert(of(0, &zeros[..length])));
            assert!(seen.insert(of(1, &zeros[..length])));
        }
        for at in 0..zeros.len() {
            for bit in 0..8 {
                let mut bytes = zeros;
                bytes[at] = 1 << bit;
                assert!(seen.insert(of(0, &bytes)));
            }
        }
    }

    #[test]
    fn every_bit_of_every_word_and_their_number_count() {
        let zeros = [0; 9];
        let mut seen = HashSet::new();
        for length in 0..=zeros.len() {
            assert!(seen.insert(of_words(0, &zeros[..length])));
        }
        for at in 0..zeros.len() {
            for bit in 0..64 {
                let mut words = zeros;
                words[at] = 1 << bit;
                assert!(seen.insert(of_words(0, &words)));
            }
        }
    }

    #[test]
    fn hashes_of_a_series_spread_evenly() {
        let mut hits = [0_u32; 64];
        for number in 0..64_000_u32 {
            let hash = of(7, format!("rl:api:tenant_{number}:global").as_bytes());
            hits[(hash >> 58) as usize] += 1;
        }
        assert!(hits.iter().all(|hits| (800..1200).contains(hits)), "{hits:?}");
    }
}
