//! Random decisions, every one compared with the models to the microsecond.
//!
//! Each test walks many sequences. A sequence is one policy over keys of its own, and follows from its seed alone: a
//! divergence prints that seed, and seeds of mended faults are kept in KEPT and run every time.

use crate::oracle::{FixedWindow, Member, Model, SlidingLog, SlidingWindow, TokenBucket};
use crate::support::random::{Random, seed};
use crate::support::server::Server;
use crate::walk::Walk;

/// Compared per test and run, at least.
const DECISIONS: usize = 100_000;

/// 1: a bucket whose clock had fallen back promised a wait after which it still refused.
const KEPT: [u64; 1] = [1];

#[test]
fn token_bucket() {
    diverges_never(|random| single(Box::new(TokenBucket::random(random, false))));
}

#[test]
fn leaky_bucket() {
    diverges_never(|random| single(Box::new(TokenBucket::random(random, true))));
}

#[test]
fn sliding_log() {
    diverges_never(|random| single(Box::new(SlidingLog::random(random, false))));
}

#[test]
fn audit_log() {
    diverges_never(|random| single(Box::new(SlidingLog::random(random, true))));
}

#[test]
fn sliding_window() {
    diverges_never(|random| single(Box::new(SlidingWindow::random(random))));
}

#[test]
fn fixed_window() {
    diverges_never(|random| single(Box::new(FixedWindow::random(random, false))));
}

#[test]
fn aligned_fixed_window() {
    diverges_never(|random| single(Box::new(FixedWindow::random(random, true))));
}

#[test]
fn compound() {
    diverges_never(|random| {
        (0..random.within(1, 4)).map(|_| Member { model: any(random), shadow: random.percent(15) }).collect()
    });
}

fn single(model: Box<dyn Model>) -> Vec<Member> {
    vec![Member { model, shadow: false }]
}

pub fn any(random: &mut Random) -> Box<dyn Model> {
    match random.within(0, 6) {
        0 => Box::new(TokenBucket::random(random, false)),
        1 => Box::new(TokenBucket::random(random, true)),
        2 => Box::new(SlidingLog::random(random, false)),
        3 => Box::new(SlidingLog::random(random, true)),
        4 => Box::new(SlidingWindow::random(random)),
        kind => Box::new(FixedWindow::random(random, kind == 5)),
    }
}

fn diverges_never(members: impl Fn(&mut Random) -> Vec<Member>) {
    let server = Server::start();
    let mut client = server.connect();
    let seed = seed();
    println!("RATELIMIT_SEED={seed}");
    let mut seeds = Random::new(seed);
    let mut kept = KEPT.into_iter();
    let (mut decisions, mut passed) = (0, 0);
    while decisions < DECISIONS {
        let seed = kept.next().unwrap_or_else(|| seeds.next());
        let mut random = Random::new(seed);
        let members = members(&mut random);
        let mut walk = Walk::new(&server, &mut client, seed, random, members);
        walk.run();
        decisions += walk.decisions;
        passed += walk.passed;
    }
    assert!(
        passed > decisions / 5 && passed < decisions,
        "{passed} of {decisions} passed: not much of a test"
    );
}
