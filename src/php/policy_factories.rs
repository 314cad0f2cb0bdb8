//! The factories of `Policy`: arguments in, a checked policy out.

use super::arguments::Arguments;
use super::method::{self, Stop};
use super::policy::to_zval;
use super::policy_config;
use crate::config;
use crate::interval::Interval;
use crate::policy::Policy;
use ext_php_rs::types::Zval;
use ext_php_rs::zend::ExecuteData;
use std::borrow::Cow;

/// A name as PHP code gives it; what is no UTF-8 is no valid name either, and its text says so.
fn name<'a>(arguments: &Arguments<'a>) -> Result<Cow<'a, str>, Stop> {
    Ok(String::from_utf8_lossy(arguments.string(0)?))
}

/// An `int|float|string`; one second where it was left out.
fn interval(arguments: &Arguments<'_>, position: u32) -> Result<Interval, Stop> {
    let Some(value) = arguments.value(position) else { return Ok(Interval::from_whole_seconds(1)?) };
    if let Some(seconds) = value.long() {
        Ok(Interval::from_whole_seconds(seconds)?)
    } else if let Some(seconds) = value.double() {
        Ok(Interval::from_seconds(seconds)?)
    } else if let Some(words) = value.zend_str() {
        Ok(Interval::parse(&String::from_utf8_lossy(words.as_bytes()))?)
    } else {
        arguments.mistyped(position, c"int|float|string")
    }
}

/// The body of a factory: what `make` makes of between `least` and `most` arguments.
fn make(
    frame: &mut ExecuteData,
    result: &mut Zval,
    (least, most): (u32, u32),
    make: impl FnOnce(&Arguments<'_>) -> Result<Policy, Stop>,
) {
    method::run(frame, result, |frame| Ok(to_zval(make(&Arguments::of(frame, least, most)?)?)));
}

pub extern "C" fn token_bucket(frame: &mut ExecuteData, result: &mut Zval) {
    make(frame, result, (3, 4), |arguments| {
        let (capacity, refill) = (arguments.int(1)?, arguments.int(2)?);
        Ok(Policy::token_bucket(&name(arguments)?, capacity, refill, interval(arguments, 3)?)?)
    });
}

pub extern "C" fn leaky_bucket(frame: &mut ExecuteData, result: &mut Zval) {
    make(frame, result, (3, 4), |arguments| {
        let (capacity, leak) = (arguments.int(1)?, arguments.int(2)?);
        Ok(Policy::leaky_bucket(&name(arguments)?, capacity, leak, interval(arguments, 3)?)?)
    });
}

pub extern "C" fn sliding_log(frame: &mut ExecuteData, result: &mut Zval) {
    make(frame, result, (3, 4), |arguments| {
        let (limit, audit) = (arguments.int(1)?, arguments.bool_or(3, false)?);
        Ok(Policy::sliding_log(&name(arguments)?, limit, interval(arguments, 2)?, audit)?)
    });
}

pub extern "C" fn sliding_window(frame: &mut ExecuteData, result: &mut Zval) {
    make(frame, result, (3, 3), |arguments| {
        Ok(Policy::sliding_window(&name(arguments)?, arguments.int(1)?, interval(arguments, 2)?)?)
    });
}

pub extern "C" fn fixed_window(frame: &mut ExecuteData, result: &mut Zval) {
    make(frame, result, (3, 4), |arguments| {
        let (limit, aligned) = (arguments.int(1)?, arguments.bool_or(3, false)?);
        Ok(Policy::fixed_window(&name(arguments)?, limit, interval(arguments, 2)?, aligned)?)
    });
}

pub extern "C" fn compound(frame: &mut ExecuteData, result: &mut Zval) {
    make(frame, result, (1, u32::MAX), |arguments| {
        let members = (1..arguments.count()).map(|position| arguments.object::<Policy>(position).cloned());
        Ok(Policy::compound(&name(arguments)?, members.collect::<Result<_, _>>()?)?)
    });
}

pub extern "C" fn unlimited(frame: &mut ExecuteData, result: &mut Zval) {
    make(frame, result, (1, 1), |arguments| Ok(Policy::unlimited(&name(arguments)?)?));
}

pub extern "C" fn from_array(frame: &mut ExecuteData, result: &mut Zval) {
    make(frame, result, (2, 2), |arguments| {
        let config = policy_config::read(arguments.array(1)?)?;
        Ok(config::policy_from(&name(arguments)?, &config)?)
    });
}
