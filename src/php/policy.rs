//! `RedisRateLimit\Policy`: the factories, and the properties over the core's policy.

use super::arguments::{Arguments, Interval as Given};
use super::array::{self, Array};
use super::class::{Class, Method, Types};
use super::method::{self, Stop};
use super::object::{self, Native, NativeClass};
use super::policy_config;
use crate::config;
use crate::failure_rule::FailureRule;
use crate::interval::Interval;
use crate::policy::Policy;
use ext_php_rs::args::Arg;
use ext_php_rs::error::Result as Registered;
use ext_php_rs::flags::{ClassFlags, DataType, MethodFlags};
use ext_php_rs::types::Zval;
use ext_php_rs::zend::ExecuteData;
use std::borrow::Cow;

static CLASS: NativeClass = NativeClass::new();
pub const NAME: &std::ffi::CStr = c"RedisRateLimit\\Policy";

impl Native for Policy {
    fn class() -> &'static NativeClass {
        &CLASS
    }
}

pub fn register() -> Registered<()> {
    let flags = ClassFlags::Final.union(ClassFlags::NoDynamicProperties).union(ClassFlags::NotSerializable);
    let class = Class::new("RedisRateLimit\\Policy", flags)
        .property("name", Types::STRING)
        .property("algorithm", Types::STRING)
        .property("limit", Types::INT)
        .property("interval", Types::FLOAT)
        .implements(super::json_serializable())
        .method(Method::new("__construct", method::nothing).flags(MethodFlags::Private))
        .method(
            factory("tokenBucket", token_bucket)
                .int("capacity")
                .int("refill")
                .optional()
                .interval(3, Some("1")),
        )
        .method(
            factory("slidingLog", sliding_log)
                .int("limit")
                .interval(2, None)
                .optional()
                .flag("audit", "false"),
        )
        .method(factory("slidingWindow", sliding_window).int("limit").interval(2, None))
        .method(
            factory("fixedWindow", fixed_window)
                .int("limit")
                .interval(2, None)
                .optional()
                .flag("aligned", "false"),
        )
        .method(
            factory("leakyBucket", leaky_bucket)
                .int("capacity")
                .int("leak")
                .optional()
                .interval(3, Some("1")),
        )
        .method(
            factory("compound", compound)
                .argument(Arg::new("members", DataType::object("RedisRateLimit\\Policy")).is_variadic()),
        )
        .method(factory("unlimited", unlimited))
        .method(factory("fromArray", from_array).argument(Arg::new("config", DataType::Array)))
        .method(Method::new("failOpen", fail_open).returns(DataType::object("self")))
        .method(Method::new("failClosed", fail_closed).returns(DataType::object("self")))
        .method(
            Method::new("shadow", shadow).optional().flag("shadow", "true").returns(DataType::object("self")),
        )
        .method(
            Method::new("shared", shared).optional().flag("shared", "true").returns(DataType::object("self")),
        )
        .method(Method::new("toArray", to_array).returns(DataType::Array))
        .method(Method::new("jsonSerialize", json_serialize).returns(DataType::Array))
        .register(&CLASS.slot)?;
    object::carry::<Policy>(class);
    Ok(())
}

/// A static method that takes a name and gives a policy.
fn factory(name: &'static str, handler: super::class::Handler) -> Method {
    Method::new(name, handler)
        .flags(MethodFlags::Public.union(MethodFlags::Static))
        .argument(Arg::new("name", DataType::String))
        .returns(DataType::object("self"))
}

fn to_zval(policy: Policy) -> Zval {
    let properties = [
        array::string(&**policy.name()),
        array::string(policy.algorithm()),
        array::int(policy.limit()),
        array::float(policy.interval()),
    ];
    object::with_properties(policy, properties)
}

/// A name as PHP code gives it; what is no UTF-8 is no valid name either, and its text says so.
fn name<'a>(arguments: &Arguments<'a>) -> Result<Cow<'a, str>, Stop> {
    Ok(String::from_utf8_lossy(arguments.string(0)?))
}

fn interval(arguments: &Arguments<'_>, position: u32) -> Result<Interval, Stop> {
    Ok(match arguments.interval_or(position, 1)? {
        Given::Int(seconds) => Interval::from_whole_seconds(seconds)?,
        Given::Float(seconds) => Interval::from_seconds(seconds)?,
        Given::Text(words) => Interval::parse(&String::from_utf8_lossy(words))?,
    })
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

extern "C" fn token_bucket(frame: &mut ExecuteData, result: &mut Zval) {
    make(frame, result, (3, 4), |arguments| {
        let (capacity, refill) = (arguments.int(1)?, arguments.int(2)?);
        Ok(Policy::token_bucket(&name(arguments)?, capacity, refill, interval(arguments, 3)?)?)
    });
}

extern "C" fn leaky_bucket(frame: &mut ExecuteData, result: &mut Zval) {
    make(frame, result, (3, 4), |arguments| {
        let (capacity, leak) = (arguments.int(1)?, arguments.int(2)?);
        Ok(Policy::leaky_bucket(&name(arguments)?, capacity, leak, interval(arguments, 3)?)?)
    });
}

extern "C" fn sliding_log(frame: &mut ExecuteData, result: &mut Zval) {
    make(frame, result, (3, 4), |arguments| {
        let (limit, audit) = (arguments.int(1)?, arguments.bool_or(3, false)?);
        Ok(Policy::sliding_log(&name(arguments)?, limit, interval(arguments, 2)?, audit)?)
    });
}

extern "C" fn sliding_window(frame: &mut ExecuteData, result: &mut Zval) {
    make(frame, result, (3, 3), |arguments| {
        Ok(Policy::sliding_window(&name(arguments)?, arguments.int(1)?, interval(arguments, 2)?)?)
    });
}

extern "C" fn fixed_window(frame: &mut ExecuteData, result: &mut Zval) {
    make(frame, result, (3, 4), |arguments| {
        let (limit, aligned) = (arguments.int(1)?, arguments.bool_or(3, false)?);
        Ok(Policy::fixed_window(&name(arguments)?, limit, interval(arguments, 2)?, aligned)?)
    });
}

extern "C" fn compound(frame: &mut ExecuteData, result: &mut Zval) {
    make(frame, result, (1, u32::MAX), |arguments| {
        let members =
            (1..arguments.count()).map(|position| arguments.object::<Policy>(position, NAME).cloned());
        Ok(Policy::compound(&name(arguments)?, members.collect::<Result<_, _>>()?)?)
    });
}

extern "C" fn unlimited(frame: &mut ExecuteData, result: &mut Zval) {
    make(frame, result, (1, 1), |arguments| Ok(Policy::unlimited(&name(arguments)?)?));
}

extern "C" fn from_array(frame: &mut ExecuteData, result: &mut Zval) {
    make(frame, result, (2, 2), |arguments| {
        let config = policy_config::read(arguments.array(1)?)?;
        Ok(config::policy_from(&name(arguments)?, &config)?)
    });
}

/// The body of a method that gives a changed copy of `$this`.
fn change(
    frame: &mut ExecuteData,
    result: &mut Zval,
    most: u32,
    change: impl FnOnce(Policy, &Arguments<'_>) -> Result<Policy, Stop>,
) {
    method::run(frame, result, |frame| {
        let arguments = Arguments::of(frame, 0, most)?;
        Ok(to_zval(change(method::this::<Policy>(frame)?.clone(), &arguments)?))
    });
}

extern "C" fn fail_open(frame: &mut ExecuteData, result: &mut Zval) {
    change(frame, result, 0, |policy, _| Ok(policy.on_failure(FailureRule::Open)));
}

extern "C" fn fail_closed(frame: &mut ExecuteData, result: &mut Zval) {
    change(frame, result, 0, |policy, _| Ok(policy.on_failure(FailureRule::Closed)));
}

extern "C" fn shadow(frame: &mut ExecuteData, result: &mut Zval) {
    change(frame, result, 1, |policy, arguments| Ok(policy.shadow(arguments.bool_or(0, true)?)));
}

extern "C" fn shared(frame: &mut ExecuteData, result: &mut Zval) {
    change(frame, result, 1, |policy, arguments| Ok(policy.shared(arguments.bool_or(0, true)?)));
}

extern "C" fn to_array(frame: &mut ExecuteData, result: &mut Zval) {
    method::run(frame, result, |frame| {
        Arguments::of(frame, 0, 0)?;
        Ok(policy_config::write(&config::describe(method::this(frame)?), Array::with_capacity(4)))
    });
}

/// The configuration behind the name.
extern "C" fn json_serialize(frame: &mut ExecuteData, result: &mut Zval) {
    method::run(frame, result, |frame| {
        Arguments::of(frame, 0, 0)?;
        let policy = method::this::<Policy>(frame)?;
        let mut data = Array::with_capacity(5);
        data.set("name", array::string(&**policy.name()));
        Ok(policy_config::write(&config::describe(policy), data))
    });
}
