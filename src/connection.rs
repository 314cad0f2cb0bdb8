//! The way to Redis, and back within the deadline. It knows no policy.
//!
//! [`worker`] keeps a [`backend`] for each URL: one server, a cluster, or the master that sentinels know. Each server
//! among them is a node, which keeps one link; a link speaks RESP over a stream, a socket that may be encrypted.

pub mod backend;
mod cluster;
pub mod deadline;
mod error_reply;
pub mod fork;
mod link;
mod node;
mod resolve;
mod resp;
mod sentinel;
mod socket;
mod stream;
mod tls;
pub mod worker;
