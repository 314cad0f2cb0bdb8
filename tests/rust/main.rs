//! The scripts on a real redis-server whose clock the tests set, against models in exact integers.

mod clock_back;
mod decisions;
mod expected;
mod expiry;
mod history;
mod oracle;
mod refund;
mod remembered;
mod support;
mod walk;
mod writes;
