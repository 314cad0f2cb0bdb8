//! A sequence of calls on one policy: chosen at random, sent to the server, compared with the models.

use crate::oracle::{Model, decide};
use crate::support::client::{Client, bytes, integer};
use crate::support::random::Random;
use crate::support::server::Server;
use crate::support::settle::{Answer, Member, answers, settle};
use ratelimit::call::Call;

const STEPS: usize = 200;

/// The members of a policy, and which of them are in shadow mode.
pub type Members = Vec<(Box<dyn Model>, bool)>;

pub struct Walk<'a> {
    server: &'a Server,
    client: &'a mut Client,
    random: Random,
    members: Members,
    keys: Vec<Vec<u8>>,
    seed: u64,
    /// Whether the policy changes over its state, and whether the clock falls back, now and then.
    changes: bool,
    falls: bool,
    now: i128,
    /// When each key expires, in ms; -2 without a key.
    expiry: Vec<i128>,
    /// What the last refusal promised.
    promised: i128,
    pub decisions: usize,
    pub passed: usize,
}

impl<'a> Walk<'a> {
    pub fn new(
        server: &'a Server,
        client: &'a mut Client,
        mut random: Random,
        members: Members,
        seed: u64,
    ) -> Self {
        let keys = (0..members.len()).map(|member| format!("{{{seed}}}:{member}").into_bytes()).collect();
        let now = 1_760_000_000_000_000 + random.within(0, 100_000_000_000_000);
        let (changes, falls) = (random.percent(35), random.percent(35));
        let expiry = vec![-2; members.len()];
        Walk {
            server,
            client,
            random,
            members,
            keys,
            seed,
            changes,
            falls,
            now,
            expiry,
            promised: 0,
            decisions: 0,
            passed: 0,
        }
    }

    pub fn run(&mut self) {
        self.client.command("FLUSHALL");
        for _ in 0..STEPS {
            if self.changes && self.random.percent(5) {
                let member = self.member();
                self.members[member].0.change(&mut self.random);
                self.promised = 0;
            }
            self.pass_time();
            let cost = self.cost();
            let take = if self.random.percent(15) { 0 } else { cost };
            self.call(cost, take);
            if self.promised > 0 && !self.changes && !self.falls && self.random.percent(20) {
                self.keep_promise(cost);
            }
        }
    }

    fn member(&mut self) -> usize {
        self.random.within(0, self.members.len() as i128 - 1) as usize
    }

    fn pass_time(&mut self) {
        let member = self.member();
        let (window, limit) = (self.members[member].0.window(), self.members[member].0.limit());
        let random = &mut self.random;
        let passes = match random.within(0, 99) {
            _ if self.promised > 0 && random.percent(40) => self.promised + random.pick(&[-1, 0, 0, 1]),
            0..30 => 0,
            30..60 => random.within(0, 3) * window / limit + random.pick(&[0, 0, 1, -1]),
            60..75 => random.within(0, window * 2 / 5),
            75..90 => random.within(0, 3),
            _ => random.pick(&[window / 2, window, 2 * window, 3 * window]) + random.within(-1, 1),
        };
        self.now += passes.max(0);
        if self.falls && random.percent(3) {
            let most = if random.percent(90) { window } else { 5 * window };
            self.now -= random.within(0, most);
        }
    }

    /// Zero is a peek that asks for nothing.
    fn cost(&mut self) -> i128 {
        let member = self.member();
        let limit = self.members[member].0.limit();
        let any = self.random.within(1, limit);
        self.random.pick(&[1, 1, 1, 1, 2, 3, limit, limit + 1, any, 0])
    }

    /// One microsecond before the promised instant the same cost still fails; at it, it passes.
    fn keep_promise(&mut self, cost: i128) {
        let promised = self.now + self.promised;
        self.now = promised - 1;
        assert!(!self.call(cost, 0), "passes before it was promised: {}", self.describe());
        self.now = promised;
        assert!(self.call(cost, 0), "refuses when it was to pass: {}", self.describe());
    }

    /// Whether it passed.
    fn call(&mut self, need: i128, take: i128) -> bool {
        self.server.clock.set(self.now);
        self.expire();
        let expected = decide(&mut self.members, self.now, need, take);
        let answers = self.ask(need, take);
        assert!(
            answers == expected,
            "cost {need}, takes {take}: {}\nanswered {answers:#?}\nright is {expected:#?}",
            self.describe()
        );
        let deciding: Vec<i128> = answers
            .iter()
            .zip(&self.members)
            .filter(|(_, member)| !member.1)
            .map(|(answer, _)| answer.retry)
            .collect();
        let passed = deciding.iter().all(|retry| *retry == 0);
        self.promised = if deciding.contains(&-1) { 0 } else { deciding.into_iter().max().unwrap_or(0) };
        self.decisions += 1;
        self.passed += usize::from(passed);
        if passed && take > 0 {
            self.check_expiry(&answers);
        }
        passed
    }

    /// Where nothing disturbs, an expired state must not have mattered: there the models keep it for ever.
    fn expire(&mut self) {
        for ((model, _), expiry) in self.members.iter_mut().zip(&self.expiry) {
            if (self.changes || self.falls) && *expiry >= 0 && self.now / 1000 > *expiry {
                model.forget();
            }
        }
    }

    fn ask(&mut self, need: i128, take: i128) -> Vec<Answer> {
        let members = self.members.iter().zip(&self.keys).map(|((model, shadow), key)| Member {
            key: key.clone(),
            judge: model.judge(),
            shadow: *shadow,
            numbers: model.numbers(),
            ttl: model.ttl(),
        });
        let call = settle(&members.collect::<Vec<_>>(), need, take, b"request");
        let expiry = self.keys.iter().map(|key| Call::command(&[b"PEXPIRETIME", key], None));
        let calls: Vec<Call> = [call].into_iter().chain(expiry).collect();
        let replies = self.client.pipeline(&calls);
        self.expiry = replies[1..].iter().map(|reply| integer(reply).into()).collect();
        answers(bytes(&replies[0]))
    }

    fn check_expiry(&self, answers: &[Answer]) {
        for (((model, _), expiry), answer) in self.members.iter().zip(&self.expiry).zip(answers) {
            let left = expiry * 1000 - self.now;
            if answer.retry == 0 {
                assert!(left > 0, "a key without a life of its own: {}", self.describe());
                assert!(
                    self.falls || self.changes || left <= 2 * model.window() + 2_000_000,
                    "a key that lives too long: {}",
                    self.describe()
                );
            }
        }
    }

    fn describe(&self) -> String {
        format!("sequence {}, decision {}, t {}, {:#?}", self.seed, self.decisions, self.now, self.members)
    }
}
