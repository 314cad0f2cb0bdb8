//! `RedisRateLimit\Policy`: its declaration, and the methods that change or show one. The factories are in
//! [`super::policy_factories`].

use super::arguments::Arguments;
use super::array::{self, Array};
use super::method::{self, Stop};
use super::object::{self, Native, NativeClass};
use super::policy_config;
use super::policy_factories::{
    compound, fixed_window, from_array, leaky_bucket, sliding_log, sliding_window, token_bucket, unlimited,
};
use super::signature::{Handler, Method, Types};
use crate::config;
use crate::failure_rule::FailureRule;
use crate::policy::Policy;
use ext_php_rs::args::Arg;
use ext_php_rs::error::Result as Registered;
use ext_php_rs::flags::{DataType, MethodFlags};
use ext_php_rs::types::Zval;
use ext_php_rs::zend::ExecuteData;
use std::ffi::CStr;

static CLASS: NativeClass = NativeClass::new();

impl Native for Policy {
    const NAME: &'static CStr = c"RedisRateLimit\\Policy";

    fn class() -> &'static NativeClass {
        &CLASS
    }
}

pub fn register() -> Registered<()> {
    let class = object::class::<Policy>()
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
                .argument(Arg::new("members", object::type_of::<Policy>()).is_variadic()),
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
        .method(Method::new("jsonSerialize", json_serialize).returns(DataType::Array));
    object::register::<Policy>(class)
}

/// A static method that takes a name and gives a policy.
fn factory(name: &'static str, handler: Handler) -> Method {
    Method::new(name, handler)
        .flags(MethodFlags::Public.union(MethodFlags::Static))
        .argument(Arg::new("name", DataType::String))
        .returns(DataType::object("self"))
}

pub fn to_zval(policy: Policy) -> Zval {
    let properties = [
        array::string(&**policy.name()),
        array::string(policy.algorithm()),
        array::int(policy.limit()),
        array::float(policy.interval()),
    ];
    object::with_properties(policy, properties)
}

/// The name of the policy that is the argument at `position`, in the PHP string that the object holds.
pub fn name_of<'a>(arguments: &Arguments<'a>, position: u32) -> Result<&'a Zval, Stop> {
    let (object, _) = arguments.object_and_value::<Policy>(position)?;
    object::property(object, 0).ok_or(Stop::Thrown)
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
