//! Reading the words of one policy, each with an error that names it.

use super::{Map, Value, policy_from};
use crate::error::Error;
use crate::interval::Interval;
use crate::policy::{Policy, Rule};

const ALGORITHMS: [&str; 7] =
    ["token_bucket", "sliding_log", "sliding_window", "fixed_window", "leaky_bucket", "compound", "no_limit"];
/// Words that every policy takes.
const COMMON: [&str; 4] = ["policy", "on_failure", "shadow", "shared"];

/// The words under one policy's name.
pub struct Words<'a> {
    pub name: &'a str,
    pub config: &'a Map,
}

impl<'a> Words<'a> {
    pub fn rule(&self) -> Result<Rule, Error> {
        let known = || ALGORITHMS.join(", ");
        let algorithm = self.text("policy")?.ok_or_else(|| self.missing("policy", &known()))?;
        match algorithm {
            "token_bucket" => {
                self.only(&["limit", "rate"])?;
                let (refill, interval) = self.rate()?;
                Ok(Rule::TokenBucket { capacity: self.int("limit")?, refill, interval })
            }
            "leaky_bucket" => {
                self.only(&["limit", "rate"])?;
                let (leak, interval) = self.rate()?;
                Ok(Rule::LeakyBucket { capacity: self.int("limit")?, leak, interval })
            }
            "sliding_log" => {
                self.only(&["limit", "interval", "audit"])?;
                let (limit, interval) = self.window()?;
                Ok(Rule::SlidingLog { limit, interval, audit: self.flag("audit")? })
            }
            "sliding_window" => {
                self.only(&["limit", "interval"])?;
                let (limit, interval) = self.window()?;
                Ok(Rule::SlidingWindow { limit, interval })
            }
            "fixed_window" => {
                self.only(&["limit", "interval", "aligned"])?;
                let (limit, interval) = self.window()?;
                Ok(Rule::FixedWindow { limit, interval, aligned: self.flag("aligned")? })
            }
            "compound" => {
                self.only(&["limiters"])?;
                self.members().map(Rule::Compound)
            }
            "no_limit" | "unlimited" => self.only(&[]).map(|()| Rule::Unlimited),
            unknown => Err(self.invalid(&format!("policy \"{unknown}\" is unknown; use one of {}", known()))),
        }
    }

    fn window(&self) -> Result<(i64, Interval), Error> {
        Ok((self.int("limit")?, self.interval()?))
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

    pub fn text(&self, word: &str) -> Result<Option<&'a str>, Error> {
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

    pub fn flag(&self, word: &str) -> Result<bool, Error> {
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

    pub fn invalid(&self, text: &str) -> Error {
        Error::InvalidPolicy(format!("policy \"{}\": {text}", self.name))
    }
}
