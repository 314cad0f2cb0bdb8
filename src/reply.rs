//! What the settle script answers: per member five little-endian doubles, times in µs (see lua/settle.lua).

/// The answer of one member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    /// Redis' clock when it judged, µs since the epoch.
    pub now: i64,
    /// µs until the same cost passes; 0 passes, -1 never will.
    pub retry: i64,
    pub remaining: i64,
    /// µs from `now` to the reset that the algorithm defines.
    pub reset: i64,
    /// µs to wait before acting.
    pub delay: i64,
}

impl Answer {
    pub fn passes(&self) -> bool {
        self.retry == 0
    }

    /// Whether no wait will ever let this cost pass.
    pub fn never(&self) -> bool {
        self.retry < 0
    }
}

const DOUBLE: usize = 8;
const ANSWER: usize = 5 * DOUBLE;

/// The answers of `members` members, or None for bytes that are no such reply.
pub fn decode(bytes: &[u8], members: usize) -> Option<Vec<Answer>> {
    if bytes.len() != members * ANSWER {
        return None;
    }
    bytes.chunks_exact(ANSWER).map(answer).collect()
}

fn answer(bytes: &[u8]) -> Option<Answer> {
    let mut numbers = bytes.chunks_exact(DOUBLE).map(|double| double.try_into().map(f64::from_le_bytes));
    let mut next = || numbers.next()?.ok().and_then(whole);
    Some(Answer { now: next()?, retry: next()?, remaining: next()?, reset: next()?, delay: next()? })
}

/// Scripts compute in whole numbers that a double holds exactly; anything else was not written by one of them.
fn whole(number: f64) -> Option<i64> {
    let exact = number.trunc() == number && number.abs() <= (1_u64 << 53) as f64;
    exact.then_some(number as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_doubles_are_an_answer() {
        let bytes: Vec<u8> =
            [1.7e15, -1.0, 3.0, 4.0, 5.0].iter().flat_map(|n: &f64| n.to_le_bytes()).collect();
        let answer = Answer { now: 1_700_000_000_000_000, retry: -1, remaining: 3, reset: 4, delay: 5 };
        assert_eq!(decode(&bytes, 1), Some(vec![answer]));
        assert_eq!(decode(&bytes, 2), None);
        assert_eq!(decode(&bytes[1..], 1), None);
        for other in [f64::NAN, f64::INFINITY, 0.5, 1e300, -1e300] {
            let bytes: Vec<u8> = [other; 5].iter().flat_map(|n: &f64| n.to_le_bytes()).collect();
            assert_eq!(decode(&bytes, 1), None, "{other}");
        }
    }
}
