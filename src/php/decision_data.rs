//! A decision from the array that `jsonSerialize()` makes of one: for test doubles, queues and logs.

use super::decision::{PROPERTIES, WINDOW_KEYS};
use crate::decision::{Decision, Reason, Window};
use crate::error::Error;
use crate::policy;
use ext_php_rs::types::{ZendHashTable, Zval};

/// `allowed`, `policy` and `limit` must be there; the rest is 0, 1 for the cost, false, null or empty by default.
///
/// # Errors
/// [`Error::InvalidArgument`] that names the key.
pub fn read(data: &ZendHashTable) -> Result<Decision, Error> {
    let known: Vec<_> = PROPERTIES.into_iter().map(|(name, _)| name).chain(["now"]).collect();
    let data = Data::of(data, &known)?;
    let policy = data.name("policy")?.ok_or_else(|| missing("policy"))?;
    let window = data.name("window")?.unwrap_or_else(|| policy.clone());
    Ok(Decision {
        allowed: data.bool("allowed")?.ok_or_else(|| missing("allowed"))?,
        policy: policy.into(),
        window: window.into(),
        limit: data.count("limit")?.ok_or_else(|| missing("limit"))?,
        remaining: data.count("remaining")?.unwrap_or(0),
        cost: data.count("cost")?.unwrap_or(1),
        delay: data.micros("delay")?.unwrap_or(0),
        retry_after: data.micros("retryAfter")?,
        reset_at: data.micros("resetAt")?,
        reason: data.text("reason")?.map(|word| reason(&word)).transpose()?,
        shadow: data.bool("shadow")?.unwrap_or(false),
        degraded: data.bool("degraded")?.unwrap_or(false),
        cached: data.bool("cached")?.unwrap_or(false),
        error: data.text("error")?,
        windows: windows(&data)?,
        now: data.micros("now")?,
        charge: None,
        warns: false,
    })
}

fn windows(data: &Data<'_>) -> Result<Vec<Window>, Error> {
    let Some(list) = data.get("windows") else { return Ok(vec![]) };
    let list = list.array().ok_or_else(|| wrong("windows", "a list"))?;
    list.values()
        .map(|entry| entry.array().ok_or_else(|| wrong("windows", "a list of arrays")).and_then(window))
        .collect()
}

fn window(data: &ZendHashTable) -> Result<Window, Error> {
    let data = Data::of(data, &WINDOW_KEYS)?;
    Ok(Window {
        name: data.name("window")?.ok_or_else(|| missing("window"))?.into(),
        allowed: data.bool("allowed")?.ok_or_else(|| missing("allowed"))?,
        limit: data.count("limit")?.ok_or_else(|| missing("limit"))?,
        remaining: data.count("remaining")?.unwrap_or(0),
        retry_after: data.micros("retryAfter")?,
        reset_at: data.micros("resetAt")?.ok_or_else(|| missing("resetAt"))?,
        interval: None,
    })
}

fn reason(word: &str) -> Result<Reason, Error> {
    let known = Reason::ALL.into_iter().find(|reason| reason.word() == word);
    known.ok_or_else(|| wrong("reason", &Reason::ALL.map(Reason::word).join(", ")))
}

/// Values by key; null is as good as absent.
struct Data<'a>(&'a ZendHashTable);

impl<'a> Data<'a> {
    /// Only `known` keys may stand in it: a misspelt one would be taken for absent.
    fn of(data: &'a ZendHashTable, known: &[&str]) -> Result<Self, Error> {
        match data.iter().find(|(key, _)| !known.contains(&key.to_string().as_str())) {
            None => Ok(Data(data)),
            Some((unknown, _)) => {
                let known = known.join(", ");
                Err(invalid(&format!("has an unknown key \"{unknown}\"; the known ones are {known}")))
            }
        }
    }

    fn get(&self, key: &str) -> Option<&Zval> {
        self.0.get(key).map(Zval::dereference).filter(|value| !value.is_null())
    }

    fn read<T>(
        &self,
        key: &str,
        wanted: &str,
        read: impl Fn(&Zval) -> Option<T>,
    ) -> Result<Option<T>, Error> {
        self.get(key).map(|value| read(value).ok_or_else(|| wrong(key, wanted))).transpose()
    }

    fn bool(&self, key: &str) -> Result<Option<bool>, Error> {
        self.read(key, "true or false", Zval::bool)
    }

    fn count(&self, key: &str) -> Result<Option<i64>, Error> {
        self.read(key, "an integer of at least 0", |value| value.long().filter(|count| *count >= 0))
    }

    fn text(&self, key: &str) -> Result<Option<String>, Error> {
        self.read(key, "a string", |value| {
            value.zend_str().map(|text| String::from_utf8_lossy(text.as_bytes()).into_owned())
        })
    }

    fn name(&self, key: &str) -> Result<Option<String>, Error> {
        match self.text(key)? {
            Some(name) if !policy::is_name(&name) => Err(wrong(key, &format!("a name: {}", policy::NAME))),
            name => Ok(name),
        }
    }

    /// Seconds, kept as µs.
    fn micros(&self, key: &str) -> Result<Option<i64>, Error> {
        let seconds = |value: &Zval| value.double().or_else(|| value.long().map(|seconds| seconds as f64));
        let micros = |value: &Zval| {
            Some((seconds(value)? * 1e6).round()).filter(|micros| (0.0..9e15).contains(micros))
        };
        Ok(self.read(key, "seconds of at least 0", micros)?.map(|micros| micros as i64))
    }
}

fn missing(key: &str) -> Error {
    invalid(&format!("has no \"{key}\""))
}

fn wrong(key: &str, wanted: &str) -> Error {
    invalid(&format!("has a \"{key}\" that is not {wanted}"))
}

fn invalid(text: &str) -> Error {
    Error::InvalidArgument(format!("decision data {text}"))
}
