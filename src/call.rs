//! One call to Redis: the bytes to send, the key that routes it, and the script behind its hash.

use crate::script::Script;
use std::ops::Range;

/// A request, RESP-encoded once, in the form that goes over the wire.
#[derive(Debug, Default)]
pub struct Call {
    bytes: Vec<u8>,
    /// Where in the bytes the key stands.
    key: Range<usize>,
    script: Option<(&'static Script, Tail)>,
}

/// Bytes for most requests, so that they are not moved while they grow.
const ROOM: usize = 320;
/// The command's name, and the header of the hash behind it.
const BY_HASH: &[u8] = b"$7\r\nEVALSHA\r\n$40\r\n";
/// A kind, as many digits as a number can have, and the end of the line.
const LINE: usize = 1 + 20 + 2;

/// Where, in an encoded EVALSHA, the arguments behind the hash begin, and how many there are.
#[derive(Debug, Clone, Copy)]
struct Tail {
    start: usize,
    arguments: usize,
}

impl Call {
    /// EVALSHA of `script` over `keys`, the first of which routes it. Its `arguments` are pushed afterwards.
    pub fn script(script: &'static Script, keys: &[Vec<u8>], arguments: usize) -> Self {
        let mut bytes = Vec::with_capacity(ROOM);
        let behind = 1 + keys.len() + arguments;
        header(&mut bytes, b'*', 2 + behind as u64);
        bytes.extend_from_slice(BY_HASH);
        bytes.extend_from_slice(script.sha.as_bytes());
        bytes.extend_from_slice(b"\r\n");
        let tail = Tail { start: bytes.len(), arguments: behind };
        let mut call = Call { bytes, key: 0..0, script: Some((script, tail)) };
        let (count, first) = line(b'$', keys.len() as u64);
        call.push(count.get(first + 1..LINE - 2).unwrap_or_default());
        for (at, key) in keys.iter().enumerate() {
            let stands = bulk(&mut call.bytes, key);
            if at == 0 {
                call.key = stands;
            }
        }
        call
    }

    /// Appends an argument.
    pub fn push(&mut self, argument: &[u8]) {
        bulk(&mut self.bytes, argument);
    }

    /// Appends arguments that are encoded already.
    pub fn push_encoded(&mut self, arguments: &[u8]) {
        self.bytes.extend_from_slice(arguments);
    }

    /// A plain command. `key`, one of its parts, routes it in a cluster; without one any node will do.
    pub fn command(parts: &[&[u8]], key: Option<&[u8]>) -> Self {
        let mut call = Call { bytes: Vec::with_capacity(64), ..Call::default() };
        header(&mut call.bytes, b'*', parts.len() as u64);
        for part in parts {
            let stands = bulk(&mut call.bytes, part);
            if key == Some(*part) {
                call.key = stands;
            }
        }
        call
    }

    /// What is sent first: for a script its EVALSHA.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What tells this call from every other one: all but the command's name.
    pub fn identity(&self) -> &[u8] {
        const NAME: usize = "*00\r\n$7\r\nEVALSHA\r\n".len();
        self.bytes.get(NAME - 1..).unwrap_or_default()
    }

    /// The key whose slot owns this call; empty where none does.
    pub fn key(&self) -> &[u8] {
        self.bytes.get(self.key.clone()).unwrap_or_default()
    }

    /// The same call as EVAL, with the script's text, for a server that answered NOSCRIPT.
    pub fn with_text(&self) -> Option<Vec<u8>> {
        let (script, tail) = self.script?;
        let behind = self.bytes.get(tail.start..)?;
        let mut bytes = Vec::with_capacity(script.text.len() + behind.len() + 64);
        header(&mut bytes, b'*', 2 + tail.arguments as u64);
        bulk(&mut bytes, b"EVAL");
        bulk(&mut bytes, script.text.as_bytes());
        bytes.extend_from_slice(behind);
        Some(bytes)
    }
}

/// Appends a bulk string and says where its content stands.
pub fn bulk(bytes: &mut Vec<u8>, part: &[u8]) -> Range<usize> {
    header(bytes, b'$', part.len() as u64);
    let start = bytes.len();
    bytes.extend_from_slice(part);
    bytes.extend_from_slice(b"\r\n");
    start..start + part.len()
}

fn header(bytes: &mut Vec<u8>, kind: u8, number: u64) {
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

    #[test]
    fn a_script_is_sent_by_its_hash_and_then_by_its_text() {
        static SCRIPT: Script = Script { sha: "c0ffeec0ffeec0ffeec0ffeec0ffeec0ffeec0ff", text: "return" };
        let mut call = Call::script(&SCRIPT, &[b"key".to_vec(), b"other".to_vec()], 2);
        call.push(b"x");
        call.push_encoded(b"$2\r\n60\r\n");
        let behind = "$1\r\n2\r\n$3\r\nkey\r\n$5\r\nother\r\n$1\r\nx\r\n$2\r\n60\r\n";
        let named = format!("*7\r\n$7\r\nEVALSHA\r\n$40\r\n{}\r\n{behind}", SCRIPT.sha);
        assert_eq!(call.bytes(), named.as_bytes());
        let text = format!("*7\r\n$4\r\nEVAL\r\n$6\r\nreturn\r\n{behind}");
        assert_eq!(call.with_text(), Some(text.into_bytes()));
        assert_eq!(call.key(), b"key");
    }

    #[test]
    fn a_command_is_routed_by_its_key() {
        let call = Call::command(&[b"DEL", b"key"], Some(b"key"));
        assert_eq!((call.bytes(), call.key()), (&b"*2\r\n$3\r\nDEL\r\n$3\r\nkey\r\n"[..], &b"key"[..]));
        assert_eq!(Call::command(&[b"PING"], None).key(), b"");
    }
}
