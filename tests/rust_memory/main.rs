//! The memory that workers share: the circuit breaker, the remembered refusals, and both under many processes.

mod breaker;
#[path = "../support/child.rs"]
mod child;
mod processes;
mod refusals;
