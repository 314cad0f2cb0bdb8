//! The memory that workers share: the circuit breaker, the remembered refusals, and both under many processes.

mod breaker;
mod processes;
mod refusals;
