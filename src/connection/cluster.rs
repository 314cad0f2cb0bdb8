//! A Redis Cluster: finds the node that owns a call's key and follows the slot when it moves. Every second attempt
//! comes after an answer, or a failure to connect, which proves that nothing has run.

mod slots;
#[cfg(test)]
mod tests;
mod topology;

use std::time::Duration;

use redis::{ServerError, Value};

use crate::call::Call;
use crate::connection::deadline::Deadline;
use crate::connection::error_reply;
use crate::failure::Failure;
use crate::url::{Address, Session};
use topology::Topology;

/// A slot that moves while it is asked for answers MOVED or ASK a few times; more often is a loop.
const HOPS: usize = 5;
/// Between two attempts at a slot whose keys are on their way.
const PAUSE: Duration = Duration::from_millis(2);

pub struct Cluster {
    topology: Topology,
}

/// Where a call goes next.
struct Hop {
    to: Address,
    asking: bool,
}

impl Cluster {
    /// Connects on first use.
    pub fn new(seeds: Vec<Address>, session: Session) -> Self {
        Cluster { topology: Topology::new(seeds, session) }
    }

    /// Runs `call` at most once, on the owner of its key, or anywhere if it has none.
    pub fn run(&mut self, call: &Call, deadline: Deadline) -> Result<Value, Failure> {
        let slot = Some(call.key()).filter(|key| !key.is_empty()).map(slots::slot);
        let mut hop = Hop { to: self.topology.owner(slot, deadline)?, asking: false };
        let mut hops = 0;
        loop {
            hops += 1;
            let reply = self.ask(&hop, call, deadline);
            let next = match &reply {
                Ok(Value::ServerError(error)) => self.redirected(error, slot, &hop, deadline),
                Err(Failure::NotRun(_)) if hops == 1 => self.promoted(slot, &hop, deadline),
                Err(_) => self.distrust(),
                Ok(_) => None,
            };
            // Just after a slot has moved, its nodes may point at each other until they agree.
            let circling = hops > 1 && matches!(&reply, Ok(Value::ServerError(e)) if e.code() == "MOVED");
            if circling {
                pause(deadline);
            }
            match next {
                Some(next) if hops < HOPS || circling && deadline.left() > 4 * PAUSE => hop = next,
                _ => return error_reply::check(&hop.to, reply?),
            }
        }
    }

    fn ask(&mut self, hop: &Hop, call: &Call, deadline: Deadline) -> Result<Value, Failure> {
        let node = self.topology.node(&hop.to);
        if hop.asking { node.run_asking(call, deadline) } else { node.run(call, deadline) }
    }

    /// The next hop after an error reply, if it names one.
    fn redirected(
        &mut self,
        error: &ServerError,
        slot: Option<u16>,
        hop: &Hop,
        deadline: Deadline,
    ) -> Option<Hop> {
        let named = || slots::redirection(error.details()?, &hop.to);
        match error.code() {
            "ASK" => named().map(|to| Hop { to, asking: true }),
            "MOVED" => match named() {
                Some(to) => {
                    self.topology.distrust();
                    self.topology.moved(slot?, to.clone());
                    Some(Hop { to, asking: false })
                }
                None => {
                    let to = self.topology.owner_by(&hop.to, slot?, deadline)?;
                    Some(Hop { to, asking: false })
                }
            },
            // Some of its keys have moved, some have not: soon all will have.
            "TRYAGAIN" => {
                pause(deadline);
                Some(Hop { to: hop.to.clone(), asking: hop.asking })
            }
            "CLUSTERDOWN" | "READONLY" | "MASTERDOWN" | "LOADING" => self.distrust(),
            _ => None,
        }
    }

    /// To the owner on a new map, if it is another than the one that could not be asked.
    fn promoted(&mut self, slot: Option<u16>, hop: &Hop, deadline: Deadline) -> Option<Hop> {
        let to = self.topology.other_owner(slot, &hop.to, deadline)?;
        Some(Hop { to, asking: false })
    }

    fn distrust(&mut self) -> Option<Hop> {
        self.topology.distrust();
        None
    }
}

fn pause(deadline: Deadline) {
    std::thread::sleep(PAUSE.min(deadline.left() / 4));
}
