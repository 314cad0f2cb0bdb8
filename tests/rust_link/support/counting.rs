//! A script that counts how often it ran: what a call at most once may add to a key.

use std::sync::LazyLock;

use ratelimit::call::Call;
use ratelimit::connection::backend::Backend;
use ratelimit::connection::deadline::Deadline;
use ratelimit::failure::Failure;
use ratelimit::script::Script;

/// Adds one, up to a limit, and tells the key and what it has come to.
const TEXT: &str = "local n = tonumber(redis.call('GET', KEYS[1]) or 0)
if n >= tonumber(ARGV[1]) then return KEYS[1] .. ' full' end
redis.call('SET', KEYS[1], n + 1)
return KEYS[1] .. ' ' .. n + 1";

pub static COUNT: LazyLock<Script> = LazyLock::new(|| {
    let sha = sha1_smol::Sha1::from(TEXT).digest().to_string();
    Script { sha: sha.leak(), text: TEXT }
});

/// Counts `key` up, at most to `limit`: Some(its number), or None where it is full. Panics if the answer is that
/// of another key.
pub fn count(
    backend: &mut Backend,
    key: &str,
    limit: u64,
    deadline: Deadline,
) -> Result<Option<u64>, Failure> {
    let mut call = Call::script(&COUNT, &[key.into()], 1);
    call.push(limit.to_string().as_bytes());
    let reply: String = redis::from_redis_value(backend.run(&call, deadline)?).unwrap();
    let number = reply.strip_prefix(key).unwrap_or_else(|| panic!("asked for {key}, read {reply}"));
    Ok(number.trim().parse().ok())
}
