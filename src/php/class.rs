//! Registering a class with the engine: its methods with true types, its typed readonly properties.
//!
//! ext-php-rs' own builder knows neither typed properties nor union types; what it does know is used here.

use super::signature::{Method, Types};
use ext_php_rs::error::{Error, Result};
use ext_php_rs::ffi::{
    _ZEND_TYPE_NAME_BIT, _zend_function as zend_function, zend_do_implement_interface,
    zend_hash_str_find_ptr_lc, zend_register_internal_class_ex, zend_register_internal_interface, zend_type,
};
use ext_php_rs::flags::ClassFlags;
use ext_php_rs::types::{ZendHashTable, ZendStr, Zval};
use ext_php_rs::zend::{ClassEntry, FunctionEntry};
use std::ffi::{CStr, c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

unsafe extern "C" {
    fn zend_declare_typed_property(
        class: *mut ClassEntry,
        name: *mut ZendStr,
        default: *mut Zval,
        access: c_int,
        doc_comment: *mut ZendStr,
        property_type: zend_type,
    ) -> *mut c_void;
    fn zend_add_attribute(
        attributes: *mut *mut ZendHashTable,
        name: *mut ZendStr,
        arguments: u32,
        flags: u32,
        offset: u32,
        line: u32,
    ) -> *mut c_void;
}

/// Where a registered class is found again.
pub struct ClassSlot {
    class: AtomicPtr<ClassEntry>,
    /// Its method table, which lives as long as the process: kept here so that it counts as in use, not as lost.
    methods: AtomicPtr<FunctionEntry>,
}

impl ClassSlot {
    pub const fn new() -> Self {
        ClassSlot { class: AtomicPtr::new(ptr::null_mut()), methods: AtomicPtr::new(ptr::null_mut()) }
    }

    /// The class. Every slot is filled in module startup, before any PHP code runs.
    pub fn entry(&self) -> &'static ClassEntry {
        // SAFETY: filled by `Class::register` in module startup (a class that fails to register stops the module
        // from loading), and an internal class lives until the process ends.
        unsafe { &*self.class.load(Ordering::Acquire) }
    }
}

/// A class to be registered in module startup.
pub struct Class {
    name: &'static CStr,
    flags: ClassFlags,
    parent: Option<&'static ClassEntry>,
    interfaces: Vec<&'static ClassEntry>,
    methods: Vec<Method>,
    properties: Vec<(&'static str, zend_type)>,
}

impl Class {
    pub fn new(name: &'static CStr, flags: ClassFlags) -> Self {
        Class { name, flags, parent: None, interfaces: vec![], methods: vec![], properties: vec![] }
    }

    pub fn parent(mut self, parent: &'static ClassEntry) -> Self {
        self.parent = Some(parent);
        self
    }

    pub fn implements(mut self, interface: &'static ClassEntry) -> Self {
        self.interfaces.push(interface);
        self
    }

    pub fn method(mut self, method: Method) -> Self {
        self.methods.push(method);
        self
    }

    /// A `public readonly` property; they take the object's slots in this order.
    pub fn property(mut self, name: &'static str, types: Types) -> Self {
        self.properties.push((name, zend_type { ptr: ptr::null_mut(), type_mask: types.0 }));
        self
    }

    /// A `public readonly` property that holds an object of `class`.
    pub fn object_property(mut self, name: &'static str, class: &CStr) -> Self {
        let class = ZendStr::new_interned(class.to_bytes(), true).into_raw();
        let declared = zend_type { ptr: class.cast(), type_mask: _ZEND_TYPE_NAME_BIT };
        self.properties.push((name, declared));
        self
    }

    pub fn register(self, slot: &ClassSlot) -> Result<&'static mut ClassEntry> {
        // SAFETY: a class entry is a plain C struct for which all zeroes is the state that INIT_CLASS_ENTRY begins with.
        let mut entry: ClassEntry = unsafe { std::mem::zeroed() };
        entry.name = ZendStr::new_interned(self.name.to_bytes(), true).into_raw();
        entry.ce_flags = self.flags.bits();
        let sensitive = self.methods.iter().find_map(|method| Some((method.name, method.sensitive?)));
        let mut methods = self.methods.into_iter().map(Method::build).collect::<Result<Vec<_>>>()?;
        methods.push(FunctionEntry::end());
        let methods = Box::leak(methods.into_boxed_slice()).as_mut_ptr();
        slot.methods.store(methods, Ordering::Release);
        entry.info.internal.builtin_functions = methods;
        let parent = self.parent.map_or(ptr::null_mut(), |parent| ptr::from_ref(parent).cast_mut());
        // SAFETY: module startup is the time to register classes; the entry is copied, its name and its method
        // table (leaked above) outlive the process.
        let class = unsafe {
            if self.flags.contains(ClassFlags::Interface) {
                zend_register_internal_interface(&raw mut entry).as_mut()
            } else {
                zend_register_internal_class_ex(&raw mut entry, parent).as_mut()
            }
        };
        let class = class.ok_or(Error::InvalidPointer)?;
        for interface in self.interfaces {
            // SAFETY: both are registered classes and the second is an interface.
            unsafe { zend_do_implement_interface(class, ptr::from_ref(interface).cast_mut()) };
        }
        for (name, declared) in self.properties {
            declare_readonly(class, name, declared);
        }
        if let Some((method, position)) = sensitive {
            mark_sensitive(class, method, position);
        }
        slot.class.store(class, Ordering::Release);
        Ok(class)
    }
}

fn declare_readonly(class: &mut ClassEntry, name: &str, declared: zend_type) {
    const PUBLIC: c_int = 1;
    const READONLY: c_int = 1 << 7;
    let name = ZendStr::new_interned(name, true).into_raw();
    // SAFETY: the name is interned and persistent; an undefined default is what a readonly property must have, and
    // all zeroes is an undefined value; the engine copies both.
    unsafe {
        let mut undefined: Zval = std::mem::zeroed();
        zend_declare_typed_property(
            class,
            name,
            &mut undefined,
            PUBLIC | READONLY,
            ptr::null_mut(),
            declared,
        );
    }
}

/// What zend_mark_function_parameter_as_sensitive() does, which is inline in C.
fn mark_sensitive(class: &mut ClassEntry, method: &str, position: u32) {
    const PERSISTENT: u32 = 1;
    let name = ZendStr::new_interned("SensitiveParameter", true).into_raw();
    // SAFETY: the class was just registered with this method, an internal function; the attribute of argument n has
    // the offset n + 1, and the name is interned and persistent.
    unsafe {
        let found =
            zend_hash_str_find_ptr_lc(&raw const class.function_table, method.as_ptr().cast(), method.len());
        if let Some(function) = found.cast::<zend_function>().as_mut() {
            let attributes = &raw mut function.internal_function.attributes;
            zend_add_attribute(attributes, name, 0, PERSISTENT, position + 1, 0);
        }
    }
}
