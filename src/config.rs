//! A policy from configuration, in the words of symfony/rate-limiter, and back.

mod describe;
mod words;

use crate::error::Error;
use crate::failure_rule::FailureRule;
use crate::policy::Policy;
pub use describe::describe;
use words::Words;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interval::Interval;

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
