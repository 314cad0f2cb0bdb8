//! The link to Redis against real servers in the states that production knows: down, silent, cut, forked, moved.

mod acl;
mod cluster;
mod deadline;
mod errors;
mod fork;
mod idle;
mod replies;
mod sentinel;
mod support;
mod tls;
