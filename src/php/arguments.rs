//! Reading a method's arguments as every internal PHP function does: strict or weak by the caller's
//! `declare(strict_types)`, with the engine's own TypeErrors.

use super::method::Stop;
use super::object::{self, Native};
use super::type_error::{mistyped, wrong_class, wrong_type};
use ext_php_rs::ffi::{
    _zend_expected_type, _zend_expected_type_Z_EXPECTED_ARRAY, _zend_expected_type_Z_EXPECTED_BOOL,
    _zend_expected_type_Z_EXPECTED_DOUBLE, _zend_expected_type_Z_EXPECTED_LONG,
    _zend_expected_type_Z_EXPECTED_STRING, zend_wrong_parameters_count_error,
};
use ext_php_rs::types::{ZendHashTable, ZendObject, ZendStr, Zval};
use ext_php_rs::zend::ExecuteData;
use std::ffi::CStr;

unsafe extern "C" {
    fn zend_parse_arg_long_slow(argument: *mut Zval, to: *mut i64, number: u32) -> bool;
    fn zend_parse_arg_double_slow(argument: *mut Zval, to: *mut f64, number: u32) -> bool;
    fn zend_parse_arg_bool_slow(argument: *mut Zval, to: *mut bool, number: u32) -> bool;
    fn zend_parse_arg_str_slow(argument: *mut Zval, to: *mut *mut ZendStr, number: u32) -> bool;
    fn zend_unexpected_extra_named_error();
}

pub type Parsed<T> = Result<T, Stop>;

/// The arguments of one call.
pub struct Arguments<'a> {
    frame: &'a ExecuteData,
    count: u32,
}

impl<'a> Arguments<'a> {
    /// The arguments, if there are at least `least` and at most `most`.
    pub fn of(frame: &'a ExecuteData, least: u32, most: u32) -> Parsed<Self> {
        refuse_unknown_names(frame)?;
        // SAFETY: every member of the union is a u32, and in a call frame it is the number of arguments.
        let count = unsafe { frame.This.u2.num_args };
        if (least..=most).contains(&count) {
            return Ok(Arguments { frame, count });
        }
        // SAFETY: raises an ArgumentCountError for the running function; takes plain numbers.
        unsafe { zend_wrong_parameters_count_error(least, most) };
        Err(Stop::Thrown)
    }

    pub fn count(&self) -> u32 {
        self.count
    }

    /// The argument at `position` (from 0), or None where it was left out.
    fn at(&self, position: u32) -> Option<*mut Zval> {
        // The engine puts arguments behind the frame, in slots of the size of a value.
        const FRAME_SLOTS: usize = size_of::<ExecuteData>().div_ceil(size_of::<Zval>());
        if position >= self.count {
            return None;
        }
        // SAFETY: there are `count` values behind the frame, and they live as long as the call.
        let argument = unsafe {
            let slots = std::ptr::from_ref(self.frame).cast::<Zval>().cast_mut();
            &mut *slots.add(FRAME_SLOTS + position as usize)
        };
        Some(argument.dereference_mut())
    }

    /// The argument, or None where it was left out or is null.
    fn given(&self, position: u32) -> Option<*mut Zval> {
        // SAFETY: `at` gives a live value.
        self.at(position).filter(|argument| unsafe { !(**argument).is_null() })
    }

    fn required(&self, position: u32) -> Parsed<*mut Zval> {
        self.at(position).ok_or(Stop::Thrown)
    }

    pub fn string(&self, position: u32) -> Parsed<&'a [u8]> {
        string(self.required(position)?, position + 1, _zend_expected_type_Z_EXPECTED_STRING)
    }

    pub fn string_or(&self, position: u32, default: &'a [u8]) -> Parsed<&'a [u8]> {
        if position < self.count { self.string(position) } else { Ok(default) }
    }

    pub fn nullable_string(&self, position: u32) -> Parsed<Option<&'a [u8]>> {
        let expected = _zend_expected_type_Z_EXPECTED_STRING + 1; // …_OR_NULL follows its type
        self.given(position).map(|argument| string(argument, position + 1, expected)).transpose()
    }

    pub fn int(&self, position: u32) -> Parsed<i64> {
        let argument = self.required(position)?;
        let mut int = 0;
        // SAFETY: `argument` is live; the engine's function checks and converts it, strictly if the caller is strict.
        let fits = unsafe {
            (*argument).long().inspect(|long| int = *long).is_some()
                || zend_parse_arg_long_slow(argument, &mut int, position + 1)
        };
        if fits { Ok(int) } else { wrong_type(argument, position + 1, _zend_expected_type_Z_EXPECTED_LONG) }
    }

    pub fn int_or(&self, position: u32, default: i64) -> Parsed<i64> {
        if position < self.count { self.int(position) } else { Ok(default) }
    }

    pub fn nullable_float(&self, position: u32) -> Parsed<Option<f64>> {
        let Some(argument) = self.given(position) else { return Ok(None) };
        let mut float = 0.0;
        // SAFETY: as in `int`.
        let fits = unsafe {
            (*argument).double().inspect(|double| float = *double).is_some()
                || zend_parse_arg_double_slow(argument, &mut float, position + 1)
        };
        let expected = _zend_expected_type_Z_EXPECTED_DOUBLE + 1; // …_OR_NULL follows its type
        if fits { Ok(Some(float)) } else { wrong_type(argument, position + 1, expected) }
    }

    pub fn bool_or(&self, position: u32, default: bool) -> Parsed<bool> {
        let Some(argument) = self.at(position) else { return Ok(default) };
        let mut flag = false;
        // SAFETY: as in `int`.
        let fits = unsafe {
            (*argument).bool().inspect(|bool| flag = *bool).is_some()
                || zend_parse_arg_bool_slow(argument, &mut flag, position + 1)
        };
        if fits { Ok(flag) } else { wrong_type(argument, position + 1, _zend_expected_type_Z_EXPECTED_BOOL) }
    }

    pub fn array(&self, position: u32) -> Parsed<&'a ZendHashTable> {
        let argument = self.required(position)?;
        // SAFETY: the argument lives as long as the call, and so does the array that it holds.
        match unsafe { (*argument).array() } {
            Some(array) => Ok(array),
            None => wrong_type(argument, position + 1, _zend_expected_type_Z_EXPECTED_ARRAY),
        }
    }

    /// The argument as it is, or None where it was left out; what fits no type goes to [`Arguments::mistyped`].
    pub fn value(&self, position: u32) -> Option<&'a Zval> {
        // SAFETY: the argument lives as long as the call.
        self.at(position).map(|argument| unsafe { &*argument })
    }

    /// A TypeError: the argument must be of the type `wanted`.
    pub fn mistyped<T>(&self, position: u32, wanted: &CStr) -> Parsed<T> {
        mistyped(wanted, self.required(position)?, position + 1)
    }

    /// The value behind an object of T's class.
    pub fn object<T: Native>(&self, position: u32) -> Parsed<&'a T> {
        Ok(self.object_and_value(position)?.1)
    }

    /// An object of T's class, and the value behind it.
    pub fn object_and_value<T: Native>(&self, position: u32) -> Parsed<(&'a ZendObject, &'a T)> {
        let argument = self.required(position)?;
        // SAFETY: the argument holds a reference to its object for as long as the call.
        let object = unsafe { (*argument).object() };
        match object.and_then(|object| Some((object, object::value::<T>(object)?))) {
            Some(found) => Ok(found),
            None => wrong_class(T::NAME, argument, position + 1),
        }
    }
}

fn string<'a>(argument: *mut Zval, number: u32, expected: _zend_expected_type) -> Parsed<&'a [u8]> {
    // SAFETY: the value is live; a converted string is put into the argument's own slot, which owns it until the call
    // returns.
    unsafe {
        if let Some(string) = (*argument).zend_str() {
            return Ok(string.as_bytes());
        }
        let mut string: *mut ZendStr = std::ptr::null_mut();
        if zend_parse_arg_str_slow(argument, &mut string, number) {
            return Ok((*string).as_bytes());
        }
    }
    wrong_type(argument, number, expected)
}

/// A variadic method takes its members without names; the engine hands over names that nobody asked for.
fn refuse_unknown_names(frame: &ExecuteData) -> Parsed<()> {
    const HAS_EXTRA_NAMED_PARAMS: u32 = 1 << 27;
    // SAFETY: in a call frame this member of the union holds the type of `$this` and the call's flags.
    if unsafe { frame.This.u1.type_info } & HAS_EXTRA_NAMED_PARAMS == 0 {
        return Ok(());
    }
    // SAFETY: raises the ArgumentCountError that the engine's own variadic functions raise.
    unsafe { zend_unexpected_extra_named_error() };
    Err(Stop::Thrown)
}
