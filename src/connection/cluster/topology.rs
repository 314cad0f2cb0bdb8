//! The nodes of a cluster and the map of its slots, which is asked for anew when it is doubted.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use super::slots::Owners;
use crate::connection::deadline::Deadline;
use crate::connection::node::Node;
use crate::failure::Failure;
use crate::url::{Address, Session};

/// How long a map of the slots is used, at the least, before it is asked for again.
const REFRESH: Duration = Duration::from_millis(200);

pub struct Topology {
    seeds: Vec<Address>,
    session: Session,
    nodes: HashMap<Address, Node>,
    owners: Owners,
    /// Something said that the map is out of date.
    stale: bool,
    refreshed: Option<Instant>,
    turn: usize,
}

impl Topology {
    /// Connects on first use.
    pub fn new(seeds: Vec<Address>, session: Session) -> Self {
        let (nodes, owners) = (HashMap::new(), Owners::default());
        Topology { seeds, session, nodes, owners, stale: true, refreshed: None, turn: 0 }
    }

    pub fn node(&mut self, address: &Address) -> &mut Node {
        self.nodes
            .entry(address.clone())
            .or_insert_with_key(|address| Node::new(address.clone(), self.session.clone()))
    }

    /// The owner as far as is known, without a slot any; asks for a map first if there is none, or if a newer one is
    /// due.
    pub fn owner(&mut self, slot: Option<u16>, deadline: Deadline) -> Result<Address, Failure> {
        if self.stale || self.known(slot).is_none() {
            let refreshed = self.refresh(deadline);
            if self.known(slot).is_none() {
                refreshed?;
            }
        }
        self.known(slot).ok_or_else(|| {
            let slot = slot.unwrap_or_default();
            let seeds = self.seeds.iter().map(Address::to_string).collect::<Vec<_>>().join(",");
            Failure::NotRun(format!("{seeds}: no node of the cluster owns slot {slot} (CLUSTERDOWN)"))
        })
    }

    /// The owner on a new map, if it is another than `than`, which could not be asked.
    pub fn other_owner(&mut self, slot: Option<u16>, than: &Address, deadline: Deadline) -> Option<Address> {
        self.distrust();
        self.refresh(deadline).ok()?;
        let owner = match slot {
            Some(slot) => self.owners.of(slot),
            None => self.owners.all().find(|owner| *owner != than),
        };
        owner.filter(|owner| *owner != than).cloned()
    }

    /// The owner on the map of `node`, which said that the slot has moved, but not where to: others need not know of
    /// the move yet.
    pub fn owner_by(&mut self, node: &Address, slot: u16, deadline: Deadline) -> Option<Address> {
        self.distrust();
        let owners = self.ask(node, deadline.share(2)).ok()?;
        self.adopt(owners);
        self.owners.of(slot).filter(|owner| *owner != node).cloned()
    }

    /// A node said who owns the slot now.
    pub fn moved(&mut self, slot: u16, owner: Address) {
        self.owners.moved(slot, owner);
    }

    /// Something said that the map is out of date.
    pub fn distrust(&mut self) {
        self.stale = true;
    }

    fn known(&self, slot: Option<u16>) -> Option<Address> {
        match slot {
            Some(slot) => self.owners.of(slot).cloned(),
            None => self.owners.all().next().cloned(),
        }
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
            match self.ask(&address, half.share(3)) {
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

    fn ask(&mut self, address: &Address, deadline: Deadline) -> Result<Owners, Failure> {
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
