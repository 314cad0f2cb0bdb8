//! What stands behind a URL: one server, a cluster, or the master that sentinels know.

use redis::Value;

use crate::call::Call;
use crate::deadline::Deadline;
use crate::failure::Failure;
use crate::node::Node;
use crate::url::{Address, Endpoint, Servers};

pub enum Backend {
    One(Box<Node>),
}

impl Backend {
    /// Connects on first use.
    pub fn new(endpoint: &Endpoint) -> Self {
        let session = endpoint.session().clone();
        match endpoint.servers() {
            Servers::One(address) => Backend::One(Box::new(Node::new(address.clone(), session))),
            Servers::Cluster(addresses) | Servers::Sentinel { sentinels: addresses, .. } => Backend::One(
                Box::new(Node::new(addresses.first().cloned().unwrap_or(Address::Unix("/".into())), session)),
            ),
        }
    }

    /// Runs `call`, at most once, before the deadline.
    ///
    /// # Errors
    /// [`Failure`] says whether it may have run all the same.
    pub fn run(&mut self, call: &Call, deadline: Deadline) -> Result<Value, Failure> {
        match self.once(call, deadline) {
            // A replica ran nothing, and whoever answers a second time may be the new master.
            Err(Failure::Server { code, .. }) if code == "READONLY" => self.once(call, deadline),
            settled => settled,
        }
    }

    fn once(&mut self, call: &Call, deadline: Deadline) -> Result<Value, Failure> {
        match self {
            Backend::One(node) => node.run(call, deadline),
        }
    }
}
