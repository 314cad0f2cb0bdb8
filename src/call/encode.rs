//! RESP as it is sent.

use std::ops::Range;

/// A kind, as many digits as a number can have, and the end of the line.
const LINE: usize = 1 + 20 + 2;

/// Appends a bulk string and says where its content stands.
pub fn bulk(bytes: &mut Vec<u8>, part: &[u8]) -> Range<usize> {
    header(bytes, b'$', part.len() as u64);
    let start = bytes.len();
    bytes.extend_from_slice(part);
    bytes.extend_from_slice(b"\r\n");
    start..start + part.len()
}

pub fn header(bytes: &mut Vec<u8>, kind: u8, number: u64) {
    let (line, first) = line(kind, number);
    bytes.extend_from_slice(line.get(first..).unwrap_or_default());
}

/// A line such as `$12\r\n` and where it begins. A `to_string` for each would be a third of the work of a request.
fn line(kind: u8, mut number: u64) -> ([u8; LINE], usize) {
    let mut line = [b'0'; LINE];
    let [digits @ .., carriage, feed] = &mut line;
    (*carriage, *feed) = (b'\r', b'\n');
    let mut first = digits.len();
    for byte in digits.iter_mut().rev() {
        first -= 1;
        let has_digits = first + 3 < LINE;
        if number == 0 && has_digits {
            *byte = kind;
            break;
        }
        *byte += (number % 10) as u8;
        number /= 10;
    }
    (line, first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_hold_every_number() {
        for number in [0, 7, 10, 99, 100, 65_536, u64::MAX] {
            let (line, first) = line(b'$', number);
            assert_eq!(line[first..], *format!("${number}\r\n").as_bytes());
        }
    }
}
