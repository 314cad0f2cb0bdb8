//! One call to Redis: the bytes to send, the key that routes it, and the script behind its hash.

mod encode;

use crate::script::Script;
pub use encode::bulk;
use encode::header;
use std::cell::Cell;
use std::ops::Range;

/// A request, RESP-encoded once, in the form that goes over the wire.
#[derive(Debug)]
pub struct Call {
    bytes: Vec<u8>,
    /// Where in the bytes the key stands.
    key: Range<usize>,
    /// How many of the last bytes do not matter to the answer.
    incidental: usize,
    script: Option<(&'static Script, Tail)>,
}

thread_local! {
    /// The memory of the last call, for the next one.
    static SPARE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}
/// Bytes for most requests, so that they are not moved while they grow; more are not kept.
const ROOM: usize = 1024;
/// Of the lines that count keys and arguments.
const LONGEST_COUNT: usize = 16;
/// The command's name, and the header of the hash behind it.
const BY_HASH: &[u8] = b"$7\r\nEVALSHA\r\n$40\r\n";

/// How the EVALSHA of a script over so many keys and arguments begins, encoded once for all such calls.
#[derive(Debug, PartialEq)]
pub struct Opening {
    bytes: Vec<u8>,
    script: &'static Script,
    tail: Tail,
}

/// Where, in an encoded EVALSHA, the arguments behind the hash begin, and how many there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Tail {
    start: usize,
    arguments: usize,
}

impl Opening {
    pub fn new(script: &'static Script, keys: usize, arguments: usize) -> Self {
        let mut bytes = Vec::with_capacity(BY_HASH.len() + script.sha.len() + 2 * LONGEST_COUNT);
        let behind = 1 + keys + arguments;
        header(&mut bytes, b'*', 2 + behind as u64);
        bytes.extend_from_slice(BY_HASH);
        bytes.extend_from_slice(script.sha.as_bytes());
        bytes.extend_from_slice(b"\r\n");
        let tail = Tail { start: bytes.len(), arguments: behind };
        bulk(&mut bytes, keys.to_string().as_bytes());
        Opening { bytes, script, tail }
    }
}

impl Call {
    /// EVALSHA of `script` over `keys`, the first of which routes it. Its `arguments` are pushed afterwards.
    pub fn script(script: &'static Script, keys: &[Vec<u8>], arguments: usize) -> Self {
        Self::opened(&Opening::new(script, keys.len(), arguments), keys)
    }

    /// The same with as many keys as the opening says.
    pub fn opened(opening: &Opening, keys: &[Vec<u8>]) -> Self {
        let mut bytes = room();
        bytes.extend_from_slice(&opening.bytes);
        let mut call = Call { bytes, key: 0..0, incidental: 0, script: Some((opening.script, opening.tail)) };
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

    /// Appends a last argument that does not matter to the answer.
    pub fn push_incidental(&mut self, argument: &[u8]) {
        let before = self.bytes.len();
        self.push(argument);
        self.incidental = self.bytes.len() - before;
    }

    /// Appends arguments that are encoded already.
    pub fn push_encoded(&mut self, arguments: &[u8]) {
        self.bytes.extend_from_slice(arguments);
    }

    /// A plain command. `key`, one of its parts, routes it in a cluster; without one any node will do.
    pub fn command(parts: &[&[u8]], key: Option<&[u8]>) -> Self {
        let mut call = Call { bytes: room(), key: 0..0, incidental: 0, script: None };
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

    /// What tells this call from every other one: all but the command's name and what does not matter.
    pub fn identity(&self) -> &[u8] {
        const NAME: usize = "*00\r\n$7\r\nEVALSHA\r\n".len();
        self.bytes.get(NAME - 1..self.bytes.len() - self.incidental).unwrap_or_default()
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

impl Drop for Call {
    fn drop(&mut self) {
        let bytes = std::mem::take(&mut self.bytes);
        if bytes.capacity() <= ROOM {
            // Gone only while the thread ends.
            let _ = SPARE.try_with(|spare| spare.set(bytes));
        }
    }
}

fn room() -> Vec<u8> {
    let mut bytes = SPARE.try_with(Cell::take).unwrap_or_default();
    bytes.clear();
    bytes.reserve(ROOM);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_call_leaves_its_memory_to_the_next_one_unless_it_is_much() {
        let memory = |part: &[u8]| Call::command(&[part], None).bytes().as_ptr();
        let first = memory(b"PING");
        let _other = Vec::<u8>::with_capacity(ROOM); // else the allocator might do the same
        assert_eq!(first, memory(b"GET"));
        memory(&[b'x'; 2 * ROOM]);
        let call = Call::command(&[b"PING"], None);
        assert_eq!((call.bytes(), call.bytes.capacity()), (&b"*1\r\n$4\r\nPING\r\n"[..], ROOM));
    }

    #[test]
    fn a_command_is_routed_by_its_key() {
        let call = Call::command(&[b"DEL", b"key"], Some(b"key"));
        assert_eq!((call.bytes(), call.key()), (&b"*2\r\n$3\r\nDEL\r\n$3\r\nkey\r\n"[..], &b"key"[..]));
        assert_eq!(Call::command(&[b"PING"], None).key(), b"");
    }
}
