//! One server and the connection kept to it.

use redis::Value;

use crate::call::Call;
use crate::deadline::Deadline;
use crate::failure::Failure;
use crate::link::Link;
use crate::resolve;
use crate::stats;
use crate::url::{Address, Session};

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

    /// Runs `call` at most once. An error reply is a [`Failure::Server`]; the connection outlives it, but for
    /// READONLY, after which this address may lead to another server.
    pub fn run(&mut self, call: &Call, deadline: Deadline) -> Result<Value, Failure> {
        self.exchange(deadline, |link| {
            let reply = link.call(call.bytes(), 1, deadline)?;
            if !is_noscript(&reply) {
                return Ok(reply);
            }
            let Some(text) = call.with_text() else { return Ok(reply) };
            stats::SCRIPT_LOADS.add();
            link.call(&text, 1, deadline)
        })
    }

    /// Any failure of `talk` drops the connection: what it might still deliver must reach nobody.
    fn exchange(
        &mut self,
        deadline: Deadline,
        talk: impl FnOnce(&mut Link) -> Result<Value, Failure>,
    ) -> Result<Value, Failure> {
        let mut link = self.ready(deadline)?;
        let reply = talk(&mut link)?;
        let Value::ServerError(error) = reply else {
            self.link = Some(link);
            return Ok(reply);
        };
        let failure = link.refused(&error);
        if error.code() == "READONLY" {
            self.expire();
        } else {
            self.link = Some(link);
        }
        Err(failure)
    }

    /// The kept connection, or a fresh one if the server closed it while it was idle.
    fn ready(&mut self, deadline: Deadline) -> Result<Link, Failure> {
        if let Some(mut link) = self.link.take()
            && link.idle()
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

fn is_noscript(reply: &Value) -> bool {
    matches!(reply, Value::ServerError(error) if error.code() == "NOSCRIPT")
}
