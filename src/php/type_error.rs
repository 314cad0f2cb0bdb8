//! The engine's own TypeErrors, for arguments that are not what a method takes. Arguments count from 1 here.

use super::method::Stop;
use ext_php_rs::ffi::_zend_expected_type;
use ext_php_rs::types::Zval;
use ext_php_rs::zend::ExecutorGlobals;
use std::ffi::{CStr, c_char};

unsafe extern "C" {
    fn zend_wrong_parameter_type_error(number: u32, expected: _zend_expected_type, argument: *mut Zval);
    fn zend_wrong_parameter_class_error(number: u32, class: *const c_char, argument: *mut Zval);
    fn zend_argument_type_error(number: u32, format: *const c_char, ...);
    fn zend_zval_type_name(argument: *const Zval) -> *const c_char;
}

/// The argument is not of the type that the engine knows as `expected`.
pub fn wrong_type<T>(argument: *mut Zval, number: u32, expected: _zend_expected_type) -> Result<T, Stop> {
    // SAFETY: raises a TypeError for a live value, unless an exception (a throwing __toString) is pending already.
    unsafe {
        if !ExecutorGlobals::has_exception() {
            zend_wrong_parameter_type_error(number, expected, argument);
        }
    }
    Err(Stop::Thrown)
}

/// The argument is not of the type `wanted`, for which the engine has no name.
pub fn mistyped<T>(wanted: &CStr, argument: *mut Zval, number: u32) -> Result<T, Stop> {
    // SAFETY: a format with two strings; the engine's function gives the second for any value.
    unsafe {
        let format = c"must be of type %s, %s given";
        let given = zend_zval_type_name(argument);
        zend_argument_type_error(number, format.as_ptr(), wanted.as_ptr(), given);
    }
    Err(Stop::Thrown)
}

/// The argument is no object of `class`.
pub fn wrong_class<T>(class: &CStr, argument: *mut Zval, number: u32) -> Result<T, Stop> {
    // SAFETY: raises a TypeError that names the class and what was given.
    unsafe { zend_wrong_parameter_class_error(number, class.as_ptr(), argument) };
    Err(Stop::Thrown)
}
