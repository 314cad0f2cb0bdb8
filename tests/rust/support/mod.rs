//! What every test here stands on: a real server, its clock, a connection, and random numbers that can be repeated.

pub mod client;
pub mod clock;
pub mod foreign;
pub mod policies;
pub mod random;
pub mod redis;
pub mod server;
