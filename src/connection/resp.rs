//! Cuts what a server sends into whole replies (RESP2), so that no byte of one is ever read as another's.

use redis::Value;

/// The bytes are no RESP2.
#[derive(Debug, PartialEq, Eq)]
pub struct Malformed;

/// The length of the first whole reply in `bytes`, or None if its end has not arrived.
pub fn length(bytes: &[u8]) -> Result<Option<usize>, Malformed> {
    let (mut at, mut expected) = (0usize, 1u64);
    while expected > 0 {
        let rest = bytes.get(at..).unwrap_or_default();
        let Some(kind) = rest.first() else { return Ok(None) };
        if !b"+-:$*".contains(kind) {
            return Err(Malformed);
        }
        let Some(line) = rest.iter().position(|byte| *byte == b'\n') else { return Ok(None) };
        at = at.saturating_add(line + 1);
        expected -= 1;
        match kind {
            b'$' => {
                let Some(length) = number(rest, line)? else { continue };
                at = at.checked_add(length).and_then(|at| at.checked_add(2)).ok_or(Malformed)?;
            }
            b'*' => {
                let elements = number(rest, line)?.unwrap_or(0);
                expected = expected.checked_add(elements as u64).ok_or(Malformed)?;
            }
            _ => {}
        }
    }
    Ok((at <= bytes.len()).then_some(at))
}

/// What the one whole reply `bytes` says.
pub fn value(bytes: &[u8]) -> Result<Value, Malformed> {
    match bytes {
        // The form of every settled decision, taken without a parser.
        [b'$', b'0'..=b'9', ..] => {
            let start = bytes.iter().position(|byte| *byte == b'\n').ok_or(Malformed)? + 1;
            let text = bytes.get(start..).and_then(|rest| rest.strip_suffix(b"\r\n")).ok_or(Malformed)?;
            Ok(Value::BulkString(text.to_vec()))
        }
        _ => redis::parse_redis_value(bytes).map_err(|_| Malformed),
    }
}

/// The number in a line such as `$12\r\n`; None for -1, which stands for nil.
fn number(bytes: &[u8], line: usize) -> Result<Option<usize>, Malformed> {
    let text = bytes.get(1..line).and_then(|text| text.strip_suffix(b"\r")).ok_or(Malformed)?;
    if text == b"-1" {
        return Ok(None);
    }
    if text.is_empty() || text.len() > 10 || !text.iter().all(u8::is_ascii_digit) {
        return Err(Malformed);
    }
    Ok(Some(text.iter().fold(0, |number, digit| number * 10 + usize::from(digit - b'0'))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cut_of_a_reply_is_incomplete_and_the_whole_is_exact() {
        let replies: [&[u8]; 7] = [
            b"+OK\r\n",
            b"-ERR no\r\n",
            b":12\r\n",
            b"$-1\r\n",
            b"$5\r\na\r\nbc\r\n",
            b"*-1\r\n",
            b"*2\r\n*1\r\n$0\r\n\r\n:1\r\n",
        ];
        for reply in replies {
            for cut in 0..reply.len() {
                assert_eq!(length(&reply[..cut]), Ok(None), "{reply:?} cut at {cut}");
            }
            assert_eq!(length(reply), Ok(Some(reply.len())));
            assert_eq!(length(&[reply, b"+next\r\n"].concat()), Ok(Some(reply.len())));
            assert_eq!(value(reply).unwrap(), redis::parse_redis_value(reply).unwrap());
        }
    }

    #[test]
    fn bytes_that_are_no_resp2_are_malformed() {
        for bytes in ["HTTP/1.1 400", "$x\r\n", "$-2\r\n", "$99999999999\r\n", "*1\r\n%0\r\n", "$1\n", "\r\n"]
        {
            assert_eq!(length(bytes.as_bytes()), Err(Malformed), "{bytes:?}");
        }
        assert_eq!(value(b"$1\r\nabc"), Err(Malformed));
        let deep = [b"*1\r\n".repeat(5000), b":1\r\n".to_vec()].concat();
        assert_eq!(length(&deep), Ok(Some(deep.len())));
        assert_eq!(value(&deep), Err(Malformed));
    }
}
