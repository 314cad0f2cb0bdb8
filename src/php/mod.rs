//! The extension: what the engine loads, and thin classes over the core.

mod arguments;
mod array;
mod class;
mod decision;
mod decision_data;
mod exceptions;
mod ini;
mod last_limiter;
mod method;
mod object;
mod policy;
mod policy_config;
mod policy_factories;
mod rate_limiter;
mod record;
mod signature;
mod stats;
mod type_error;

use crate::{breaker, circuit_names, refusals};
use ext_php_rs::error::Result;
use ext_php_rs::prelude::*;
use ext_php_rs::zend::{ClassEntry, ModuleEntry};
use ext_php_rs::{info_table_end, info_table_row, info_table_start};
use std::ffi::c_int;

unsafe extern "C" {
    static php_json_serializable_ce: *mut ClassEntry;
    fn display_ini_entries(module: *mut ModuleEntry);
}

const SUCCESS: c_int = 0;
const FAILURE: c_int = -1;

#[php_module]
#[php(startup = startup)]
pub fn module(module: ModuleBuilder) -> ModuleBuilder {
    module.name("ratelimit").shutdown_function(shutdown).info_function(info)
}

fn startup(_kind: c_int, module: c_int) -> c_int {
    ini::register(module);
    // Before any worker is forked; where the system has no memory for them each process works for itself.
    breaker::share();
    refusals::share(ini::refusals());
    if register_classes().is_ok() { SUCCESS } else { FAILURE }
}

fn register_classes() -> Result<()> {
    exceptions::register()?;
    policy::register()?;
    decision::register()?;
    rate_limiter::register()
}

extern "C" fn shutdown(_kind: c_int, module: c_int) -> c_int {
    ini::unregister(module);
    SUCCESS
}

extern "C" fn info(module: *mut ModuleEntry) {
    info_table_start!();
    info_table_row!("ratelimit", "enabled");
    info_table_row!("version", env!("CARGO_PKG_VERSION"));
    for (url, circuit) in circuit_names::named() {
        let state = format!("{}, {} failures in a row", circuit.position.word(), circuit.failures);
        info_table_row!(format!("circuit of {url}"), state);
    }
    info_table_end!();
    // SAFETY: the engine passes its own live entry of this module.
    unsafe { display_ini_entries(module) };
}

fn json_serializable() -> &'static ClassEntry {
    // SAFETY: ext/json is always there and starts before other modules; its interface lives until the process ends.
    unsafe { &*php_json_serializable_ce }
}
