//! The settings of php.ini. A bad value is a warning and leaves the one before: at startup the default.

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
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::time::Duration;

unsafe extern "C" {
    fn zend_ini_string(name: *const c_char, length: usize, original: c_int) -> *mut c_char;
    fn zend_unregister_ini_entries(module: c_int);
}

const URL: &CStr = c"ratelimit.url";
const PREFIX: &CStr = c"ratelimit.prefix";
const TIMEOUT: &CStr = c"ratelimit.timeout_ms";
const ON_FAILURE: &CStr = c"ratelimit.on_failure";
const BREAKER_FAILURES: &CStr = c"ratelimit.breaker_failures";
const BREAKER_COOLDOWN: &CStr = c"ratelimit.breaker_cooldown_ms";
const REFUSAL_CACHE: &CStr = c"ratelimit.refusal_cache";
const REFUSAL_TTL: &CStr = c"ratelimit.refusal_cache_ttl_ms";
const NAMES: [&CStr; 8] =
    [URL, PREFIX, TIMEOUT, ON_FAILURE, BREAKER_FAILURES, BREAKER_COOLDOWN, REFUSAL_CACHE, REFUSAL_TTL];

/// The longest that one decision may be allowed to take: an hour.
pub const LONGEST_TIMEOUT: Duration = Duration::from_secs(3600);
pub const LONGEST_PREFIX: usize = 64;
/// A table of 640 MB; nobody needs more.
const MOST_REFUSALS: u64 = 1 << 20;

static ENTRIES: IniEntryDefs<9> = IniEntryDefs::new([
    masked(entry(URL, c"redis://127.0.0.1:6379", IniEntryPermission::All)),
    entry(PREFIX, c"rl", IniEntryPermission::All),
    entry(TIMEOUT, c"50", IniEntryPermission::All),
    entry(ON_FAILURE, c"open", IniEntryPermission::All),
    entry(BREAKER_FAILURES, c"5", IniEntryPermission::All),
    entry(BREAKER_COOLDOWN, c"1000", IniEntryPermission::All),
    entry(REFUSAL_CACHE, c"4096", IniEntryPermission::System),
    entry(REFUSAL_TTL, c"1000", IniEntryPermission::All),
    IniEntryDef::end(),
]);

const fn entry(
    name: &'static CStr,
    default: &'static CStr,
    permission: IniEntryPermission,
) -> zend_ini_entry_def {
    let mut entry = IniEntryDef::new(name, default, permission);
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
    text(URL)
}

/// What a limiter is made with that names nothing else.
pub fn settings() -> Settings {
    Settings {
        timeout: Duration::from_millis(number(TIMEOUT, 50)),
        prefix: text(PREFIX),
        on_failure: FailureRule::parse(&text(ON_FAILURE)).unwrap_or(FailureRule::Open),
        breaker: breaker::Settings {
            failures: u32::try_from(number(BREAKER_FAILURES, 5)).unwrap_or(State::MOST_FAILURES),
            cooldown: Duration::from_millis(number(BREAKER_COOLDOWN, 1000)),
        },
        refusal_ttl: Duration::from_millis(number(REFUSAL_TTL, 1000)),
    }
}

/// How many refusals the workers remember together.
pub fn refusals() -> usize {
    usize::try_from(number(REFUSAL_CACHE, 4096)).unwrap_or(0)
}

fn number(name: &CStr, default: u64) -> u64 {
    whole_number(&text(name)).unwrap_or(default)
}

/// # Errors
/// What is wrong with a prefix, and what would be right.
pub fn check_prefix(prefix: &[u8]) -> Result<&str, String> {
    let text = std::str::from_utf8(prefix).ok().filter(|text| !text.chars().any(char::is_control));
    text.filter(|text| (1..=LONGEST_PREFIX).contains(&text.len())).ok_or_else(|| {
        let shown: String = String::from_utf8_lossy(prefix).chars().take(80).collect();
        format!("{shown:?} is no prefix; use 1 to {LONGEST_PREFIX} printable characters, such as \"rl\"")
    })
}

fn check(name: &CStr, given: &[u8]) -> Result<(), String> {
    let value = &*String::from_utf8_lossy(given);
    if name == URL {
        Endpoint::parse(value).map(|_| ()).map_err(|error| error.to_string())
    } else if name == PREFIX {
        check_prefix(given).map(|_| ())
    } else if name == ON_FAILURE {
        FailureRule::parse(value).map(|_| ()).map_err(|error| error.to_string())
    } else {
        let (least, most) = range(name);
        whole_number(value)
            .filter(|number| (least..=most).contains(number))
            .map(|_| ())
            .ok_or_else(|| format!("{value:?} is not a whole number from {least} to {most}"))
    }
}

/// From where to where a setting goes that is a whole number.
fn range(name: &CStr) -> (u64, u64) {
    if name == BREAKER_FAILURES {
        (0, u64::from(State::MOST_FAILURES))
    } else if name == REFUSAL_CACHE {
        (0, MOST_REFUSALS)
    } else if name == REFUSAL_TTL {
        (0, LONGEST_TIMEOUT.as_millis() as u64)
    } else {
        (1, LONGEST_TIMEOUT.as_millis() as u64)
    }
}

fn whole_number(value: &str) -> Option<u64> {
    value.trim().parse().ok()
}

unsafe extern "C" fn on_modify(
    entry: *mut zend_ini_entry,
    value: *mut zend_string,
    _: *mut c_void,
    _: *mut c_void,
    _: *mut c_void,
    _: c_int,
) -> c_int {
    // SAFETY: the engine passes the live entry that changes; its name is one of NAMES.
    let name = unsafe { bytes((*entry).name) };
    // SAFETY: the new value is live for the call, or null where a setting is emptied.
    let value = unsafe { bytes(value) };
    let Some(setting) = NAMES.iter().find(|known| known.to_bytes() == name) else { return SUCCESS };
    last_limiter::forget();
    match check(setting, value) {
        Ok(()) => SUCCESS,
        Err(text) => {
            let name = setting.to_string_lossy();
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

fn text(name: &CStr) -> String {
    // SAFETY: looks the setting up by its name and length; the value lives until the setting changes, and it is copied.
    unsafe {
        let value = zend_ini_string(name.as_ptr(), name.to_bytes().len(), 0);
        if value.is_null() { String::new() } else { CStr::from_ptr(value).to_string_lossy().into_owned() }
    }
}
