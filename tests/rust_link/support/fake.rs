//! Servers that fail in ways a real one cannot be brought to at will.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use socket2::{Domain, SockAddr, Socket, Type};

/// Gives every connection to `serve`, each in a thread of its own, and returns the port.
pub fn fake(serve: impl Fn(TcpStream) + Send + Sync + Clone + 'static) -> u16 {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let serve = serve.clone();
            thread::spawn(move || serve(stream));
        }
    });
    port
}

/// Accepts and never says a word.
pub fn silent() -> u16 {
    fake(swallow)
}

/// Answers each request with `reply`, `piece` bytes at a time with a `pause` before each, and then waits.
pub fn dripping(reply: &'static [u8], piece: usize, pause: Duration) -> u16 {
    fake(move |mut stream| {
        let mut request = [0; 4096];
        while stream.read(&mut request).is_ok_and(|read| read > 0) {
            for piece in reply.chunks(piece) {
                thread::sleep(pause);
                if stream.write_all(piece).is_err() {
                    return;
                }
            }
        }
    })
}

fn swallow(mut stream: TcpStream) {
    while stream.read(&mut [0; 4096]).is_ok_and(|read| read > 0) {}
}

/// A listener whose queue of new connections is full: to others it is a black hole. Lives as long as it is kept.
pub struct Full(#[expect(dead_code, reason = "kept open")] Vec<Socket>);

impl Full {
    pub fn tcp() -> (Self, u16) {
        let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let (full, address) = Self::bind(Domain::IPV4, &any.into());
        (full, address.as_socket().unwrap().port())
    }

    pub fn unix(path: &str) -> Self {
        Self::bind(Domain::UNIX, &SockAddr::unix(path).unwrap()).0
    }

    fn bind(domain: Domain, address: &SockAddr) -> (Self, SockAddr) {
        let listener = Socket::new(domain, Type::STREAM, None).unwrap();
        listener.bind(address).unwrap();
        listener.listen(0).unwrap();
        let address = listener.local_addr().unwrap();
        let mut kept = vec![listener];
        for _ in 0..8 {
            let client = Socket::new(domain, Type::STREAM, None).unwrap();
            client.set_nonblocking(true).unwrap();
            let _ = client.connect(&address);
            kept.push(client);
        }
        (Full(kept), address)
    }
}
