//! What stands behind a URL: one server, a cluster, or the master that sentinels know.

use redis::Value;

use crate::call::Call;
use crate::connection::cluster::Cluster;
use crate::connection::deadline::Deadline;
use crate::connection::error_reply;
use crate::connection::node::Node;
use crate::connection::sentinel::Sentinel;
use crate::failure::Failure;
use crate::url::{Endpoint, Servers};

pub struct Backend(Kind);

enum Kind {
    One(Node),
    Cluster(Cluster),
    Sentinel(Box<Sentinel>),
}

impl Backend {
    /// Connects on first use.
    pub fn new(endpoint: &Endpoint) -> Self {
        let session = endpoint.session().clone();
        Backend(match endpoint.servers().clone() {
            Servers::One(address) => Kind::One(Node::new(address, session)),
            Servers::Cluster(seeds) => Kind::Cluster(Cluster::new(seeds, session)),
            Servers::Sentinel { sentinels, master, login } => {
                Kind::Sentinel(Box::new(Sentinel::new(sentinels, login, master, session)))
            }
        })
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
        match &mut self.0 {
            Kind::One(node) => {
                let reply = node.run(call, deadline)?;
                error_reply::check(node.address(), reply)
            }
            Kind::Cluster(cluster) => cluster.run(call, deadline),
            Kind::Sentinel(sentinel) => sentinel.run(call, deadline),
        }
    }
}
