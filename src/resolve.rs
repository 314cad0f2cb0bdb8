//! Names to addresses without ever waiting past the deadline: the system's resolver, which knows none, runs in a
//! thread, at most one per name, and its answer is kept even if it comes too late for the call that asked.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use crate::deadline::Deadline;
use crate::fork;

/// How long an answer is used before the resolver is asked again.
const FRESH: Duration = Duration::from_secs(60);
/// Enough for getaddrinfo.
const STACK: usize = 512 << 10;

type Answer = io::Result<Vec<IpAddr>>;

#[derive(Default)]
struct Name {
    known: Vec<IpAddr>,
    fresh_until: Option<Instant>,
    asked: Option<Receiver<Answer>>,
}

#[derive(Default)]
struct Names {
    generation: u64,
    names: HashMap<String, Name>,
}

thread_local! {
    static NAMES: RefCell<Names> = RefCell::default();
}

/// The addresses of `host`, which may be an address itself.
pub fn addresses(host: &str, port: u16, deadline: Deadline) -> io::Result<Vec<SocketAddr>> {
    if let Ok(address) = host.parse::<IpAddr>() {
        return Ok(vec![SocketAddr::new(address, port)]);
    }
    let known = with_name(host, |name| name.addresses(host, deadline))?;
    Ok(known.into_iter().map(|address| SocketAddr::new(address, port)).collect())
}

/// Has the next call look for a newer answer: the server of this one failed.
pub fn expire(host: &str) {
    if host.parse::<IpAddr>().is_err() {
        with_name(host, |name| name.fresh_until = None);
    }
}

fn with_name<T>(host: &str, use_name: impl FnOnce(&mut Name) -> T) -> T {
    NAMES.with_borrow_mut(|names| {
        if names.generation != fork::generation() {
            // The threads that would answer live in the parent; not even a lock of theirs can be trusted here.
            std::mem::forget(std::mem::take(&mut names.names));
            names.generation = fork::generation();
        }
        use_name(names.names.entry(host.to_string()).or_default())
    })
}

impl Name {
    /// A stale answer is used while a newer one is on its way.
    fn addresses(&mut self, host: &str, deadline: Deadline) -> Answer {
        if self.fresh_until.is_none_or(|until| until < Instant::now()) && self.asked.is_none() {
            self.asked = Some(ask(host)?);
        }
        let wait = if self.known.is_empty() { deadline.left() } else { Duration::ZERO };
        match self.asked.as_ref().map(|answer| answer.recv_timeout(wait)) {
            Some(Ok(Ok(known))) => {
                *self = Name { known, fresh_until: Some(Instant::now() + FRESH), asked: None };
            }
            Some(Ok(Err(error))) => {
                self.asked = None;
                if self.known.is_empty() {
                    return Err(error);
                }
            }
            Some(Err(RecvTimeoutError::Disconnected)) => self.asked = None,
            Some(Err(RecvTimeoutError::Timeout)) | None => {}
        }
        if self.known.is_empty() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(self.known.clone()) }
    }
}

fn ask(host: &str) -> io::Result<Receiver<Answer>> {
    let (sender, receiver) = sync_channel(1);
    let host = host.to_string();
    std::thread::Builder::new().name("ratelimit-dns".into()).stack_size(STACK).spawn(move || {
        let found = (host.as_str(), 0).to_socket_addrs();
        let _ = sender.send(found.map(|found| found.map(|address| address.ip()).collect()));
    })?;
    Ok(receiver)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_need_no_resolver_and_names_are_kept() {
        let deadline = Deadline::after(Duration::from_secs(5));
        let six = addresses("::1", 1, Deadline::after(Duration::ZERO)).unwrap();
        assert_eq!(six, ["[::1]:1".parse().unwrap()]);
        let first = addresses("localhost", 6379, deadline).unwrap();
        assert!(first.iter().all(|address| address.ip().is_loopback()), "{first:?}");
        assert_eq!(addresses("localhost", 6379, Deadline::after(Duration::ZERO)).unwrap(), first);
        expire("localhost");
        assert_eq!(addresses("localhost", 6379, Deadline::after(Duration::ZERO)).unwrap(), first);
    }
}
