//! PHP objects with a Rust value behind them: the classic layout of a C extension, the value in front of the
//! engine's object, made by `create_object` and dropped by `free_obj`.

use super::class::{Class, ClassSlot};
use ext_php_rs::boxed::ZBox;
use ext_php_rs::convert::IntoZval;
use ext_php_rs::error::Result;
use ext_php_rs::ffi::{
    ext_php_rs_zend_object_alloc, object_properties_init, std_object_handlers, zend_object_std_dtor,
    zend_object_std_init, zend_objects_clone_members,
};
use ext_php_rs::flags::{ClassFlags, DataType};
use ext_php_rs::types::{ZendObject, Zval};
use ext_php_rs::zend::{ClassEntry, ZendObjectHandlers};
use once_cell::sync::OnceCell;
use std::ffi::CStr;
use std::mem::offset_of;
use std::ptr;

/// What stands behind the objects of one class.
pub trait Native: Clone + 'static {
    /// The class's name in PHP.
    const NAME: &'static CStr;

    fn class() -> &'static NativeClass;
}

/// A class whose objects carry a Rust value.
pub struct NativeClass {
    slot: ClassSlot,
    handlers: OnceCell<Handlers>,
}

struct Handlers(ZendObjectHandlers);
// SAFETY: a table of function pointers, written once in module startup and only read afterwards.
unsafe impl Send for Handlers {}
// SAFETY: as above.
unsafe impl Sync for Handlers {}

impl NativeClass {
    pub const fn new() -> Self {
        NativeClass { slot: ClassSlot::new(), handlers: OnceCell::new() }
    }
}

#[repr(C)]
struct Object<T> {
    value: Option<T>,
    std: ZendObject,
}

/// T's class as all of ours are, still without members; to be given to [`register`].
pub fn class<T: Native>() -> Class {
    let flags = ClassFlags::Final.union(ClassFlags::NoDynamicProperties).union(ClassFlags::NotSerializable);
    Class::new(T::NAME, flags)
}

/// The type of an argument, or of a result, that is an object of T's class.
pub fn type_of<T: Native>() -> DataType {
    DataType::object(T::NAME.to_str().unwrap_or_default())
}

/// Registers T's class and makes its objects carry a `T`. Called once, in module startup.
pub fn register<T: Native>(class: Class) -> Result<()> {
    let entry = class.register(&T::class().slot)?;
    T::class().handlers.get_or_init(|| {
        // SAFETY: the engine's own table, constant since before modules start.
        let mut handlers = unsafe { std_object_handlers };
        handlers.offset = offset_of!(Object<T>, std) as i32;
        handlers.free_obj = Some(free::<T>);
        handlers.clone_obj = Some(clone::<T>);
        Handlers(handlers)
    });
    entry.__bindgen_anon_2.create_object = Some(create::<T>);
    Ok(())
}

/// A new object of T's class around `value`, its properties still undefined.
fn new<T: Native>(value: T) -> ZBox<ZendObject> {
    let class = ptr::from_ref(T::class().slot.entry()).cast_mut();
    // SAFETY: the class is registered and is T's, so `create` makes an object with room for a T in front; its first
    // reference is the box's.
    unsafe {
        let object = create::<T>(class);
        (*around::<T>(object)).value = Some(value);
        ZBox::from_raw(object)
    }
}

/// The value behind `object`: None if it is of another class, or if its constructor has not run.
pub fn value<T: Native>(object: &ZendObject) -> Option<&T> {
    let handlers = T::class().handlers.get()?;
    if !ptr::eq(object.handlers, &handlers.0) {
        return None;
    }
    // SAFETY: only `create::<T>` gives an object these handlers, so there is an Object<T> around it, alive as long as
    // the engine's object is borrowed; values are set once and never replaced while borrowed.
    unsafe { (*around::<T>(ptr::from_ref(object).cast_mut())).value.as_ref() }
}

/// Gives an object that PHP made by `new` its value; false if it has one.
pub fn initialize<T: Native>(object: &mut ZendObject, value: T) -> bool {
    let is_ours = T::class().handlers.get().is_some_and(|handlers| ptr::eq(object.handlers, &handlers.0));
    if !is_ours {
        return false;
    }
    // SAFETY: as in `value`; nobody can hold a reference into a value that is not there yet.
    let slot = unsafe { &mut (*around::<T>(object)).value };
    if slot.is_some() {
        return false;
    }
    *slot = Some(value);
    true
}

/// A new object around `value`, with the properties that its class declares filled in order.
pub fn with_properties<T: Native, const N: usize>(value: T, properties: [Zval; N]) -> Zval {
    let mut object = new(value);
    for (position, property) in properties.into_iter().enumerate() {
        // SAFETY: a new object's slots hold nothing that would have to be released.
        unsafe { ptr::write(slot(&mut object, position), property) };
    }
    object.into_zval(false).unwrap_or_default()
}

/// The property that the class of `object` declares at `position`.
pub fn property(object: &ZendObject, position: usize) -> Option<&Zval> {
    let declared = usize::try_from(object.get_class_entry().default_properties_count).ok()?;
    // SAFETY: the engine allocates a slot for each declared property behind the object.
    (position < declared).then(|| unsafe { &*object.properties_table.as_ptr().add(position) })
}

/// Fills the property that the class of `object` declared last.
pub fn set_last_property(object: &mut ZendObject, value: &mut ZendObject) {
    let declared = usize::try_from(object.get_class_entry().default_properties_count).unwrap_or(0);
    if let Some(last) = declared.checked_sub(1) {
        slot(object, last).set_object(value);
    }
}

fn slot(object: &mut ZendObject, position: usize) -> &mut Zval {
    // SAFETY: the engine allocates a slot for each declared property behind the object; the callers above count only
    // those that the class declares.
    unsafe { &mut *object.properties_table.as_mut_ptr().add(position) }
}

fn around<T>(object: *mut ZendObject) -> *mut Object<T> {
    object.wrapping_byte_sub(offset_of!(Object<T>, std)).cast()
}

unsafe extern "C" fn create<T: Native>(class: *mut ClassEntry) -> *mut ZendObject {
    // SAFETY: called by the engine, or by `new`, with T's class: the allocation has room for Object<T> and the declared
    // properties behind it; every field is initialized before the object is seen by anyone.
    unsafe {
        let object = ext_php_rs_zend_object_alloc(size_of::<Object<T>>(), class).cast::<Object<T>>();
        (&raw mut (*object).value).write(None);
        let std = &raw mut (*object).std;
        zend_object_std_init(std, class);
        object_properties_init(std, class);
        if let Some(handlers) = T::class().handlers.get() {
            (*std).handlers = &handlers.0;
        }
        std
    }
}

unsafe extern "C" fn free<T: Native>(object: *mut ZendObject) {
    // SAFETY: the engine calls this once, when the last reference is gone; the memory itself it frees afterwards.
    unsafe {
        ptr::drop_in_place(&raw mut (*around::<T>(object)).value);
        (&raw mut (*around::<T>(object)).value).write(None);
        zend_object_std_dtor(object);
    }
}

unsafe extern "C" fn clone<T: Native>(object: *mut ZendObject) -> *mut ZendObject {
    // SAFETY: the engine passes a live object of T's class; the copy is of the same class.
    unsafe {
        let copy = create::<T>((*object).ce);
        (*around::<T>(copy)).value = (*around::<T>(object)).value.clone();
        zend_objects_clone_members(copy, object);
        copy
    }
}
