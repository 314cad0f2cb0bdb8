//! The master that sentinels know: asked for on first use and again after every connection that broke.

use redis::Value;

use crate::call::Call;
use crate::connection::deadline::Deadline;
use crate::connection::error_reply;
use crate::connection::node::Node;
use crate::failure::Failure;
use crate::url::{Address, Login, Session};

pub struct Sentinel {
    sentinels: Vec<Address>,
    /// How to log in to a sentinel.
    session: Session,
    master: String,
    /// How to log in to the master.
    master_session: Session,
    node: Option<Node>,
}

impl Sentinel {
    /// Connects on first use.
    pub fn new(sentinels: Vec<Address>, login: Login, master: String, master_session: Session) -> Self {
        let session = Session { login, database: 0, tls: master_session.tls.clone() };
        Sentinel { sentinels, session, master, master_session, node: None }
    }

    /// Runs `call` at most once, on the master.
    pub fn run(&mut self, call: &Call, deadline: Deadline) -> Result<Value, Failure> {
        let mut kept = self.node.take();
        let mut node = match kept.take_if(|node| node.connected()) {
            Some(node) => node,
            None => self.find(deadline)?,
        };
        let reply = node.run(call, deadline)?;
        let result = error_reply::check(node.address(), reply);
        self.node = Some(node);
        result
    }

    /// Asks one sentinel after the other, each with a third of what is left. The one that knew comes first next
    /// time.
    fn find(&mut self, deadline: Deadline) -> Result<Node, Failure> {
        let mut failure = Failure::NotRun("the URL names no sentinel".into());
        for (index, sentinel) in self.sentinels.iter().enumerate() {
            let share = deadline.share(3);
            match self.named_by(sentinel, share).and_then(|address| self.verified(address, sentinel, share)) {
                Ok(node) => {
                    self.sentinels.swap(0, index);
                    return Ok(node);
                }
                Err(other) => failure = other,
            }
        }
        Err(failure)
    }

    fn named_by(&self, sentinel: &Address, deadline: Deadline) -> Result<Address, Failure> {
        let question: [&[u8]; 3] = [b"SENTINEL", b"get-master-addr-by-name", self.master.as_bytes()];
        let reply = Node::new(sentinel.clone(), self.session.clone()).question(&question, deadline)?;
        address(&reply).ok_or_else(|| {
            Failure::NotRun(format!("sentinel {sentinel} knows no master named '{}'", self.master))
        })
    }

    /// A sentinel may be behind: what it names must call itself a master.
    fn verified(&self, address: Address, sentinel: &Address, deadline: Deadline) -> Result<Node, Failure> {
        let mut node = Node::new(address, self.master_session.clone());
        match node.question(&[b"ROLE"], deadline)? {
            Value::Array(role) if role.first() == Some(&Value::BulkString(b"master".into())) => Ok(node),
            _ => {
                let address = node.address();
                Err(Failure::NotRun(format!("{address}: no master, though sentinel {sentinel} says so")))
            }
        }
    }
}

fn address(reply: &Value) -> Option<Address> {
    let Value::Array(parts) = reply else { return None };
    let [Value::BulkString(host), Value::BulkString(port)] = parts.as_slice() else { return None };
    let (host, port) = (std::str::from_utf8(host).ok()?, std::str::from_utf8(port).ok()?);
    Some(Address::Tcp { host: host.to_string(), port: port.parse().ok()? })
}
