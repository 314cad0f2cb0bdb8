//! Building PHP arrays.

use ext_php_rs::boxed::ZBox;
use ext_php_rs::ffi::{_zval_struct__bindgen_ty_1, _zval_struct__bindgen_ty_2, zend_value};
use ext_php_rs::flags::ZvalTypeFlags;
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
    scalar(ZvalTypeFlags::Long, zend_value { lval: value })
}

pub fn float(value: f64) -> Zval {
    scalar(ZvalTypeFlags::Double, zend_value { dval: value })
}

pub fn bool(value: bool) -> Zval {
    scalar(if value { ZvalTypeFlags::True } else { ZvalTypeFlags::False }, zend_value { lval: 0 })
}

pub fn null() -> Zval {
    scalar(ZvalTypeFlags::Null, zend_value { lval: 0 })
}

/// A value that holds no reference, put together in place: a decision has thirty.
fn scalar(kind: ZvalTypeFlags, value: zend_value) -> Zval {
    Zval {
        value,
        u1: _zval_struct__bindgen_ty_1 { type_info: kind.bits() },
        u2: _zval_struct__bindgen_ty_2 { next: 0 },
    }
}

pub fn string(value: impl AsRef<[u8]>) -> Zval {
    let mut zval = Zval::new();
    zval.set_zend_string(ZendStr::new(value, false));
    zval
}

/// The value, or null.
pub fn nullable<T>(value: Option<T>, zval: impl Fn(T) -> Zval) -> Zval {
    value.map_or_else(null, zval)
}
