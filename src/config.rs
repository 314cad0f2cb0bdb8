//! A policy from configuration, in the words of symfony/rate-limiter, and back.

use crate::error::Error;
use crate::failure_rule::FailureRule;
use crate::interval::Interval;
use crate::policy::{Policy, Rule};

/// A value of a configuration, whatever language it was written in.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    Map(Map),
}

/// Keys in order, each with its value.
pub type Map = Vec<(String, Value)>;

const ALGORITHMS: [&str; 7] =
    ["token_bucket", "sliding_log", "sliding_window", "fixed_window", "leaky_bucket", "compound", "no_limit"];
/// Words that every policy takes.
const COMMON: [&str; 4] = ["policy", "on_failure", "shadow", "shared"];

/// The policy that `config` describes.
///
/// # Errors
/// [`Error::InvalidPolicy`] that names the unknown or missing word and lists the known ones.
pub fn policy_from(name: &str, config: &Map) -> Result<Policy, Error> {
    let words = Words { name, config };
    let mut policy = Policy::new(name, words.rule()?)?;
    policy = policy.shadow(words.flag("shadow")?).shared(words.flag("shared")?);
    match words.text("on_failure")? {
        None => Ok(policy),
        Some(word) => {
            let rule = FailureRule::parse(word).map_err(|error| words.invalid(&error.to_string()))?;
            Ok(policy.on_failure(rule))
        }
    }
}

/// The configuration that describes `policy`; only what differs from the defaults beyond its numbers.
pub fn describe(policy: &Policy) -> Map {
    let mut config = rule_words(policy.rule());
    if let Some(rule) = policy.failure_rule() {
        config.push(("on_failure".into(), Value::Text(rule.word().into())));
    }
    for (word, set) in [("shadow", policy.is_shadow()), ("shared", policy.is_shared())] {
        if set {
            config.push((word.into(), Value::Bool(true)));
        }
    }
    config
}

fn rule_words(rule: &Rule) -> Map {
    let entry = |word: &str, value: Value| (word.to_string(), value);
    let start = |algorithm: &str| vec![entry("policy", Value::Text(algorithm.into()))];
    let limited = |algorithm: &str, limit: i64, interval: &Interval| {
        [start(algorithm), vec![entry("limit", Value::Int(limit)), entry("interval", seconds(*interval))]]
            .concat()
    };
    let rated = |algorithm: &str, limit: i64, amount: i64, interval: &Interval| {
        let rate = vec![entry("amount", Value::Int(amount)), entry("interval", seconds(*interval))];
        [start(algorithm), vec![entry("limit", Value::Int(limit)), entry("rate", Value::Map(rate))]].concat()
    };
    let flagged = |mut config: Map, word: &str, set: bool| {
        if set {
            config.push(entry(word, Value::Bool(true)));
        }
        config
    };
    match rule {
        Rule::TokenBucket { capacity, refill, interval } => {
            rated("token_bucket", *capacity, *refill, interval)
        }
        Rule::LeakyBucket { capacity, leak, interval } => rated("leaky_bucket", *capacity, *leak, interval),
        Rule::SlidingLog { limit, interval, audit } => {
            flagged(limited("sliding_log", *limit, interval), "audit", *audit)
        }
        Rule::SlidingWindow { limit, interval } => limited("sliding_window", *limit, interval),
        Rule::FixedWindow { limit, interval, aligned } => {
            flagged(limited("fixed_window", *limit, interval), "aligned", *aligned)
        }
        Rule::Compound(members) => {
            let members =
                members.iter().map(|member| entry(member.name(), Value::Map(describe(member)))).collect();
            [start("compound"), vec![entry("limiters", Value::Map(members))]].concat()
        }
        Rule::Unlimited => start("no_limit"),
    }
}

/// Whole seconds as an integer, else a float that reads back as the same µs.
fn seconds(interval: Interval) -> Value {
    let micros = interval.micros();
    if micros.is_multiple_of(1_000_000) {
        Value::Int((micros / 1_000_000) as i64)
    } else {
        Value::Float(interval.seconds())
    }
}

/// The words under one policy's name.
struct Words<'a> {
    name: &'a str,
    config: &'a Map,
}

impl<'a> Words<'a> {
    fn rule(&self) -> Result<Rule, Error> {
        let algorithm = self.text("policy")?.ok_or_else(|| self.missing("policy", &ALGORITHMS.join(", ")))?;
        let own: &[&str] = match algorithm {
            "token_bucket" | "leaky_bucket" => &["limit", "rate"],
            "sliding_log" => &["limit", "interval", "audit"],
            "sliding_window" => &["limit", "interval"],
            "fixed_window" => &["limit", "interval", "aligned"],
            "compound" => &["limiters"],
            "no_limit" | "unlimited" => &[],
            unknown => {
                let known = ALGORITHMS.join(", ");
                return Err(self.invalid(&format!("policy \"{unknown}\" is unknown; use one of {known}")));
            }
        };
        self.only(own)?;
        match algorithm {
            "token_bucket" => {
                let (refill, interval) = self.rate()?;
                Ok(Rule::TokenBucket { capacity: self.int("limit")?, refill, interval })
            }
            "leaky_bucket" => {
                let (leak, interval) = self.rate()?;
                Ok(Rule::LeakyBucket { capacity: self.int("limit")?, leak, interval })
            }
            "sliding_log" => Ok(Rule::SlidingLog {
                limit: self.int("limit")?,
                interval: self.interval()?,
                audit: self.flag("audit")?,
            }),
            "sliding_window" => {
                Ok(Rule::SlidingWindow { limit: self.int("limit")?, interval: self.interval()? })
            }
            "fixed_window" => Ok(Rule::FixedWindow {
                limit: self.int("limit")?,
                interval: self.interval()?,
                aligned: self.flag("aligned")?,
            }),
            "compound" => self.members().map(Rule::Compound),
            _ => Ok(Rule::Unlimited),
        }
    }

    fn members(&self) -> Result<Vec<Policy>, Error> {
        let members = self.map("limiters")?;
        let member = |(name, value): &(String, Value)| match value {
            Value::Map(config) => policy_from(name, config),
            other => Err(self.wrong(&format!("limiters.{name}"), "an array that describes a policy", other)),
        };
        members.iter().map(member).collect()
    }

    fn rate(&self) -> Result<(i64, Interval), Error> {
        let rate = Words { name: self.name, config: self.map("rate")? };
        rate.only_of(&["amount", "interval"], "rate.")?;
        let amount = if rate.get("amount").is_some() { rate.int("amount")? } else { 1 };
        Ok((amount, rate.interval()?))
    }

    fn only(&self, own: &[&str]) -> Result<(), Error> {
        self.only_of(&[&COMMON, own].concat(), "")
    }

    fn only_of(&self, known: &[&str], path: &str) -> Result<(), Error> {
        match self.config.iter().find(|(word, _)| !known.contains(&word.as_str())) {
            None => Ok(()),
            Some((word, _)) => Err(self.invalid(&format!(
                "\"{path}{word}\" is unknown here; the known words are {}",
                known.join(", ")
            ))),
        }
    }

    /// The value of a word; null is as good as absent.
    fn get(&self, word: &str) -> Option<&'a Value> {
        self.config
            .iter()
            .find(|(known, _)| known == word)
            .map(|(_, value)| value)
            .filter(|v| **v != Value::Null)
    }

    fn text(&self, word: &str) -> Result<Option<&'a str>, Error> {
        match self.get(word) {
            None => Ok(None),
            Some(Value::Text(text)) => Ok(Some(text)),
            Some(other) => Err(self.wrong(word, "a string", other)),
        }
    }

    /// An integer; digits in a string, as environment variables are, count as one.
    fn int(&self, word: &str) -> Result<i64, Error> {
        match self.get(word).ok_or_else(|| self.missing(word, "an integer"))? {
            Value::Int(int) => Ok(*int),
            Value::Text(text) => {
                text.parse().map_err(|_| self.wrong(word, "an integer", &Value::Text(text.clone())))
            }
            other => Err(self.wrong(word, "an integer", other)),
        }
    }

    fn flag(&self, word: &str) -> Result<bool, Error> {
        match self.get(word) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(other) => Err(self.wrong(word, "true or false", other)),
        }
    }

    fn interval(&self) -> Result<Interval, Error> {
        let interval =
            match self.get("interval").ok_or_else(|| self.missing("interval", "seconds or \"1 minute\""))? {
                Value::Int(seconds) => Interval::from_whole_seconds(*seconds),
                Value::Float(seconds) => Interval::from_seconds(*seconds),
                Value::Text(words) => Interval::parse(words),
                other => return Err(self.wrong("interval", "seconds or \"1 minute\"", other)),
            };
        interval.map_err(|error| self.invalid(&error.to_string()))
    }

    fn map(&self, word: &str) -> Result<&'a Map, Error> {
        match self.get(word).ok_or_else(|| self.missing(word, "an array"))? {
            Value::Map(map) => Ok(map),
            other => Err(self.wrong(word, "an array", other)),
        }
    }

    fn missing(&self, word: &str, wanted: &str) -> Error {
        self.invalid(&format!("\"{word}\" is missing; give {wanted}"))
    }

    fn wrong(&self, word: &str, wanted: &str, given: &Value) -> Error {
        let shown = match given {
            Value::Null => "null".into(),
            Value::Bool(flag) => flag.to_string(),
            Value::Int(int) => int.to_string(),
            Value::Float(float) => float.to_string(),
            Value::Text(text) => format!("{text:?}"),
            Value::Map(_) => "an array".into(),
        };
        self.invalid(&format!("\"{word}\" must be {wanted}, not {shown}"))
    }

    fn invalid(&self, text: &str) -> Error {
        Error::InvalidPolicy(format!("policy \"{}\": {text}", self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(word: &str) -> Value {
        Value::Text(word.into())
    }

    fn map(entries: &[(&str, Value)]) -> Map {
        entries.iter().map(|(word, value)| (word.to_string(), value.clone())).collect()
    }

    fn refusal(entries: &[(&str, Value)]) -> String {
        policy_from("p", &map(entries)).unwrap_err().to_string()
    }

    #[test]
    fn symfonys_words_make_a_policy() {
        let rate = Value::Map(map(&[("amount", Value::Int(60)), ("interval", text("1 minute"))]));
        let config = map(&[("policy", text("token_bucket")), ("limit", Value::Int(60)), ("rate", rate)]);
        let minute = Interval::parse("60 s").unwrap();
        assert_eq!(
            policy_from("api", &config).unwrap(),
            Policy::token_bucket("api", 60, 60, minute).unwrap()
        );
    }

    #[test]
    fn what_is_described_reads_back_the_same() {
        let odd = Interval::from_seconds(0.15).unwrap();
        let members = vec![
            Policy::token_bucket("burst", 10, 3, odd).unwrap().shadow(true),
            Policy::sliding_log("audit", 7, odd, true).unwrap().shared(true),
            Policy::fixed_window("day", 9, odd, true).unwrap(),
            Policy::sliding_window("slide", 9, odd).unwrap(),
            Policy::leaky_bucket("queue", 9, 2, odd).unwrap(),
        ];
        let policy = Policy::compound("all", members).unwrap().on_failure(FailureRule::Closed);
        assert_eq!(policy_from("all", &describe(&policy)).unwrap(), policy);
        let unlimited = Policy::unlimited("free").unwrap();
        assert_eq!(policy_from("free", &describe(&unlimited)).unwrap(), unlimited);
    }

    #[test]
    fn a_wrong_word_is_named_beside_the_known_ones() {
        let unknown = refusal(&[("policy", text("magic"))]);
        assert!(unknown.contains("\"magic\"") && unknown.contains("sliding_log"), "{unknown}");
        let extra = refusal(&[("policy", text("fixed_window")), ("rate", Value::Int(1))]);
        assert!(extra.contains("\"rate\"") && extra.contains("limit, interval, aligned"), "{extra}");
        let missing = refusal(&[("policy", text("fixed_window")), ("limit", Value::Int(1))]);
        assert!(missing.contains("\"interval\" is missing"), "{missing}");
        let kind = refusal(&[
            ("policy", text("fixed_window")),
            ("limit", text("many")),
            ("interval", Value::Int(1)),
        ]);
        assert!(kind.contains("\"limit\" must be an integer, not \"many\""), "{kind}");
        let failure = refusal(&[("policy", text("no_limit")), ("on_failure", text("maybe"))]);
        assert!(failure.contains("\"maybe\"") && failure.contains("closed"), "{failure}");
    }
}
