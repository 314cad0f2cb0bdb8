//! A socket on which nothing waits past the deadline it is given.

use std::io;
use std::mem::MaybeUninit;
use std::net::SocketAddr;
use std::os::fd::AsRawFd;
use std::time::Duration;

use socket2::{Domain, SockAddr, TcpKeepalive, Type};

use crate::connection::deadline::Deadline;
use crate::connection::resolve;
use crate::url::Address;

/// Never blocks: it waits in `ppoll`, whose timer is exact. Those of the socket itself (SO_RCVTIMEO) were seen to be
/// 100 ms late on a busy machine, and one `ppoll` more per call costs less than half a microsecond. It sleeps at once:
/// to look again and again for 50 µs, tried by hand, made decisions 8 µs quicker on an idle machine, but took a quarter
/// of the throughput from four busy workers on two cores and made one call in a thousand 1 to 4 ms long.
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
        Ok(Socket { inner })
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
        Ok(Socket { inner })
    }

    /// Sends some of `bytes` and says how many.
    pub fn send(&self, bytes: &[u8], deadline: Deadline) -> io::Result<usize> {
        loop {
            match self.inner.send_with_flags(bytes, libc::MSG_NOSIGNAL) {
                Err(error) if again(&error) => wait(&self.inner, libc::POLLOUT, deadline)?,
                sent => return sent,
            }
        }
    }

    /// Receives what comes; 0 where the peer has closed.
    pub fn receive(&self, buffer: &mut [u8], deadline: Deadline) -> io::Result<usize> {
        loop {
            wait(&self.inner, libc::POLLIN, deadline)?;
            match self.arrived(buffer) {
                Err(error) if again(&error) => {}
                received => return received,
            }
        }
    }

    /// Receives what has come already.
    pub fn arrived(&self, buffer: &mut [u8]) -> io::Result<usize> {
        io::Read::read(&mut &self.inner, buffer)
    }

    /// Whether the connection stands and nothing waits to be read.
    pub fn quiet(&self) -> bool {
        let mut byte = [MaybeUninit::uninit()];
        let peeked = self.inner.recv_with_flags(&mut byte, libc::MSG_PEEK);
        peeked.is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock)
    }
}

fn again(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}

/// Until one of `events`, at most until the deadline.
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
