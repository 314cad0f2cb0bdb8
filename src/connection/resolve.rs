//! Names to addresses without ever waiting past the deadline: the system's resolver, which knows none, runs in a
//! thread, at most one per name, and its answer is kept even if it comes too late for the call that asked.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use crate::connection::deadline::Deadline;
use crate::connection::fork;

/// How long an answer is used before the resolver is asked again.
const FRESH: Duration = Duration::from_secs(60);
/// The same after a failure, the resolver's or the server's, so that an outage starts no thread per call.
const FAILED: Duration = Duration::from_secs(1);
/// Enough for getaddrinfo.
const STACK: usize = 512 << 10;

type Answer = io::Result<Vec<IpAddr>>;

#[derive(Default)]
struct Name {
    known: Vec<IpAddr>,
    failure: Option<String>,
    learned: Option<Instant>,
    lifetime: Duration,
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

/// Has one of the next calls look for a newer answer: the server of this one failed.
pub fn expire(host: &str) {
    if host.parse::<IpAddr>().is_err() {
        with_name(host, |name| name.lifetime = FAILED);
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
        if self.learned.is_none_or(|learned| learned.elapsed() > self.lifetime) && self.asked.is_none() {
            self.asked = Some(ask(host)?);
        }
        let nothing = self.known.is_empty() && self.failure.is_none();
        let wait = if nothing { deadline.left() } else { Duration::ZERO };
        if let Some(answer) = self.asked.as_ref().map(|asked| asked.recv_timeout(wait)) {
            self.learn(answer);
        }
        match &self.failure {
            _ if !self.known.is_empty() => Ok(self.known.clone()),
            Some(failure) => Err(io::Error::other(failure.clone())),
            None => Err(io::ErrorKind::TimedOut.into()),
        }
    }

    fn learn(&mut self, answer: Result<Answer, RecvTimeoutError>) {
        match answer {
            Ok(Ok(known)) => {
                *self = Name { known, learned: Some(Instant::now()), lifetime: FRESH, ..Name::default() };
            }
            Ok(Err(error)) => {
                self.asked = None;
                self.failure = Some(error.to_string());
                self.learned = Some(Instant::now());
                self.lifetime = FAILED;
            }
            Err(RecvTimeoutError::Disconnected) => self.asked = None,
            Err(RecvTimeoutError::Timeout) => {}
        }
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
        let failure = addresses("nowhere.invalid", 6379, deadline).unwrap_err().to_string();
        let again = addresses("nowhere.invalid", 6379, Deadline::after(Duration::ZERO)).unwrap_err();
        assert_eq!(again.to_string(), failure, "a failure is kept as well");
    }
}
