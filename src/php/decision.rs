//! `RedisRateLimit\Decision`: typed readonly properties filled once, and the core's decision behind them.

use super::arguments::Arguments;
use super::array::{self, Array};
use super::object::{self, Native, NativeClass};
use super::record::Record;
use super::signature::{Method, Types};
use super::{decision_data, exceptions, method};
use crate::decision::Decision;
use crate::headers::{self, Headers};
use ext_php_rs::args::Arg;
use ext_php_rs::error::Result;
use ext_php_rs::flags::{DataType, MethodFlags};
use ext_php_rs::types::Zval;
use ext_php_rs::zend::ExecuteData;
use std::ffi::CStr;
use std::sync::Arc;

static CLASS: NativeClass = NativeClass::new();

impl Native for Decision {
    const NAME: &'static CStr = c"RedisRateLimit\\Decision";

    fn class() -> &'static NativeClass {
        &CLASS
    }
}

/// The properties in the order of their slots.
pub const PROPERTIES: [(&str, Types); 15] = [
    ("allowed", Types::BOOL),
    ("policy", Types::STRING),
    ("window", Types::STRING),
    ("limit", Types::INT),
    ("remaining", Types::INT),
    ("cost", Types::INT),
    ("delay", Types::FLOAT),
    ("retryAfter", Types::FLOAT.or(Types::NULL)),
    ("resetAt", Types::FLOAT.or(Types::NULL)),
    ("reason", Types::STRING.or(Types::NULL)),
    ("shadow", Types::BOOL),
    ("degraded", Types::BOOL),
    ("cached", Types::BOOL),
    ("error", Types::STRING.or(Types::NULL)),
    ("windows", Types::ARRAY),
];

/// What an entry of `windows` holds.
pub const WINDOW_KEYS: [&str; 6] = ["window", "allowed", "limit", "remaining", "retryAfter", "resetAt"];

static WINDOW: Record<6> = Record::new(WINDOW_KEYS);

pub fn register() -> Result<()> {
    WINDOW.register();
    let declared = PROPERTIES.into_iter();
    let class = declared
        .fold(object::class::<Decision>(), |class, (name, types)| class.property(name, types))
        .implements(super::json_serializable())
        .method(Method::new("__construct", method::nothing).flags(MethodFlags::Private))
        .method(
            Method::new("fromArray", from_array)
                .flags(MethodFlags::Public.union(MethodFlags::Static))
                .argument(Arg::new("data", DataType::Array))
                .returns(DataType::object("self")),
        )
        .method(Method::new("toHeaders", to_headers).returns(DataType::Array))
        .method(Method::new("toStandardHeaders", to_standard_headers).returns(DataType::Array))
        .method(Method::new("ensureAllowed", ensure_allowed).returns(DataType::object("self")))
        .method(Method::new("jsonSerialize", json_serialize).returns(DataType::Array));
    object::register::<Decision>(class)
}

/// The PHP object of a decision; `policy` is its policy's name as a PHP string.
pub fn to_zval(decision: Decision, policy: &Zval) -> Zval {
    let values = values(&decision, policy);
    object::with_properties(decision, values)
}

fn values(decision: &Decision, policy: &Zval) -> [Zval; PROPERTIES.len()] {
    [
        array::bool(decision.allowed),
        policy.shallow_clone(),
        name(&decision.window, decision, policy),
        array::int(decision.limit),
        array::int(decision.remaining),
        array::int(decision.cost),
        array::float(seconds(decision.delay)),
        array::nullable(decision.retry_after, |wait| array::float(seconds(wait))),
        array::nullable(decision.reset_at, |at| array::float(seconds(at))),
        array::nullable(decision.reason, |reason| array::string(reason.word())),
        array::bool(decision.shadow),
        array::bool(decision.degraded),
        array::bool(decision.cached),
        array::nullable(decision.error.as_deref(), array::string),
        windows(decision, policy),
    ]
}

fn windows(decision: &Decision, policy: &Zval) -> Zval {
    let mut list = Array::with_capacity(decision.windows.len());
    for window in &decision.windows {
        list.push(WINDOW.array([
            name(&window.name, decision, policy),
            array::bool(window.allowed),
            array::int(window.limit),
            array::int(window.remaining),
            array::nullable(window.retry_after, |wait| array::float(seconds(wait))),
            array::float(seconds(window.reset_at)),
        ]));
    }
    list.into_zval()
}

/// A window's name as a PHP string: outside of compounds the policy's own.
fn name(window: &Arc<str>, decision: &Decision, policy: &Zval) -> Zval {
    if Arc::ptr_eq(window, &decision.policy) { policy.shallow_clone() } else { array::string(&**window) }
}

/// µs as seconds.
pub fn seconds(micros: i64) -> f64 {
    micros as f64 / 1e6
}

extern "C" fn from_array(frame: &mut ExecuteData, result: &mut Zval) {
    method::run(frame, result, |frame| {
        let arguments = Arguments::of(frame, 1, 1)?;
        let decision = decision_data::read(arguments.array(0)?)?;
        let policy = array::string(&*decision.policy);
        Ok(to_zval(decision, &policy))
    });
}

extern "C" fn to_headers(frame: &mut ExecuteData, result: &mut Zval) {
    method::run(frame, result, |frame| {
        Arguments::of(frame, 0, 0)?;
        Ok(header_array(headers::legacy(method::this(frame)?)))
    });
}

extern "C" fn to_standard_headers(frame: &mut ExecuteData, result: &mut Zval) {
    method::run(frame, result, |frame| {
        Arguments::of(frame, 0, 0)?;
        Ok(header_array(headers::standard(method::this(frame)?)))
    });
}

fn header_array(headers: Headers) -> Zval {
    let mut array = Array::with_capacity(headers.len());
    for (name, value) in headers {
        array.set(name, array::string(value));
    }
    array.into_zval()
}

extern "C" fn ensure_allowed(frame: &mut ExecuteData, result: &mut Zval) {
    method::run(frame, result, |frame| {
        Arguments::of(frame, 0, 0)?;
        let decision: Decision = method::this::<Decision>(frame)?.clone();
        let Some(this) = frame.This.object_mut() else { return Err(method::Stop::Thrown) };
        if !decision.allowed {
            exceptions::throw_exceeded(&decision, this);
            return Err(method::Stop::Thrown);
        }
        let mut zval = Zval::new();
        zval.set_object(this);
        Ok(zval)
    });
}

/// The properties by name, and `now`, Redis' clock when it decided.
extern "C" fn json_serialize(frame: &mut ExecuteData, result: &mut Zval) {
    method::run(frame, result, |frame| {
        Arguments::of(frame, 0, 0)?;
        let decision = method::this::<Decision>(frame)?;
        let mut data = Array::with_capacity(PROPERTIES.len() + 1);
        for ((name, _), value) in
            PROPERTIES.into_iter().zip(values(decision, &array::string(&*decision.policy)))
        {
            data.set(name, value);
        }
        data.set("now", array::nullable(decision.now, |now| array::float(seconds(now))));
        Ok(data.into_zval())
    });
}
