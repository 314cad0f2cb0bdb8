//! A Redis Cluster: finds the node that owns a call's key and follows the slot when it moves. Every second attempt
//! comes after an answer, or a failure to connect, which proves that nothing has run.

mod slots;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use redis::{ServerError, Value};

use crate::call::Call;
use crate::connection::deadline::Deadline;
use crate::connection::error_reply;
use crate::connection::node::Node;
use crate::failure::Failure;
use crate::url::{Address, Session};
use slots::Owners;

/// A slot that moves while it is asked for answers MOVED or ASK a few times; more often is a loop.
const HOPS: usize = 5;
/// How long a map of the slots is used, at the least, before it is asked for again.
const REFRESH: Duration = Duration::from_millis(200);
/// Between two attempts at a slot whose keys are on their way.
const PAUSE: Duration = Duration::from_millis(2);

pub struct Cluster {
    seeds: Vec<Address>,
    session: Session,
    nodes: HashMap<Address, Node>,
    owners: Owners,
    /// Something said that the map is out of date.
    stale: bool,
    refreshed: Option<Instant>,
    turn: usize,
}

/// Where a call goes next.
struct Hop {
    to: Address,
    asking: bool,
}

impl Cluster {
    /// Connects on first use.
    pub fn new(seeds: Vec<Address>, session: Session) -> Self {
        let (nodes, owners) = (HashMap::new(), Owners::default());
        Cluster { seeds, session, nodes, owners, stale: true, refreshed: None, turn: 0 }
    }

    /// Runs `call` at most once, on the owner of its key, or anywhere if it has none.
    pub fn run(&mut self, call: &Call, deadline: Deadline) -> Result<Value, Failure> {
        let slot = Some(call.key()).filter(|key| !key.is_empty()).map(slots::slot);
        let mut hop = Hop { to: self.first(slot, deadline)?, asking: false };
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
                std::thread::sleep(PAUSE.min(deadline.left() / 4));
            }
            match next {
                Some(next) if hops < HOPS || circling && deadline.left() > 4 * PAUSE => hop = next,
                _ => return error_reply::check(&hop.to, reply?),
            }
        }
    }

    fn ask(&mut self, hop: &Hop, call: &Call, deadline: Deadline) -> Result<Value, Failure> {
        let node = self.node(&hop.to);
        if hop.asking { node.run_asking(call, deadline) } else { node.run(call, deadline) }
    }

    fn node(&mut self, address: &Address) -> &mut Node {
        self.nodes
            .entry(address.clone())
            .or_insert_with_key(|address| Node::new(address.clone(), self.session.clone()))
    }

    /// The owner as far as is known; asks for a map first if there is none, or if a newer one is due.
    fn first(&mut self, slot: Option<u16>, deadline: Deadline) -> Result<Address, Failure> {
        if self.stale || self.owner(slot).is_none() {
            let refreshed = self.refresh(deadline);
            if self.owner(slot).is_none() {
                refreshed?;
            }
        }
        self.owner(slot).ok_or_else(|| {
            let slot = slot.unwrap_or_default();
            let seeds = self.seeds.iter().map(Address::to_string).collect::<Vec<_>>().join(",");
            Failure::NotRun(format!("{seeds}: no node of the cluster owns slot {slot} (CLUSTERDOWN)"))
        })
    }

    fn owner(&self, slot: Option<u16>) -> Option<Address> {
        match slot {
            Some(slot) => self.owners.of(slot).cloned(),
            None => self.owners.all().next().cloned(),
        }
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
            "MOVED" => {
                self.stale = true;
                match named() {
                    Some(to) => {
                        self.owners.moved(slot?, to.clone());
                        Some(Hop { to, asking: false })
                    }
                    None => self.promoted(slot, hop, deadline),
                }
            }
            // Some of its keys have moved, some have not: soon all will have.
            "TRYAGAIN" => {
                std::thread::sleep(PAUSE.min(deadline.left() / 4));
                Some(Hop { to: hop.to.clone(), asking: hop.asking })
            }
            "CLUSTERDOWN" | "READONLY" | "MASTERDOWN" | "LOADING" => self.distrust(),
            _ => None,
        }
    }

    /// The owner on a new map, if it is another than the one that could not be asked.
    fn promoted(&mut self, slot: Option<u16>, hop: &Hop, deadline: Deadline) -> Option<Hop> {
        self.stale = true;
        self.refresh(deadline).ok()?;
        let to = match slot {
            Some(slot) => self.owners.of(slot),
            None => self.owners.all().find(|owner| **owner != hop.to),
        };
        to.filter(|to| **to != hop.to).map(|to| Hop { to: to.clone(), asking: false })
    }

    fn distrust(&mut self) -> Option<Hop> {
        self.stale = true;
        None
    }

    /// Asks for a new map, unless that was done a moment ago, with half of the time that is left.
    fn refresh(&mut self, deadline: Deadline) -> Result<(), Failure> {
        let now = Instant::now();
        let known = self.owners.all().next().is_some();
        if known && self.refreshed.is_some_and(|last| now.duration_since(last) < REFRESH) {
            return Ok(());
        }
        self.refreshed = Some(now);
        let half = deadline.share(2);
        let mut failure = Failure::NotRun("the URL of the cluster names no node".into());
        for address in self.candidates() {
            match self.map(&address, half.share(3)) {
                Ok(owners) => {
                    self.adopt(owners);
                    return Ok(());
                }
                Err(other) => failure = other,
            }
        }
        Err(failure)
    }

    /// Nodes that are connected first, and another one first each time, so that a dead one delays one call only.
    fn candidates(&mut self) -> Vec<Address> {
        self.turn += 1;
        let mut seen = HashSet::new();
        let mut all: Vec<Address> = self.owners.all().chain(&self.seeds).cloned().collect();
        all.retain(|address| seen.insert(address.clone()));
        let turns = self.turn % all.len().max(1);
        all.rotate_left(turns);
        all.sort_by_cached_key(|address| !self.nodes.get_mut(address).is_some_and(Node::connected));
        all
    }

    fn map(&mut self, address: &Address, deadline: Deadline) -> Result<Owners, Failure> {
        let reply = self.node(address).question(&[b"CLUSTER", b"SLOTS"], deadline)?;
        Owners::parse(&reply, address)
            .ok_or_else(|| Failure::NotRun(format!("{address}: did not answer CLUSTER SLOTS with a map")))
    }

    /// Connections to nodes that own nothing any more are closed.
    fn adopt(&mut self, owners: Owners) {
        let serving: HashSet<&Address> = owners.all().collect();
        self.nodes.retain(|address, _| serving.contains(address));
        self.owners = owners;
        self.stale = false;
    }
}
