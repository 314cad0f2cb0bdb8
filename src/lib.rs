//! Rate limits that Redis settles: atomically, exactly, in one round trip.
//!
//! This crate is a core that knows no PHP and, behind the cargo feature `php`, the thin classes of the
//! extension `ratelimit.so` over it. A decision takes one way:
//!
//! - [`limiter`] has the [`plan`] of a [`policy`] and its [`keys`] encoded as one [`call`], looks whether [`refusals`]
//!   answers it already, and else asks the [`store`];
//! - [`store`] asks behind the circuit [`breaker`], over a [`connection`] that this worker keeps;
//! - what comes back, a [`reply`] or a [`failure`], becomes a [`decision`].
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)
)]

pub mod breaker;
pub mod call;
pub mod charge;
pub mod circuit_names;
pub mod config;
pub mod connection;
pub mod decision;
pub mod error;
pub mod failure;
pub mod failure_rule;
pub mod hash;
pub mod headers;
pub mod history;
pub mod interval;
pub mod keys;
pub mod limiter;
pub mod plan;
pub mod policy;
pub mod refusals;
pub mod reply;
pub mod script;
pub mod shared_memory;
pub mod stats;
pub mod store;
pub mod url;

#[cfg(feature = "php")]
mod php;
