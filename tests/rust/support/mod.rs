//! What every test here stands on: a real server, its clock, a connection, and random numbers that can be repeated.

mod choice;
pub mod client;
mod clock;
#[path = "../../support/folder.rs"]
mod folder;
pub mod foreign;
pub mod policies;
#[path = "../../support/process.rs"]
mod process;
#[path = "../../support/random.rs"]
pub mod random;
pub mod redis;
pub mod server;
#[path = "../../support/until.rs"]
mod until;
