//! The settings of php.ini: what each is worth unless it is set, and what it can be set to.

use crate::breaker::State;
use crate::failure_rule::FailureRule;
use crate::url::Endpoint;
use std::ffi::CStr;
use std::time::Duration;

/// A setting of php.ini.
pub struct Setting {
    pub name: &'static CStr,
    pub default: &'static CStr,
    kind: Kind,
}

/// What a value has to be.
enum Kind {
    Url,
    Prefix,
    FailureRule,
    WholeNumber { least: u64, most: u64 },
}

/// The longest that one decision may be allowed to take: an hour.
pub const LONGEST_TIMEOUT: Duration = Duration::from_secs(3600);
const LONGEST_PREFIX: usize = 64;
const LONGEST_MS: u64 = LONGEST_TIMEOUT.as_millis() as u64;
/// A table of 1.2 GB; nobody needs more.
const MOST_REFUSALS: u64 = 1 << 20;

pub const URL: Setting = Setting::new(c"ratelimit.url", c"redis://127.0.0.1:6379", Kind::Url);
pub const PREFIX: Setting = Setting::new(c"ratelimit.prefix", c"rl", Kind::Prefix);
pub const TIMEOUT: Setting = Setting::new(c"ratelimit.timeout_ms", c"50", from_to(1, LONGEST_MS));
pub const ON_FAILURE: Setting = Setting::new(c"ratelimit.on_failure", c"open", Kind::FailureRule);
pub const BREAKER_FAILURES: Setting =
    Setting::new(c"ratelimit.breaker_failures", c"5", from_to(0, State::MOST_FAILURES as u64));
pub const BREAKER_COOLDOWN: Setting =
    Setting::new(c"ratelimit.breaker_cooldown_ms", c"1000", from_to(1, LONGEST_MS));
pub const REFUSAL_CACHE: Setting =
    Setting::new(c"ratelimit.refusal_cache", c"4096", from_to(0, MOST_REFUSALS));
pub const REFUSAL_TTL: Setting =
    Setting::new(c"ratelimit.refusal_cache_ttl_ms", c"1000", from_to(0, LONGEST_MS));

pub static ALL: [Setting; 8] =
    [URL, PREFIX, TIMEOUT, ON_FAILURE, BREAKER_FAILURES, BREAKER_COOLDOWN, REFUSAL_CACHE, REFUSAL_TTL];

impl Setting {
    const fn new(name: &'static CStr, default: &'static CStr, kind: Kind) -> Self {
        Setting { name, default, kind }
    }

    /// # Errors
    /// What is wrong with a value, and what would be right.
    pub fn check(&self, given: &[u8]) -> Result<(), String> {
        let value = &*String::from_utf8_lossy(given);
        match self.kind {
            Kind::Url => Endpoint::parse(value).map(drop).map_err(|error| error.to_string()),
            Kind::Prefix => check_prefix(given).map(drop),
            Kind::FailureRule => FailureRule::parse(value).map(drop).map_err(|error| error.to_string()),
            Kind::WholeNumber { least, most } => whole_number(value)
                .filter(|number| (least..=most).contains(number))
                .map(drop)
                .ok_or_else(|| format!("{value:?} is not a whole number from {least} to {most}")),
        }
    }
}

const fn from_to(least: u64, most: u64) -> Kind {
    Kind::WholeNumber { least, most }
}

/// # Errors
/// What is wrong with a prefix, and what would be right.
pub fn check_prefix(prefix: &[u8]) -> Result<&str, String> {
    let text = std::str::from_utf8(prefix).ok().filter(|text| !text.chars().any(char::is_control));
    text.filter(|text| (1..=LONGEST_PREFIX).contains(&text.len())).ok_or_else(|| {
        let shown: String = String::from_utf8_lossy(prefix).chars().take(80).collect();
        format!("{shown:?} is no prefix; use 1 to {LONGEST_PREFIX} printable characters, such as \"rl\"")
    })
}

pub fn whole_number(value: &str) -> Option<u64> {
    value.trim().parse().ok()
}
