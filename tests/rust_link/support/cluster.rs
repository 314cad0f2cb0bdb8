//! Three masters and three replicas, and a hand that moves slots between them.

use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use redis::Value;

use super::{Server, free_port, until};

/// All that a limiter may do in a cluster, with the commands of the test's script.
const USER: &str = "ACL SETUSER limiter on >secret ~* -@all +evalsha +eval +get +set +cluster|slots +asking";

pub struct Cluster {
    pub nodes: Vec<Server>,
}

impl Cluster {
    pub fn start() -> Self {
        let node = |_| {
            let bus = free_port().to_string();
            Server::start(&[
                "--cluster-enabled",
                "yes",
                "--cluster-port",
                &bus,
                "--cluster-node-timeout",
                "1000",
            ])
        };
        let cluster = Cluster { nodes: (0..6).map(node).collect() };
        // It would wait for ever for a node that never joins.
        let mut create = Command::new("timeout");
        create.args(["60", "redis-cli", "--cluster", "create", "--cluster-replicas", "1", "--cluster-yes"]);
        create.args(cluster.nodes.iter().map(|node| format!("127.0.0.1:{}", node.port)));
        let output = create.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        until("the cluster is whole", || {
            cluster.nodes.iter().all(|node| {
                node.cluster_info("cluster_state") == "ok" && node.cluster_info("cluster_known_nodes") == "6"
            })
        });
        until("each replica follows", || {
            cluster
                .nodes
                .iter()
                .all(|node| node.info("role") == "master" || node.info("master_link_status") == "up")
        });
        for node in &cluster.nodes {
            node.ask(USER);
        }
        cluster
    }

    pub fn url(&self) -> String {
        let hosts = self.nodes.iter().map(|node| format!("127.0.0.1:{}", node.port)).collect::<Vec<_>>();
        format!("redis-cluster://limiter:secret@{}", hosts.join(","))
    }

    /// The index of the master that owns the slot of `key`.
    pub fn owner(&self, key: &str) -> usize {
        let own = |node: &Server| node.info("role") == "master" && node.send(&["EXISTS", key]).is_ok();
        self.nodes.iter().position(own).unwrap()
    }

    pub fn masters(&self) -> Vec<usize> {
        (0..self.nodes.len()).filter(|index| self.nodes[*index].info("role") == "master").collect()
    }

    /// Moves the slot of `key` from `source` to `target`, as `redis-cli --cluster reshard` does.
    pub fn move_slot(&self, key: &str, source: usize, target: usize) {
        self.begin_move(key, source, target);
        thread::sleep(Duration::from_millis(2));
        // A node does not hand over a slot of which it still holds a key, and others may fall into the slot.
        for key in self.keys_beside(key, source) {
            self.migrate(&key, source, target);
        }
        thread::sleep(Duration::from_millis(2));
        self.end_move(key, source, target);
    }

    pub fn begin_move(&self, key: &str, source: usize, target: usize) {
        let slot = self.slot(key);
        self.nodes[target].ask(&format!("CLUSTER SETSLOT {slot} IMPORTING {}", self.id(source)));
        self.nodes[source].ask(&format!("CLUSTER SETSLOT {slot} MIGRATING {}", self.id(target)));
    }

    pub fn migrate(&self, key: &str, source: usize, target: usize) {
        let port = self.nodes[target].port;
        self.nodes[source].ask(&format!("MIGRATE 127.0.0.1 {port} {key} 0 5000"));
    }

    pub fn end_move(&self, key: &str, source: usize, target: usize) {
        for node in [target, source] {
            let command = format!("CLUSTER SETSLOT {} NODE {}", self.slot(key), self.id(target));
            self.nodes[node].ask(&command);
        }
    }

    fn keys_beside(&self, key: &str, node: usize) -> Vec<String> {
        let keys = self.nodes[node].ask(&format!("CLUSTER GETKEYSINSLOT {} 100", self.slot(key)));
        redis::from_redis_value(keys).unwrap()
    }

    fn slot(&self, key: &str) -> String {
        text(self.nodes[0].ask(&format!("CLUSTER KEYSLOT {key}")))
    }

    fn id(&self, node: usize) -> String {
        text(self.nodes[node].ask("CLUSTER MYID"))
    }

    /// Moves the slot of `key` round the masters until told to stop, and says how often.
    pub fn keep_moving(&self, key: &str, stop: &AtomicBool) -> usize {
        let masters = self.masters();
        let start = masters.iter().position(|master| *master == self.owner(key)).unwrap();
        let mut round = masters.iter().cycle().skip(start).zip(masters.iter().cycle().skip(start + 1));
        let mut moves = 0;
        until("it is told to stop", || {
            let (source, target) = round.next().unwrap();
            self.move_slot(key, *source, *target);
            moves += 1;
            stop.load(Ordering::Relaxed)
        });
        moves
    }
}

fn text(value: Value) -> String {
    redis::from_redis_value(value).unwrap()
}
