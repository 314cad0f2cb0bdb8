//! Rate limits that Redis settles: atomically, exactly, in one round trip.
//!
//! This crate is a core that knows no PHP and, behind the cargo feature `php`, the thin classes of the
//! extension `ratelimit.so` over it. A decision takes one way:
//!
//! - [`limiter`] has the [`plan`] of a [`policy`] and its [`keys`] encoded as one [`call`] (see [`request`]), looks
//!   whether [`refusals`] answers it already, and else asks the [`store`];
//! - [`store`] asks behind the circuit [`breaker`], over the connections that this [`worker`] keeps: a [`backend`] is
//!   a server, a cluster or a sentinel's master, each node of them has a link, each link a stream over a socket;
//! - what comes back, a [`reply`] or a [`failure`], becomes a [`decision`].
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod backend;
pub mod breaker;
pub mod call;
pub mod charge;
pub mod circuits;
mod cluster;
pub mod config;
pub mod deadline;
pub mod decision;
pub mod error;
mod error_reply;
pub mod failure;
pub mod failure_rule;
mod fork;
pub mod hash;
pub mod headers;
pub mod history;
pub mod interval;
pub mod keys;
pub mod limiter;
mod link;
mod node;
pub mod plan;
pub mod policy;
pub mod refusals;
pub mod reply;
pub mod request;
mod resolve;
mod resp;
pub mod script;
mod sentinel;
pub mod shared_memory;
mod socket;
pub mod stats;
pub mod store;
mod stream;
mod tls;
pub mod url;
pub mod worker;

#[cfg(feature = "php")]
mod php;
