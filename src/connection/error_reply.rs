//! Error replies of a server: the failures that they are, in words that are safe to log.

use redis::{ServerError, Value};

use crate::failure::Failure;
use crate::url::Address;

/// Of what a server says, in characters.
const LONGEST_TEXT: usize = 200;

/// What the server at `address` replied.
///
/// # Errors
/// [`Failure::Server`] for an error reply.
pub fn check(address: &Address, reply: Value) -> Result<Value, Failure> {
    match reply {
        Value::ServerError(error) => {
            let (code, words) = read(&error);
            Err(Failure::Server { code: code.to_string(), text: format!("{address}: {words}") })
        }
        reply => Ok(reply),
    }
}

/// The code and the words of an error reply, as the server wrote them and short enough for a log line.
pub fn read(error: &ServerError) -> (&str, String) {
    let details = error.details().unwrap_or_default();
    // What Redis calls a request of more than ten arguments on a connection that has to log in first.
    if details.starts_with("Protocol error: unauthenticated") {
        return ("NOAUTH", "NOAUTH Authentication required.".into());
    }
    // An unknown command is repeated with its arguments: names of clients, or a password.
    let details = details.split(", with args beginning with").next().unwrap_or_default();
    let text = format!("{} {details}", error.code());
    let printable = text.trim_end().chars().take(LONGEST_TEXT).map(|c| if c.is_control() { ' ' } else { c });
    (error.code(), printable.collect())
}

/// Whether the words may have lost their end in [`read`].
pub fn is_cut(words: &str) -> bool {
    words.chars().count() >= LONGEST_TEXT
}
