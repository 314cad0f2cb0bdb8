//! The Lua scripts, assembled from `lua/` at compile time by `build.rs`, with the hashes under which Redis caches them.

/// A script and the SHA-1 that EVALSHA names it by (40 hexadecimal digits).
#[derive(Debug, PartialEq, Eq)]
pub struct Script {
    pub sha: &'static str,
    pub text: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/scripts.rs"));
