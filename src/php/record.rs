//! PHP arrays that have the same string keys every time: the keys are made once, so filling one hashes nothing.

use ext_php_rs::ffi::zend_hash_add_new;
use ext_php_rs::types::{ZendHashTable, ZendStr, Zval};
use once_cell::sync::OnceCell;

/// The keys of such an array, all different, in order.
pub struct Record<const N: usize> {
    keys: [&'static str; N],
    interned: OnceCell<[Interned; N]>,
}

/// A string of the engine's that lives as long as the process.
#[derive(Clone, Copy)]
struct Interned(*mut ZendStr);
// SAFETY: a permanent interned string is never written after it was made, in module startup.
unsafe impl Send for Interned {}
// SAFETY: as above.
unsafe impl Sync for Interned {}

impl<const N: usize> Record<N> {
    pub const fn new(keys: [&'static str; N]) -> Self {
        Record { keys, interned: OnceCell::new() }
    }

    /// To be called in module startup, the only time at which the engine makes permanent strings.
    pub fn register(&self) {
        self.interned
            .get_or_init(|| self.keys.map(|key| Interned(ZendStr::new_interned(key, true).into_raw())));
    }

    /// An array of these values.
    pub fn array(&self, values: [Zval; N]) -> Zval {
        let mut array = ZendHashTable::with_capacity(N as u32);
        let keys = self.interned.get().into_iter().flatten();
        for (key, mut value) in keys.zip(values) {
            // SAFETY: the key is a live string that the array does not hold yet; the value moves into the array.
            unsafe { zend_hash_add_new(&raw mut *array, key.0, &raw mut value) };
            std::mem::forget(value);
        }
        let mut zval = Zval::new();
        zval.set_hashtable(array);
        zval
    }
}
