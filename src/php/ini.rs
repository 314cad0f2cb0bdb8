//! Registers the settings of php.ini with the engine, shows and reads them. A bad value is a warning and leaves the one
//! before: at startup the default.

mod setting;

use super::{FAILURE, SUCCESS, last_limiter};
use crate::breaker::{self, State};
use crate::failure_rule::FailureRule;
use crate::limiter::Settings;
use crate::url::Endpoint;
use ext_php_rs::error::php_error;
use ext_php_rs::ffi::{php_printf, zend_ini_entry, zend_ini_entry_def, zend_string};
use ext_php_rs::flags::{ErrorType, IniEntryPermission};
use ext_php_rs::types::ZendStr;
use ext_php_rs::zend::{IniEntryDef, IniEntryDefs};
use setting::{
    BREAKER_COOLDOWN, BREAKER_FAILURES, ON_FAILURE, PREFIX, REFUSAL_CACHE, REFUSAL_TTL, Setting, TIMEOUT,
    URL, whole_number,
};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::time::Duration;

pub use setting::{LONGEST_TIMEOUT, check_prefix};

unsafe extern "C" {
    fn zend_ini_string(name: *const c_char, length: usize, original: c_int) -> *mut c_char;
    fn zend_unregister_ini_entries(module: c_int);
}

static ENTRIES: IniEntryDefs<9> = IniEntryDefs::new([
    masked(entry(URL, IniEntryPermission::All)),
    entry(PREFIX, IniEntryPermission::All),
    entry(TIMEOUT, IniEntryPermission::All),
    entry(ON_FAILURE, IniEntryPermission::All),
    entry(BREAKER_FAILURES, IniEntryPermission::All),
    entry(BREAKER_COOLDOWN, IniEntryPermission::All),
    entry(REFUSAL_CACHE, IniEntryPermission::System),
    entry(REFUSAL_TTL, IniEntryPermission::All),
    IniEntryDef::end(),
]);

const fn entry(setting: Setting, permission: IniEntryPermission) -> zend_ini_entry_def {
    let mut entry = IniEntryDef::new(setting.name, setting.default, permission);
    entry.on_modify = Some(on_modify);
    entry
}

const fn masked(mut entry: zend_ini_entry_def) -> zend_ini_entry_def {
    entry.displayer = Some(display_masked);
    entry
}

pub fn register(module: c_int) {
    IniEntryDef::register(ENTRIES.as_slice(), module);
}

pub fn unregister(module: c_int) {
    // SAFETY: called in module shutdown with the number that the settings were registered under.
    unsafe { zend_unregister_ini_entries(module) };
}

/// Where `new RateLimiter()` connects to.
pub fn url() -> String {
    text(&URL)
}

/// What a limiter is made with that names nothing else.
pub fn settings() -> Settings {
    Settings {
        timeout: Duration::from_millis(number(&TIMEOUT)),
        prefix: text(&PREFIX),
        on_failure: FailureRule::parse(&text(&ON_FAILURE)).unwrap_or(FailureRule::Open),
        breaker: breaker::Settings {
            failures: u32::try_from(number(&BREAKER_FAILURES)).unwrap_or(State::MOST_FAILURES),
            cooldown: Duration::from_millis(number(&BREAKER_COOLDOWN)),
        },
        refusal_ttl: Duration::from_millis(number(&REFUSAL_TTL)),
    }
}

/// How many refusals the workers remember together.
pub fn refusals() -> usize {
    usize::try_from(number(&REFUSAL_CACHE)).unwrap_or(0)
}

unsafe extern "C" fn on_modify(
    entry: *mut zend_ini_entry,
    value: *mut zend_string,
    _: *mut c_void,
    _: *mut c_void,
    _: *mut c_void,
    _: c_int,
) -> c_int {
    // SAFETY: the engine passes the live entry that changes; its name is one of the settings'.
    let name = unsafe { bytes((*entry).name) };
    // SAFETY: the new value is live for the call, or null where a setting is emptied.
    let value = unsafe { bytes(value) };
    let Some(setting) = setting::ALL.iter().find(|known| known.name.to_bytes() == name) else {
        return SUCCESS;
    };
    last_limiter::forget();
    match setting.check(value) {
        Ok(()) => SUCCESS,
        Err(text) => {
            let name = setting.name.to_string_lossy();
            php_error(
                &ErrorType::Warning,
                &format!("{name}: {text}; the setting stays as it was").replace('\0', "\\0"),
            );
            FAILURE
        }
    }
}

/// Shows a URL without its password, in phpinfo() and `php --ri`.
unsafe extern "C" fn display_masked(entry: *mut zend_ini_entry, _: c_int) {
    // SAFETY: the engine passes a live entry; a value that was never set is null.
    let value = String::from_utf8_lossy(unsafe { bytes((*entry).value) }).into_owned();
    let shown =
        Endpoint::parse(&value).map_or_else(|_| "no valid URL".into(), |endpoint| endpoint.to_string());
    let shown = shown.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    if let Ok(shown) = CString::new(shown) {
        // SAFETY: a format with one string.
        unsafe { php_printf(c"%s".as_ptr(), shown.as_ptr()) };
    }
}

/// # Safety
/// `string` is null or lives as long as the result is used.
unsafe fn bytes<'a>(string: *const ZendStr) -> &'a [u8] {
    // SAFETY: by the contract above.
    unsafe { string.as_ref() }.map(ZendStr::as_bytes).unwrap_or_default()
}

/// A value that is none was not let through by `on_modify`.
fn number(setting: &Setting) -> u64 {
    whole_number(&text(setting)).unwrap_or_default()
}

fn text(setting: &Setting) -> String {
    let name = setting.name;
    // SAFETY: looks the setting up by its name and length; the value lives until the setting changes, and it is copied.
    unsafe {
        let value = zend_ini_string(name.as_ptr(), name.to_bytes().len(), 0);
        let value = if value.is_null() { setting.default } else { CStr::from_ptr(value) };
        value.to_string_lossy().into_owned()
    }
}
