//! The exceptions of the extension. All implement `RedisRateLimit\Exception`; PHP code can construct them too.

use super::class::{Class, ClassSlot};
use super::decision;
use super::object::{self, Native};
use crate::decision::Decision;
use crate::error::Error;
use ext_php_rs::convert::IntoZval;
use ext_php_rs::error::Result;
use ext_php_rs::exception::PhpException;
use ext_php_rs::flags::ClassFlags;
use ext_php_rs::types::ZendObject;
use ext_php_rs::zend::{ClassEntry, ExecutorGlobals, ce};

unsafe extern "C" {
    static spl_ce_InvalidArgumentException: *mut ClassEntry;
    static spl_ce_RuntimeException: *mut ClassEntry;
}

static EXCEPTION: ClassSlot = ClassSlot::new();
static INVALID_POLICY: ClassSlot = ClassSlot::new();
static INVALID_CONFIGURATION: ClassSlot = ClassSlot::new();
static STORE_UNAVAILABLE: ClassSlot = ClassSlot::new();
static RATE_LIMIT_EXCEEDED: ClassSlot = ClassSlot::new();

fn invalid_argument() -> &'static ClassEntry {
    // SAFETY: SPL is always there and starts before any other module; its classes live until the process ends.
    unsafe { &*spl_ce_InvalidArgumentException }
}

fn runtime() -> &'static ClassEntry {
    // SAFETY: as above.
    unsafe { &*spl_ce_RuntimeException }
}

pub fn register() -> Result<()> {
    Class::new(c"RedisRateLimit\\Exception", ClassFlags::Interface)
        .implements(ce::throwable())
        .register(&EXCEPTION)?;
    let marked =
        |name, parent| Class::new(name, ClassFlags::Final).parent(parent).implements(EXCEPTION.entry());
    marked(c"RedisRateLimit\\InvalidPolicy", invalid_argument()).register(&INVALID_POLICY)?;
    marked(c"RedisRateLimit\\InvalidConfiguration", invalid_argument()).register(&INVALID_CONFIGURATION)?;
    marked(c"RedisRateLimit\\StoreUnavailable", runtime()).register(&STORE_UNAVAILABLE)?;
    marked(c"RedisRateLimit\\RateLimitExceeded", runtime())
        .object_property("decision", Decision::NAME)
        .register(&RATE_LIMIT_EXCEEDED)?;
    Ok(())
}

/// Leaves the exception for `error` pending.
pub fn throw(error: &Error) {
    let class = match error {
        Error::InvalidPolicy(_) => INVALID_POLICY.entry(),
        Error::InvalidConfiguration(_) => INVALID_CONFIGURATION.entry(),
        Error::InvalidArgument(_) => invalid_argument(),
        Error::StoreUnavailable(_) => STORE_UNAVAILABLE.entry(),
    };
    throw_as(class, &error.to_string());
}

/// Leaves a plain `Error` pending: the program, not its input, is wrong.
pub fn throw_error(message: &str) {
    throw_as(ce::error(), message);
}

fn throw_as(class: &'static ClassEntry, message: &str) {
    // The engine's messages end at the first NUL byte.
    PhpException::new(message.replace('\0', "\\0"), 0, class).throw();
}

/// Leaves RateLimitExceeded pending, `refused` (the PHP object of `decision`) in its property.
pub fn throw_exceeded(decision: &Decision, refused: &mut ZendObject) {
    throw_as(RATE_LIMIT_EXCEEDED.entry(), &exceeded_message(decision));
    let Some(mut exception) = ExecutorGlobals::take_exception() else { return };
    object::set_last_property(&mut exception, refused);
    if let Ok(zval) = exception.into_zval(false) {
        PhpException::new(String::new(), 0, RATE_LIMIT_EXCEEDED.entry()).with_object(zval).throw();
    }
}

fn exceeded_message(decision: &Decision) -> String {
    let wait = match decision.retry_after {
        Some(wait) => format!("retry after {} s", decision::seconds(wait)),
        None if decision.degraded => "Redis is unavailable and the policy fails closed".into(),
        None => format!("a cost of {} can never pass a limit of {}", decision.cost, decision.limit),
    };
    format!("rate limit \"{}\" exceeded: {wait}", decision.window)
}
