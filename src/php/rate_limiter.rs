//! `RedisRateLimit\RateLimiter`: reads the arguments, asks the core, gives PHP values back.

use super::arguments::Arguments;
use super::array::{self, Array};
use super::last_limiter::{self, Given};
use super::method::{self, Stop};
use super::object::{self, Native, NativeClass};
use super::signature::{Handler, Method};
use super::stats::stats;
use super::{decision, exceptions, ini, policy};
use crate::decision::Decision;
use crate::error::Error;
use crate::history::Entry;
use crate::keys::Subject;
use crate::limiter::RateLimiter;
use crate::policy::Policy;
use crate::url::Endpoint;
use ext_php_rs::args::Arg;
use ext_php_rs::error::{Result as Registered, php_error};
use ext_php_rs::flags::{DataType, ErrorType, MethodFlags};
use ext_php_rs::types::Zval;
use ext_php_rs::zend::ExecuteData;
use std::ffi::CStr;
use std::time::Duration;

static CLASS: NativeClass = NativeClass::new();

impl Native for RateLimiter {
    const NAME: &'static CStr = c"RedisRateLimit\\RateLimiter";

    fn class() -> &'static NativeClass {
        &CLASS
    }
}

pub fn register() -> Registered<()> {
    let optional_string = |name: &str| Arg::new(name, DataType::String).allow_null().default("null");
    let class = object::class::<RateLimiter>()
        .method(
            Method::new("__construct", construct)
                .optional()
                .argument(optional_string("url"))
                .argument(Arg::new("timeout", DataType::Double).allow_null().default("null"))
                .argument(optional_string("prefix"))
                .sensitive(0),
        )
        .method(
            about("consume", consume)
                .int_or("cost", "1")
                .argument(optional_string("requestId"))
                .returns(object::type_of::<Decision>()),
        )
        .method(about("peek", peek).int_or("cost", "1").returns(object::type_of::<Decision>()))
        .method(
            Method::new("refund", refund)
                .argument(Arg::new("decision", object::type_of::<Decision>()))
                .returns(DataType::Bool),
        )
        .method(about("reset", reset).returns(DataType::Bool))
        .method(about("history", history).returns(DataType::Array))
        .method(Method::new("ping", ping).returns(DataType::Double))
        .method(
            Method::new("stats", stats)
                .flags(MethodFlags::Public.union(MethodFlags::Static))
                .returns(DataType::Array),
        );
    object::register::<RateLimiter>(class)
}

/// A method about one policy and one subject.
fn about(name: &'static str, handler: Handler) -> Method {
    Method::new(name, handler)
        .argument(Arg::new("policy", object::type_of::<Policy>()))
        .argument(Arg::new("tenant", DataType::String))
        .optional()
        .argument(Arg::new("scope", DataType::String).default("'global'"))
}

extern "C" fn construct(frame: &mut ExecuteData, result: &mut Zval) {
    method::run(frame, result, |frame| {
        let limiter = limiter(&Arguments::of(frame, 0, 3)?)?;
        let fresh = frame.This.object_mut().is_some_and(|this| object::initialize(this, limiter));
        if !fresh {
            exceptions::throw_error("a RateLimiter is constructed once; make a new one for another URL");
            return Err(Stop::Thrown);
        }
        Ok(Zval::null())
    });
}

fn limiter(arguments: &Arguments<'_>) -> Result<RateLimiter, Stop> {
    let (url, timeout) = (arguments.nullable_string(0)?, arguments.nullable_float(1)?);
    let given = Given { url, timeout, prefix: arguments.nullable_string(2)? };
    Ok(last_limiter::same_or(given, || make(given))?)
}

fn make(given: Given<'_>) -> Result<RateLimiter, Error> {
    let url = given.url.map_or_else(ini::url, |url| String::from_utf8_lossy(url).into_owned());
    let mut settings = ini::settings();
    if let Some(seconds) = given.timeout {
        settings.timeout = timeout(seconds)?;
    }
    if let Some(prefix) = given.prefix {
        settings.prefix = ini::check_prefix(prefix).map_err(Error::InvalidConfiguration)?.into();
    }
    Ok(RateLimiter::new(Endpoint::parse(&url)?, &settings))
}

fn timeout(seconds: f64) -> Result<Duration, Error> {
    let timeout = Duration::try_from_secs_f64(seconds).unwrap_or_default();
    if timeout.is_zero() || timeout > ini::LONGEST_TIMEOUT {
        let most = ini::LONGEST_TIMEOUT.as_secs();
        return Err(Error::InvalidConfiguration(format!(
            "timeout {seconds} s cannot be used; give seconds above 0 and up to {most}, such as 0.05"
        )));
    }
    Ok(timeout)
}

/// The policy and the subject that a method is about.
fn subject<'a>(arguments: &Arguments<'a>) -> Result<(&'a Policy, Subject<'a>), Stop> {
    let policy = arguments.object::<Policy>(0)?;
    Ok((policy, Subject { tenant: arguments.string(1)?, scope: arguments.string_or(2, b"global")? }))
}

extern "C" fn consume(frame: &mut ExecuteData, result: &mut Zval) {
    method::run(frame, result, |frame| {
        let arguments = Arguments::of(frame, 2, 5)?;
        let (policy, subject) = subject(&arguments)?;
        let (cost, request_id) = (arguments.int_or(3, 1)?, arguments.nullable_string(4)?);
        let decision = method::this::<RateLimiter>(frame)?.consume(policy, subject, cost, request_id)?;
        answer(decision, &arguments)
    });
}

extern "C" fn peek(frame: &mut ExecuteData, result: &mut Zval) {
    method::run(frame, result, |frame| {
        let arguments = Arguments::of(frame, 2, 4)?;
        let (policy, subject) = subject(&arguments)?;
        let cost = arguments.int_or(3, 1)?;
        answer(method::this::<RateLimiter>(frame)?.peek(policy, subject, cost)?, &arguments)
    });
}

/// The decision as a PHP value, and a warning where it is the one that warns of its outage.
fn answer(decision: Decision, arguments: &Arguments<'_>) -> Result<Zval, Stop> {
    let warning = decision.error.clone().filter(|_| decision.warns);
    let zval = decision::to_zval(decision, policy::name_of(arguments, 0)?);
    if let Some(error) = warning {
        let text =
            format!("ratelimit: {error}; until Redis answers again, policies decide by their failure rule");
        php_error(&ErrorType::Warning, &text.replace('\0', "\\0"));
    }
    Ok(zval)
}

extern "C" fn refund(frame: &mut ExecuteData, result: &mut Zval) {
    method::run(frame, result, |frame| {
        let arguments = Arguments::of(frame, 1, 1)?;
        let decision = arguments.object::<Decision>(0)?;
        Ok(array::bool(method::this::<RateLimiter>(frame)?.refund(decision)?))
    });
}

extern "C" fn reset(frame: &mut ExecuteData, result: &mut Zval) {
    method::run(frame, result, |frame| {
        let arguments = Arguments::of(frame, 2, 3)?;
        let (policy, subject) = subject(&arguments)?;
        Ok(array::bool(method::this::<RateLimiter>(frame)?.reset(policy, subject)?))
    });
}

extern "C" fn history(frame: &mut ExecuteData, result: &mut Zval) {
    method::run(frame, result, |frame| {
        let arguments = Arguments::of(frame, 2, 3)?;
        let (policy, subject) = subject(&arguments)?;
        let entries = method::this::<RateLimiter>(frame)?.history(policy, subject)?;
        let mut list = Array::with_capacity(entries.len());
        entries.iter().for_each(|entry| list.push(history_entry(entry)));
        Ok(list.into_zval())
    });
}

fn history_entry(entry: &Entry) -> Zval {
    let mut data = Array::with_capacity(3);
    data.set("at", array::float(decision::seconds(entry.at)));
    data.set("cost", array::int(entry.cost));
    data.set("request_id", array::nullable(entry.request_id.as_deref(), array::string));
    data.into_zval()
}

extern "C" fn ping(frame: &mut ExecuteData, result: &mut Zval) {
    method::run(frame, result, |frame| {
        Arguments::of(frame, 0, 0)?;
        Ok(array::float(method::this::<RateLimiter>(frame)?.ping()?.as_secs_f64()))
    });
}
