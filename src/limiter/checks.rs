//! What a caller must give: a tenant, a scope, a cost, a request id of bounded length.

use crate::error::Error;
use crate::keys::Subject;

const LONGEST_REQUEST_ID: usize = 128;

pub fn check_subject(subject: Subject<'_>) -> Result<(), Error> {
    let empty = |what: &str, hint: &str| Err(Error::InvalidArgument(format!("{what} is empty; {hint}")));
    if subject.tenant.is_empty() {
        return empty("tenant", "name who is asking, such as a user id or an address");
    }
    if subject.scope.is_empty() {
        return empty("scope", "leave it out for \"global\", or name what is asked for");
    }
    Ok(())
}

pub fn check_cost(cost: i64, least: i64) -> Result<(), Error> {
    if cost >= least {
        return Ok(());
    }
    Err(Error::InvalidArgument(format!("cost {cost} must be at least {least}")))
}

pub fn check_request_id(request_id: Option<&[u8]>) -> Result<&[u8], Error> {
    let id = request_id.unwrap_or_default();
    if id.len() <= LONGEST_REQUEST_ID {
        return Ok(id);
    }
    Err(Error::InvalidArgument(format!(
        "request id has {} bytes; it may have at most {LONGEST_REQUEST_ID}",
        id.len()
    )))
}
