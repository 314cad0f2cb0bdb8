//! `RateLimiter::stats()`: what this worker has counted, and the circuits that it shares with others.

use super::arguments::Arguments;
use super::array::{self, Array};
use super::method;
use crate::{circuit_names, stats};
use ext_php_rs::types::Zval;
use ext_php_rs::zend::ExecuteData;

pub extern "C" fn stats(frame: &mut ExecuteData, result: &mut Zval) {
    method::run(frame, result, |frame| {
        Arguments::of(frame, 0, 0)?;
        let mut data = Array::with_capacity(stats::ALL.len() + 1);
        for (name, counter) in stats::ALL {
            data.set(name, array::int(counter.get() as i64));
        }
        data.set("circuits", circuits());
        Ok(data.into_zval())
    });
}

/// The circuit of each URL that has ever failed.
fn circuits() -> Zval {
    let mut circuits = Array::with_capacity(0);
    for (url, snapshot) in circuit_names::named() {
        let mut circuit = Array::with_capacity(3);
        circuit.set("state", array::string(snapshot.position.word()));
        circuit.set("failures", array::int(i64::from(snapshot.failures)));
        circuit.set("retryAfter", array::float(snapshot.retry_after.as_secs_f64()));
        circuits.set(&url, circuit.into_zval());
    }
    circuits.into_zval()
}
