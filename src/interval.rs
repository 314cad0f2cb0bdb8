//! Lengths of time: a number of seconds, or words such as "15 minutes". Always whole microseconds, always of
//! the same length: no months, no years, no time zone.

use crate::error::Error;

/// A length of time of at least one microsecond.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Interval(u64);

const SECOND: u64 = 1_000_000;
/// Added to the Unix time in µs, the sum is still an integer that Lua counts exactly (below 2^53).
const MAX: u64 = 1 << 52;
/// How many digits of a fraction of a unit are read; a day has less than 10^11 microseconds.
const FRACTION_DIGITS: usize = 12;

const UNITS: [(&[&str], u64); 7] = [
    (&["us", "µs", "usec", "microsecond"], 1),
    (&["ms", "msec", "millisecond"], 1_000),
    (&["s", "sec", "second"], SECOND),
    (&["m", "min", "minute"], 60 * SECOND),
    (&["h", "hour"], 3_600 * SECOND),
    (&["d", "day"], 86_400 * SECOND),
    (&["w", "week"], 604_800 * SECOND),
];

impl Interval {
    /// `seconds` rounded to whole microseconds.
    ///
    /// # Errors
    /// [`Error::InvalidPolicy`], here and below, for what is below 1 µs, above 142 years or no length of time.
    pub fn from_seconds(seconds: f64) -> Result<Self, Error> {
        let micros = (seconds * SECOND as f64).round();
        if !(micros >= 1.0 && micros <= MAX as f64) {
            return Err(out_of_range(&format!("{seconds} s")));
        }
        Ok(Interval(micros as u64))
    }

    /// Whole seconds.
    pub fn from_whole_seconds(seconds: i64) -> Result<Self, Error> {
        let micros = u64::try_from(seconds).ok().and_then(|seconds| seconds.checked_mul(SECOND));
        micros.and_then(Self::checked).ok_or_else(|| out_of_range(&format!("{seconds} s")))
    }

    /// Words: "250 ms", "30 seconds", "1 hour 30 minutes". A bare number is seconds.
    pub fn parse(words: &str) -> Result<Self, Error> {
        let mut rest = words.trim();
        let mut total: u64 = 0;
        while !rest.is_empty() {
            let (number, behind) = split_number(rest).ok_or_else(|| unreadable(words))?;
            let letters = behind.find(|c: char| !c.is_alphabetic()).unwrap_or(behind.len());
            let (unit, behind) = behind.split_at_checked(letters).ok_or_else(|| unreadable(words))?;
            // Only a number alone is seconds: "1,5 s" and "1 000 s" are no such thing.
            if unit.is_empty() && number != words.trim() {
                return Err(unreadable(words));
            }
            let unit = unit_micros(unit, words)?;
            let part = multiply(number, unit).ok_or_else(|| out_of_range(words))?;
            total = total.checked_add(part).ok_or_else(|| out_of_range(words))?;
            rest = behind.trim_start();
        }
        if words.trim().is_empty() {
            return Err(unreadable(words));
        }
        Self::checked(total).ok_or_else(|| out_of_range(words))
    }

    fn checked(micros: u64) -> Option<Self> {
        (1..=MAX).contains(&micros).then_some(Interval(micros))
    }

    pub fn micros(self) -> u64 {
        self.0
    }

    pub fn seconds(self) -> f64 {
        self.0 as f64 / SECOND as f64
    }
}

/// The decimal number that `text` begins with, and what stands behind it and its spaces.
fn split_number(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, behind) = text.split_at_checked(end)?;
    number.starts_with(|c: char| c.is_ascii_digit()).then(|| (number, behind.trim_start()))
}

fn unit_micros(unit: &str, words: &str) -> Result<u64, Error> {
    let unit = unit.to_lowercase();
    if unit.is_empty() {
        return Ok(SECOND);
    }
    let one = unit.strip_suffix('s').unwrap_or(&unit);
    let names = |known: &&str| *known == unit || (known.len() > 1 && *known == one);
    if let Some((_, micros)) = UNITS.iter().find(|(known, _)| known.iter().any(names)) {
        return Ok(*micros);
    }
    if ["month", "months", "mon", "year", "years", "y"].contains(&unit.as_str()) {
        return Err(Error::InvalidPolicy(format!(
            "interval \"{words}\": months and years have no fixed length; give it in days, such as \"30 days\""
        )));
    }
    Err(unreadable(words))
}

/// A decimal number times a unit, exactly; what is less than a microsecond is rounded off.
fn multiply(number: &str, unit: u64) -> Option<u64> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let fraction = fraction.get(..FRACTION_DIGITS.min(fraction.len()))?;
    let scale = 10u128.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    let digits: u128 = if fraction.is_empty() { 0 } else { fraction.parse().ok()? };
    let rounded = (digits * u128::from(unit) + scale / 2) / scale;
    whole.parse::<u64>().ok()?.checked_mul(unit)?.checked_add(u64::try_from(rounded).ok()?)
}

fn unreadable(words: &str) -> Error {
    Error::InvalidPolicy(format!(
        "interval \"{words}\" is no length of time; give seconds or words such as \"250 ms\", \"30 seconds\", \
         \"15 minutes\", \"1 hour\", \"1 day\" or \"2 weeks\""
    ))
}

fn out_of_range(given: &str) -> Error {
    Error::InvalidPolicy(format!(
        "interval {given} is out of range; it must be from 1 µs to {MAX} µs (142 years); a number is seconds"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn micros(words: &str) -> u64 {
        Interval::parse(words).unwrap().micros()
    }

    #[test]
    fn words_are_exact() {
        assert_eq!(micros("250 ms"), 250_000);
        assert_eq!(micros("30 seconds"), 30_000_000);
        assert_eq!(micros("15 minutes"), 900_000_000);
        assert_eq!(micros("1 hour"), 3_600_000_000);
        assert_eq!(micros("1 day"), 86_400_000_000);
        assert_eq!(micros("2 weeks"), 1_209_600_000_000);
        assert_eq!(micros("1 Hour 30 minutes"), 5_400_000_000);
        assert_eq!(micros("1.5s"), 1_500_000);
        assert_eq!(micros("0.1 ms"), 100);
        assert_eq!(micros("60"), 60_000_000);
        assert_eq!(micros("1 µs"), 1);
    }

    #[test]
    fn what_has_no_fixed_length_is_refused() {
        for words in [
            "1 month",
            "2 years",
            "",
            "soon",
            "-5 minutes",
            "5 parsecs",
            "1e3 s",
            "5 ss",
            "1,5 s",
            "1,000 seconds",
            "5 5 5",
            "1 2 minutes",
            "0 s",
            "200 weeks years",
        ] {
            assert!(
                matches!(Interval::parse(words), Err(Error::InvalidPolicy(text)) if text.contains(words)),
                "{words}"
            );
        }
    }

    #[test]
    fn numbers_of_seconds_are_bounded() {
        assert_eq!(Interval::from_seconds(0.15).unwrap().micros(), 150_000);
        assert_eq!(Interval::from_whole_seconds(60).unwrap().micros(), 60_000_000);
        for seconds in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-9, 1e12] {
            assert!(Interval::from_seconds(seconds).is_err(), "{seconds}");
        }
        assert!(Interval::from_whole_seconds(0).is_err());
        assert!(Interval::from_whole_seconds(i64::MAX).is_err());
    }
}
