//! One call to Redis: the bytes to send, the key that routes it, and the script behind its hash.

use crate::script::Script;

/// A request, RESP-encoded once, in the form that goes over the wire.
#[derive(Debug, Default)]
pub struct Call {
    bytes: Vec<u8>,
    key: Vec<u8>,
    script: Option<(&'static Script, Tail)>,
}

/// Where, in an encoded EVALSHA, the arguments behind the hash begin, and how many there are.
#[derive(Debug, Clone, Copy)]
struct Tail {
    start: usize,
    arguments: usize,
}

impl Call {
    /// EVALSHA of `script` over `keys` (the first one routes it) with `arguments`.
    pub fn script(script: &'static Script, keys: &[&[u8]], arguments: &[&[u8]]) -> Self {
        let mut bytes = Vec::with_capacity(256);
        let behind = 1 + keys.len() + arguments.len();
        array(&mut bytes, 2 + behind);
        bulk(&mut bytes, b"EVALSHA");
        bulk(&mut bytes, script.sha.as_bytes());
        let start = bytes.len();
        bulk(&mut bytes, keys.len().to_string().as_bytes());
        for part in keys.iter().chain(arguments) {
            bulk(&mut bytes, part);
        }
        let key = keys.first().map(|key| key.to_vec()).unwrap_or_default();
        Call { bytes, key, script: Some((script, Tail { start, arguments: behind })) }
    }

    /// A plain command. `key` routes it in a cluster; without one any node will do.
    pub fn command(parts: &[&[u8]], key: Option<&[u8]>) -> Self {
        let mut bytes = Vec::with_capacity(64);
        array(&mut bytes, parts.len());
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
        array(&mut bytes, 2 + tail.arguments);
        bulk(&mut bytes, b"EVAL");
        bulk(&mut bytes, script.text.as_bytes());
        bytes.extend_from_slice(behind);
        Some(bytes)
    }
}

fn array(bytes: &mut Vec<u8>, length: usize) {
    header(bytes, b'*', length);
}

fn bulk(bytes: &mut Vec<u8>, part: &[u8]) {
    header(bytes, b'$', part.len());
    bytes.extend_from_slice(part);
    bytes.extend_from_slice(b"\r\n");
}

fn header(bytes: &mut Vec<u8>, kind: u8, number: usize) {
    bytes.push(kind);
    bytes.extend_from_slice(number.to_string().as_bytes());
    bytes.extend_from_slice(b"\r\n");
}
