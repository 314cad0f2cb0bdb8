//! Building PHP arrays.

use ext_php_rs::boxed::ZBox;
use ext_php_rs::types::{ZendHashTable, ZendStr, Zval};

/// A PHP array under construction. The engine aborts the request when it has no memory for one, so inserting does
/// not fail.
pub struct Array(ZBox<ZendHashTable>);

impl Array {
    pub fn with_capacity(size: usize) -> Self {
        Array(ZendHashTable::with_capacity(u32::try_from(size).unwrap_or(0)))
    }

    pub fn set(&mut self, key: &str, value: Zval) {
        let _ = self.0.insert(key, value);
    }

    pub fn push(&mut self, value: Zval) {
        let _ = self.0.push(value);
    }

    pub fn into_zval(self) -> Zval {
        let mut zval = Zval::new();
        zval.set_hashtable(self.0);
        zval
    }
}

pub fn int(value: i64) -> Zval {
    let mut zval = Zval::new();
    zval.set_long(value);
    zval
}

pub fn float(value: f64) -> Zval {
    let mut zval = Zval::new();
    zval.set_double(value);
    zval
}

pub fn bool(value: bool) -> Zval {
    let mut zval = Zval::new();
    zval.set_bool(value);
    zval
}

pub fn string(value: impl AsRef<[u8]>) -> Zval {
    let mut zval = Zval::new();
    zval.set_zend_string(ZendStr::new(value, false));
    zval
}

/// The value, or null.
pub fn nullable<T>(value: Option<T>, zval: impl Fn(T) -> Zval) -> Zval {
    value.map_or_else(Zval::null, zval)
}
