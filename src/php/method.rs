//! What every method does around its own work: no panic and no Rust error leaves it, only PHP exceptions.

use super::exceptions;
use super::object::{self, Native};
use crate::error::Error;
use ext_php_rs::types::Zval;
use ext_php_rs::zend::{ExecuteData, run_handler};
use std::panic::AssertUnwindSafe;

/// Why a method ends early.
pub enum Stop {
    /// A PHP exception is pending.
    Thrown,
    /// An exception for this error is to be thrown.
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Stop::Failed(error)
    }
}

/// Runs a method's body; what it returns is the method's result.
pub fn run(
    frame: &mut ExecuteData,
    result: &mut Zval,
    body: impl FnOnce(&mut ExecuteData) -> Result<Zval, Stop>,
) {
    run_handler(AssertUnwindSafe(|| match body(frame) {
        Ok(value) => *result = value,
        Err(Stop::Thrown) => {}
        Err(Stop::Failed(error)) => exceptions::throw(&error),
    }));
}

/// The value behind `$this`.
pub fn this<T: Native>(frame: &ExecuteData) -> Result<&T, Stop> {
    frame.This.object().and_then(object::value::<T>).ok_or_else(|| {
        exceptions::throw_error("this object was never constructed");
        Stop::Thrown
    })
}

/// The body of a private constructor: objects are made by factories.
pub extern "C" fn nothing(_: &mut ExecuteData, _: &mut Zval) {}
