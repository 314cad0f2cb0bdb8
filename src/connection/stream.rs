//! What a link talks through: a socket, plain or encrypted.

use std::io;

use crate::connection::deadline::Deadline;
use crate::connection::socket::Socket;
use crate::connection::tls::TlsStream;
use crate::url::{Address, Tls};

pub enum Stream {
    Plain(Socket),
    Encrypted(Box<TlsStream>),
}

impl Stream {
    pub fn connect(address: &Address, tls: Option<&Tls>, deadline: Deadline) -> io::Result<Self> {
        let socket = Socket::connect(address, deadline)?;
        match (tls, address) {
            (Some(options), Address::Tcp { host, .. }) => {
                Ok(Stream::Encrypted(Box::new(TlsStream::open(socket, host, options, deadline)?)))
            }
            _ => Ok(Stream::Plain(socket)),
        }
    }

    /// Sends all of `bytes`; on an error the server has not got the whole.
    pub fn send(&mut self, mut bytes: &[u8], deadline: Deadline) -> io::Result<()> {
        match self {
            Stream::Encrypted(stream) => stream.send(bytes, deadline),
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
            Stream::Encrypted(stream) => stream.receive(buffer, deadline),
            Stream::Plain(socket) => socket.receive(buffer, deadline),
        }
    }

    /// Whether the connection stands and nothing waits to be read.
    pub fn quiet(&mut self) -> bool {
        match self {
            Stream::Encrypted(stream) => stream.quiet(),
            Stream::Plain(socket) => socket.quiet(),
        }
    }
}
