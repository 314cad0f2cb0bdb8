//! Configuration arrays of PHP, to and from the core's.

use super::array::{self, Array};
use crate::config::{Map, Value};
use crate::error::Error;
use ext_php_rs::types::{ZendHashTable, Zval};

/// How deep a configuration is read: a compound's member's rate is the deepest that means anything.
const DEEPEST: usize = 8;

/// # Errors
/// [`Error::InvalidPolicy`] for a value that no configuration can hold, or one nested without end.
pub fn read(config: &ZendHashTable) -> Result<Map, Error> {
    map(config, DEEPEST)
}

fn map(config: &ZendHashTable, depth: usize) -> Result<Map, Error> {
    config
        .iter()
        .map(|(key, value)| {
            let key = key.to_string();
            let value = read_value(&key, value, depth)?;
            Ok((key, value))
        })
        .collect()
}

fn read_value(key: &str, zval: &Zval, depth: usize) -> Result<Value, Error> {
    let zval = zval.dereference();
    if zval.is_null() {
        Ok(Value::Null)
    } else if let Some(flag) = zval.bool() {
        Ok(Value::Bool(flag))
    } else if let Some(int) = zval.long() {
        Ok(Value::Int(int))
    } else if let Some(float) = zval.double() {
        Ok(Value::Float(float))
    } else if let Some(text) = zval.zend_str() {
        Ok(Value::Text(String::from_utf8_lossy(text.as_bytes()).into_owned()))
    } else if let Some(nested) = zval.array().filter(|_| depth > 0) {
        Ok(Value::Map(map(nested, depth - 1)?))
    } else {
        Err(Error::InvalidPolicy(format!(
            "configuration \"{key}\" is {:?}; use strings, numbers, true, false or arrays of a few levels",
            zval.get_type()
        )))
    }
}

/// The PHP array of `config`, behind what `data` holds already.
pub fn write(config: &Map, mut data: Array) -> Zval {
    for (key, value) in config {
        data.set(key, write_value(value));
    }
    data.into_zval()
}

fn write_value(value: &Value) -> Zval {
    match value {
        Value::Null => Zval::null(),
        Value::Bool(flag) => array::bool(*flag),
        Value::Int(int) => array::int(*int),
        Value::Float(float) => array::float(*float),
        Value::Text(text) => array::string(text),
        Value::Map(map) => write(map, Array::with_capacity(map.len())),
    }
}
