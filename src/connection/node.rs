//! One server and the connection kept to it.

use redis::Value;

use crate::call::Call;
use crate::connection::deadline::Deadline;
use crate::connection::error_reply;
use crate::connection::link::Link;
use crate::connection::resolve;
use crate::failure::Failure;
use crate::stats;
use crate::url::{Address, Session};

/// Sent before a call that another node's ASK led here.
const ASKING: &[u8] = b"*1\r\n$6\r\nASKING\r\n";

pub struct Node {
    address: Address,
    session: Session,
    link: Option<Link>,
}

impl Node {
    /// Connects on first use.
    pub fn new(address: Address, session: Session) -> Self {
        Node { address, session, link: None }
    }

    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Whether there is a connection that the server has not closed.
    pub fn connected(&mut self) -> bool {
        self.link.as_mut().is_some_and(Link::quiet)
    }

    /// Runs `call` at most once and returns the reply, which may be a [`Value::ServerError`].
    pub fn run(&mut self, call: &Call, deadline: Deadline) -> Result<Value, Failure> {
        self.exchange(call, &[], deadline)
    }

    /// The same, for a slot that is on its way to this node.
    pub fn run_asking(&mut self, call: &Call, deadline: Deadline) -> Result<Value, Failure> {
        self.exchange(call, ASKING, deadline)
    }

    /// Asks something that changes nothing: whatever goes wrong, the caller's own call has not run.
    pub fn question(&mut self, parts: &[&[u8]], deadline: Deadline) -> Result<Value, Failure> {
        match self.run(&Call::command(parts, None), deadline) {
            Ok(reply) => error_reply::check(&self.address, reply),
            Err(Failure::Unknown(text)) => Err(Failure::NotRun(text)),
            Err(other) => Err(other),
        }
    }

    /// Any failure drops the connection: what it might still deliver must reach nobody. An error reply leaves it
    /// open, but for READONLY, after which this address may lead to another server.
    fn exchange(&mut self, call: &Call, before: &[u8], deadline: Deadline) -> Result<Value, Failure> {
        let mut link = self.ready(deadline)?;
        let mut reply = link.call(before, call.bytes(), deadline)?;
        if is_error(&reply, "NOSCRIPT")
            && let Some(text) = call.with_text()
        {
            stats::SCRIPT_LOADS.add();
            reply = link.call(before, &text, deadline)?;
        }
        if is_error(&reply, "READONLY") {
            self.expire();
        } else {
            self.link = Some(link);
        }
        Ok(reply)
    }

    /// The kept connection, or a fresh one if the server closed it while it was idle.
    fn ready(&mut self, deadline: Deadline) -> Result<Link, Failure> {
        if let Some(mut link) = self.link.take()
            && link.quiet()
        {
            return Ok(link);
        }
        let opened = Link::open(&self.address, &self.session, deadline);
        if opened.is_err() {
            self.expire();
        }
        opened
    }

    fn expire(&self) {
        if let Address::Tcp { host, .. } = &self.address {
            resolve::expire(host);
        }
    }
}

fn is_error(reply: &Value, code: &str) -> bool {
    matches!(reply, Value::ServerError(error) if error.code() == code)
}
