//! A socket on which nothing waits past the deadline it is given.

use std::io;
use std::mem::MaybeUninit;
use std::net::SocketAddr;
use std::os::fd::AsRawFd;
use std::time::Duration;

use socket2::{Domain, SockAddr, TcpKeepalive, Type};

use crate::deadline::Deadline;
use crate::resolve;
use crate::url::Address;

/// How long a plain `recv` waits before `ppoll` takes over.
const PATIENCE: Duration = Duration::from_millis(2);
/// With less than this left, the kernel's timer of a plain `recv`, which may be 10 ms late, is not relied upon.
const COARSE: Duration = Duration::from_millis(16);

pub struct Socket {
    inner: socket2::Socket,
}

impl Socket {
    /// # Errors
    /// `TimedOut` past the deadline, else what the system says.
    pub fn connect(address: &Address, deadline: Deadline) -> io::Result<Self> {
        match address {
            Address::Unix(path) => Self::unix(&SockAddr::unix(path)?),
            Address::Tcp { host, port } => {
                let mut found = resolve::addresses(host, *port, deadline)?;
                let last = found.pop().ok_or(io::ErrorKind::NotFound)?;
                for (tried, address) in found.iter().enumerate() {
                    let attempts = u32::try_from(found.len() - tried + 1).unwrap_or(u32::MAX);
                    if let Ok(socket) = Self::tcp(*address, deadline.share(attempts)) {
                        return Ok(socket);
                    }
                }
                Self::tcp(last, deadline)
            }
        }
    }

    fn unix(address: &SockAddr) -> io::Result<Self> {
        let inner = socket2::Socket::new(Domain::UNIX, Type::STREAM, None)?;
        inner.set_nonblocking(true)?;
        inner.connect(address).map_err(|error| match error.kind() {
            io::ErrorKind::WouldBlock => io::Error::other("its queue of new connections is full"),
            _ => error,
        })?;
        Self::ready(inner)
    }

    fn tcp(address: SocketAddr, deadline: Deadline) -> io::Result<Self> {
        let inner = socket2::Socket::new(Domain::for_address(address), Type::STREAM, None)?;
        inner.set_nonblocking(true)?;
        inner.set_tcp_nodelay(true)?;
        let keepalive =
            TcpKeepalive::new().with_time(Duration::from_secs(30)).with_interval(Duration::from_secs(5));
        inner.set_tcp_keepalive(&keepalive)?;
        if let Err(error) = inner.connect(&address.into()) {
            if error.raw_os_error() != Some(libc::EINPROGRESS) {
                return Err(error);
            }
            wait(&inner, libc::POLLOUT, deadline)?;
            if let Some(error) = inner.take_error()? {
                return Err(error);
            }
        }
        Self::ready(inner)
    }

    /// Receiving blocks from now on, for a moment; sending never does.
    fn ready(inner: socket2::Socket) -> io::Result<Self> {
        inner.set_nonblocking(false)?;
        inner.set_read_timeout(Some(PATIENCE))?;
        Ok(Socket { inner })
    }

    /// Sends some of `bytes` and says how many.
    pub fn send(&self, bytes: &[u8], deadline: Deadline) -> io::Result<usize> {
        loop {
            match self.inner.send_with_flags(bytes, libc::MSG_NOSIGNAL | libc::MSG_DONTWAIT) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    wait(&self.inner, libc::POLLOUT, deadline)?;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                sent => return sent,
            }
        }
    }

    /// Receives what has come, and waits for it if need be; 0 where the peer has closed.
    ///
    /// One blocking `recv` is cheaper than waiting with `ppoll` and then receiving, but its timer is coarse: it
    /// waits for the usual reply, and only a late one pays for the exact wait.
    pub fn receive(&self, buffer: &mut [u8], deadline: Deadline) -> io::Result<usize> {
        let mut exact = deadline.left() < COARSE;
        loop {
            if exact {
                wait(&self.inner, libc::POLLIN, deadline)?;
            }
            match self.arrived(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => exact = true,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => exact = true,
                received => return received,
            }
        }
    }

    /// Receives without an exact wait: once something has come, at once.
    pub fn arrived(&self, buffer: &mut [u8]) -> io::Result<usize> {
        io::Read::read(&mut &self.inner, buffer)
    }

    /// Whether the connection stands and nothing waits to be read.
    pub fn quiet(&self) -> bool {
        let mut byte = [MaybeUninit::uninit()];
        let peeked = self.inner.recv_with_flags(&mut byte, libc::MSG_PEEK | libc::MSG_DONTWAIT);
        peeked.is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock)
    }
}

fn wait(socket: &socket2::Socket, events: libc::c_short, deadline: Deadline) -> io::Result<()> {
    loop {
        let left = deadline.left();
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        let left = libc::timespec {
            tv_sec: left.as_secs() as libc::time_t,
            tv_nsec: libc::c_long::from(left.subsec_nanos()),
        };
        let mut poll = libc::pollfd { fd: socket.as_raw_fd(), events, revents: 0 };
        // SAFETY: one pollfd and one timespec, both alive for the whole call; a null signal mask is allowed.
        match unsafe { libc::ppoll(&raw mut poll, 1, &raw const left, std::ptr::null()) } {
            0 => return Err(io::ErrorKind::TimedOut.into()),
            1.. => return Ok(()),
            _ => {
                let error = io::Error::last_os_error();
                if error.kind() != io::ErrorKind::Interrupted {
                    return Err(error);
                }
            }
        }
    }
}
