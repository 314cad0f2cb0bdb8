//! A quick 64-bit hash that is the same in every process of every run: for names in shared memory, never for secrets.

const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
const OTHER: u64 = 0xd1b5_4a32_d192_ed03;

/// The hash of `bytes`; different seeds give unrelated hashes.
pub fn of(seed: u64, bytes: &[u8]) -> u64 {
    let chunks = bytes.chunks_exact(8);
    let mut last = [0; 8];
    for (to, from) in last.iter_mut().zip(chunks.remainder()) {
        *to = *from;
    }
    let words = chunks.map(|chunk| chunk.try_into().map_or(0, u64::from_le_bytes));
    words.chain([u64::from_le_bytes(last), bytes.len() as u64]).fold(mix(seed, ODD), mix)
}

/// `hash` taken on by one more word.
pub fn mix(hash: u64, word: u64) -> u64 {
    let product = u128::from(hash ^ word ^ OTHER) * u128::from(ODD);
    (product as u64 ^ (product >> 64) as u64).wrapping_add(OTHER)
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
    fn hashes_of_a_series_spread_evenly() {
        let mut hits = [0_u32; 64];
        for number in 0..64_000_u32 {
            let hash = of(7, format!("rl:api:tenant_{number}:global").as_bytes());
            hits[(hash >> 58) as usize] += 1;
        }
        assert!(hits.iter().all(|hits| (800..1200).contains(hits)), "{hits:?}");
    }
}
