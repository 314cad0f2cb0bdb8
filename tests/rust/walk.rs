//! A sequence of calls on one policy: chosen at random, sent to the server, compared with the models.

use crate::expected::Expected;
use crate::oracle::{Member, decide};
use crate::support::client::{Client, integer};
use crate::support::random::Random;
use crate::support::server::Server;
use ratelimit::call::Call;
use ratelimit::keys::{self, Subject};
use ratelimit::limiter::RateLimiter;
use ratelimit::policy::Policy;

const STEPS: usize = 200;

pub struct Walk<'a> {
    server: &'a Server,
    client: &'a mut Client,
    limiter: RateLimiter,
    random: Random,
    members: Vec<Member>,
    policy: Policy,
    tenant: String,
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
        seed: u64,
        mut random: Random,
        members: Vec<Member>,
    ) -> Self {
        Walk {
            server,
            client,
            limiter: server.limiter(),
            policy: policy(&members),
            tenant: seed.to_string(),
            changes: random.percent(35),
            falls: random.percent(35),
            now: 1_760_000_000_000_000 + random.within(0, 100_000_000_000_000),
            expiry: vec![-2; members.len()],
            promised: 0,
            decisions: 0,
            passed: 0,
            random,
            members,
        }
    }

    pub fn run(&mut self) {
        self.client.command("FLUSHALL");
        for _ in 0..STEPS {
            if self.changes && self.random.percent(5) {
                let member = self.member();
                self.members[member].model.change(&mut self.random);
                self.policy = policy(&self.members);
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
        let (window, limit) = (self.members[member].model.window(), self.members[member].model.limit());
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
        let limit = self.members[member].model.limit();
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
        let answers = decide(&mut self.members, self.now, need, take);
        let expected = Expected::from(&self.members, &answers, self.now);
        let subject = Subject { tenant: self.tenant.as_bytes(), scope: b"global" };
        let decision = match take {
            0 => self.limiter.peek(&self.policy, subject, need as i64),
            _ => self.limiter.consume(&self.policy, subject, take as i64, Some(b"request")),
        };
        let decision = decision.expect("a decision");
        let given = Expected::of(&decision);
        assert!(
            given == expected,
            "cost {need}, takes {take}: {}\nanswered {given:#?} {:?}\nright is {expected:#?}",
            self.describe(),
            decision.error
        );
        self.promised = decision.retry_after.unwrap_or(0).into();
        self.decisions += 1;
        self.passed += usize::from(decision.allowed);
        self.look_at_expiry(decision.allowed && take > 0);
        decision.allowed
    }

    /// Where nothing disturbs, an expired state must not have mattered: there the models keep it for ever.
    fn expire(&mut self) {
        for (member, expiry) in self.members.iter_mut().zip(&self.expiry) {
            if (self.changes || self.falls) && *expiry >= 0 && self.now / 1000 > *expiry {
                member.model.forget();
            }
        }
    }

    /// Every key has a time to live, and where nothing disturbs none longer than two windows.
    fn look_at_expiry(&mut self, charged: bool) {
        let subject = Subject { tenant: self.tenant.as_bytes(), scope: b"global" };
        let keys = keys::of(b"rl", &self.policy, subject);
        let asked: Vec<Call> = keys.iter().map(|key| Call::command(&[b"PEXPIRETIME", key], None)).collect();
        self.expiry = self.client.pipeline(&asked).iter().map(|reply| integer(reply).into()).collect();
        for (member, expiry) in self.members.iter().zip(&self.expiry) {
            let longest = self.now + 2 * member.model.window() + 2_000_000;
            assert!(*expiry != -1, "a key that lives for ever: {}", self.describe());
            assert!(
                *expiry != -2 || !charged || member.shadow,
                "a charge without a key: {}",
                self.describe()
            );
            if !self.changes && !self.falls {
                assert!(expiry * 1000 <= longest, "a key that lives too long: {}", self.describe());
            }
        }
    }

    fn describe(&self) -> String {
        format!("sequence {}, decision {}, t {}, {:#?}", self.tenant, self.decisions, self.now, self.members)
    }
}

/// One member without shadow mode is a policy by itself, else they make a compound.
pub fn policy(members: &[Member]) -> Policy {
    if let [Member { model, shadow: false }] = members {
        return model.policy("policy");
    }
    let member =
        |(at, member): (usize, &Member)| member.model.policy(&format!("member{at}")).shadow(member.shadow);
    Policy::compound("policy", members.iter().enumerate().map(member).collect()).expect("a policy")
}
