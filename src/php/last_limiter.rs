//! The limiter that this thread made last, for code that makes the same one in every request: reading the settings
//! and the URL again would cost more than a decision's own work.

use crate::limiter::RateLimiter;
use std::cell::RefCell;

/// What a constructor was given; what it was not given comes from the settings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Given<'a> {
    pub url: Option<&'a [u8]>,
    pub timeout: Option<f64>,
    pub prefix: Option<&'a [u8]>,
}

struct Made {
    url: Option<Vec<u8>>,
    timeout: Option<f64>,
    prefix: Option<Vec<u8>>,
    limiter: RateLimiter,
}

thread_local! {
    static LAST: RefCell<Option<Made>> = const { RefCell::new(None) };
}

/// The last limiter if it was made of the same, else the one that `make` makes.
pub fn same_or<E>(given: Given<'_>, make: impl FnOnce() -> Result<RateLimiter, E>) -> Result<RateLimiter, E> {
    let known = LAST.with_borrow(|last| {
        last.as_ref().filter(|made| made.given() == given).map(|made| made.limiter.clone())
    });
    if let Some(limiter) = known {
        return Ok(limiter);
    }
    let limiter = make()?;
    let Given { url, timeout, prefix } = given;
    let (url, prefix) = (url.map(<[u8]>::to_vec), prefix.map(<[u8]>::to_vec));
    LAST.set(Some(Made { url, timeout, prefix, limiter: limiter.clone() }));
    Ok(limiter)
}

/// To be called when a setting changes.
pub fn forget() {
    // A thread that ends has forgotten it already.
    let _ = LAST.try_with(|last| last.take());
}

impl Made {
    fn given(&self) -> Given<'_> {
        Given { url: self.url.as_deref(), timeout: self.timeout, prefix: self.prefix.as_deref() }
    }
}
