//! A plain connection, for tests that ask the server itself.

use super::until::LONGEST;
use ratelimit::call::Call;
use redis::{Parser, Value};
use std::io::Write;
use std::os::unix::net::UnixStream;

pub struct Client {
    stream: UnixStream,
    parser: Parser,
}

impl Client {
    pub fn connect(socket: &str) -> Self {
        let stream = UnixStream::connect(socket).expect("a connection to the server under test");
        stream.set_read_timeout(Some(LONGEST)).expect("a timeout");
        Client { stream, parser: Parser::new() }
    }

    /// Sends all calls at once and returns their replies.
    pub fn pipeline(&mut self, calls: &[Call]) -> Vec<Value> {
        let bytes: Vec<u8> = calls.iter().flat_map(|call| call.bytes().iter().copied()).collect();
        self.stream.write_all(&bytes).expect("the server reads");
        calls.iter().map(|_| self.read()).collect()
    }

    /// The reply of a command, its words divided by spaces.
    pub fn command(&mut self, words: &str) -> Value {
        self.parts(&words.split(' ').map(str::as_bytes).collect::<Vec<_>>())
    }

    pub fn parts(&mut self, parts: &[&[u8]]) -> Value {
        self.pipeline(&[Call::command(parts, None)]).remove(0)
    }

    fn read(&mut self) -> Value {
        match self.parser.parse_value(&mut self.stream) {
            Ok(Value::ServerError(error)) => panic!("the server answers: {error:?}"),
            Ok(value) => value,
            Err(error) => panic!("no reply: {error}"),
        }
    }
}

pub fn integer(value: &Value) -> i64 {
    match value {
        Value::Int(number) => *number,
        other => panic!("not an integer: {other:?}"),
    }
}
