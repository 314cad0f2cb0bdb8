//! Rate limits that Redis settles: atomically, exactly, in one round trip.
//!
//! This crate is a core that knows no PHP and, behind the cargo feature `php`, the thin classes of the
//! extension `ratelimit.so` over it. A decision takes one way: [`limiter`] asks [`policy`] what to send, a
//! [`backend`] of this worker sends one EVALSHA, and the reply becomes a [`decision`].
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
