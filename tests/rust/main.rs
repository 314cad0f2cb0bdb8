//! The scripts on a real redis-server whose clock the tests set, against models in exact integers.

mod decisions;
mod expected;
mod oracle;
mod support;
mod walk;
