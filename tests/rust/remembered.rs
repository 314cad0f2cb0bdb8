//! A refusal told from memory is, to the microsecond, what the models say at that time, whoever calls in between.

use crate::decisions::any;
use crate::oracle::{self, Member, Model, decide};
use crate::support::random::{Random, seed};
use crate::walk::policy;
use ratelimit::refusals::{Found, Question, Refusals, lifetime};
use ratelimit::reply::Answer;
use std::ops::Range;

const SEQUENCES: usize = 500;
const STEPS: usize = 100;
/// The host's clock, in ns, when a call is sent.
const ASKED: u64 = 5_000_000_000;

#[test]
fn a_remembered_refusal_is_exact_as_long_as_it_lives() {
    let seed = seed();
    println!("RATELIMIT_SEED={seed}");
    let mut random = Random::new(seed);
    let refusals = Refusals::shared(4).expect("memory");
    let (mut refused, mut remembered) = (0_u64, 0_u64);
    for _ in 0..SEQUENCES {
        let count = random.pick(&[1, 1, 2, 3]);
        let shadow = |random: &mut Random| count > 1 && random.percent(10);
        let mut members: Vec<_> =
            (0..count).map(|_| Member { model: any(&mut random), shadow: shadow(&mut random) }).collect();
        let policy = policy(&members);
        let mut now = 1_760_000_000_000_000;
        for _ in 0..STEPS {
            now += wait(&mut random, &members);
            let cost = cost(&mut random, &members);
            let answers = told(now, &decide(&mut members, now, cost, cost));
            if answers.iter().zip(&members).all(|(answer, member)| member.shadow || answer.passes()) {
                continue;
            }
            refused += 1;
            if let Some(lifetime) = lifetime::of(&policy, &answers, cost as i64) {
                remembered += 1;
                let request = remembered.to_le_bytes();
                let question = Question { endpoint: 1, keys: &[], request: &request };
                let Found::Nothing(ticket) = refusals.find(&question, || ASKED) else {
                    panic!("never stored")
                };
                refusals.store(&question, ticket, lifetime, &answers, ASKED);
                let find = |passed: i128| refusals.find(&question, || ASKED + passed as u64 * 1000);
                let life = lifetime.as_micros() as i128;
                assert!(matches!(find(life), Found::Nothing(_)));
                compare(&mut random, &mut members, now..now + life, cost, find);
                now += life - 1;
            }
        }
    }
    assert!(remembered > refused / 4, "{remembered} of {refused} were remembered: not much of a test");
}

/// What memory finds some time after the beginning of `life` is right, though others call in it.
fn compare(
    random: &mut Random,
    members: &mut [Member],
    life: Range<i128>,
    cost: i128,
    find: impl Fn(i128) -> Found,
) {
    let last = life.end - 1;
    let mut instants = [life.start, random.within(life.start, last), random.within(life.start, last), last];
    instants.sort_unstable();
    for now in instants {
        let other = self::cost(random, members);
        decide(members, now, other, other);
        let right = told(now, &decide(members, now, cost, cost));
        let Found::Refusal(refusal) = find(now - life.start) else { panic!("forgotten too early") };
        assert_eq!(refusal.answers(), right, "refused at {}: {members:#?}", life.start);
    }
}

/// The models' answers as a refusal tells them.
fn told(now: i128, answers: &[oracle::Answer]) -> Vec<Answer> {
    let number = |number: i128| i64::try_from(number).expect("53 bits");
    let answer = |answer: &oracle::Answer| Answer {
        now: number(now),
        retry: number(answer.retry),
        remaining: number(answer.remaining),
        reset: number(answer.reset),
        delay: 0, // for calls that pass
    };
    answers.iter().map(answer).collect()
}

fn any_model<'a>(random: &mut Random, members: &'a [Member]) -> &'a dyn Model {
    &*members[random.within(0, members.len() as i128 - 1) as usize].model
}

fn wait(random: &mut Random, members: &[Member]) -> i128 {
    let model = any_model(random, members);
    let token = model.window() / model.limit();
    let any = random.within(0, 2 * token);
    random.pick(&[0, 0, 0, 1, any, token, model.window() / 3, 2 * model.window()])
}

fn cost(random: &mut Random, members: &[Member]) -> i128 {
    let limit = any_model(random, members).limit();
    let any = random.within(1, limit);
    random.pick(&[1, 1, 1, 2, any, limit])
}
