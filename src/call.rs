//! One call to Redis: the bytes to send, the key that routes it, and the script behind its hash.

use crate::script::Script;

/// A request, RESP-encoded once, in the form that goes over the wire.
#[derive(Debug, Default)]
pub struct Call {
    bytes: Vec<u8>,
    key: Vec<u8>,
    script: Option<(&'static Script, Tail)>,
}

/// Bytes for most requests, so that they are not moved while they grow.
const ROOM: usize = 320;
const DIGITS: usize = 20;

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
        bulk(&mut bytes, b"EVALSHA");
        bulk(&mut bytes, script.sha.as_bytes());
        let start = bytes.len();
        let mut call = Call {
            bytes,
            key: keys.first().cloned().unwrap_or_default(),
            script: Some((script, Tail { start, arguments: behind })),
        };
        call.push_number(keys.len() as u64);
        keys.iter().for_each(|key| call.push(key));
        call
    }

    /// Appends an argument.
    pub fn push(&mut self, argument: &[u8]) {
        bulk(&mut self.bytes, argument);
    }

    /// Appends a number, as text.
    pub fn push_number(&mut self, number: u64) {
        let (digits, first) = decimal(number);
        self.push(digits.get(first..).unwrap_or_default());
    }

    /// A plain command. `key` routes it in a cluster; without one any node will do.
    pub fn command(parts: &[&[u8]], key: Option<&[u8]>) -> Self {
        let mut bytes = Vec::with_capacity(64);
        header(&mut bytes, b'*', parts.len() as u64);
        for part in parts {
            bulk(&mut bytes, part);
        }
        Call { bytes, key: key.map(<[u8]>::to_vec).unwrap_or_default(), script: None }
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
        &self.key
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

fn bulk(bytes: &mut Vec<u8>, part: &[u8]) {
    header(bytes, b'$', part.len() as u64);
    bytes.extend_from_slice(part);
    bytes.extend_from_slice(b"\r\n");
}

fn header(bytes: &mut Vec<u8>, kind: u8, number: u64) {
    let (digits, first) = decimal(number);
    bytes.push(kind);
    bytes.extend_from_slice(digits.get(first..).unwrap_or_default());
    bytes.extend_from_slice(b"\r\n");
}

/// The digits of a number and where they begin: a `to_string` for each would be a third of the work of a request.
fn decimal(mut number: u64) -> ([u8; DIGITS], usize) {
    let mut digits = [b'0'; DIGITS];
    let mut first = DIGITS;
    for digit in digits.iter_mut().rev() {
        *digit += (number % 10) as u8;
        number /= 10;
        first -= 1;
        if number == 0 {
            break;
        }
    }
    (digits, first)
}
