//! What a link talks through: a socket, plain or encrypted.

use std::io;

use crate::deadline::Deadline;
use crate::socket::Socket;
use crate::url::{Address, Tls};

pub enum Stream {
    Plain(Socket),
}

impl Stream {
    pub fn connect(address: &Address, tls: Option<&Tls>, deadline: Deadline) -> io::Result<Self> {
        let socket = Socket::connect(address, deadline)?;
        match tls {
            None => Ok(Stream::Plain(socket)),
            Some(_) => Err(io::Error::other("TLS is not built in yet")),
        }
    }

    /// Sends all of `bytes`; on an error the server has not got the whole.
    pub fn send(&mut self, mut bytes: &[u8], deadline: Deadline) -> io::Result<()> {
        match self {
            Stream::Plain(socket) => {
                while !bytes.is_empty() {
                    let sent = socket.send(bytes, deadline)?;
                    bytes = bytes.get(sent..).unwrap_or_default();
                }
                Ok(())
            }
        }
    }

    /// Receives some bytes; 0 where the peer has closed.
    pub fn receive(&mut self, buffer: &mut [u8], deadline: Deadline) -> io::Result<usize> {
        match self {
            Stream::Plain(socket) => socket.receive(buffer, deadline),
        }
    }

    /// Whether the connection stands and nothing waits to be read.
    pub fn quiet(&mut self) -> bool {
        match self {
            Stream::Plain(socket) => socket.quiet(),
        }
    }
}
