//! What another program may have left under a key.

/// Text whose first bytes could be the numbers of a ring.
const JSON: &str = "{\"user\":\"alice\",\"count\":1";

/// Commands that put something at `key`: every type, and texts about as long as the states of a log.
pub fn values(key: &str) -> Vec<String> {
    let types = ["SET _ 1", "SET _ x", "RPUSH _ a b", "SADD _ a", "HSET _ a b", "XADD _ * a b"];
    let sets = ["ZADD _ 1 a", "ZADD _ 1.5 a-long-member"];
    let texts =
        [10, 26, 27, 28, 164, 165, 166, 5000].map(|size| format!("SET _ {}", &JSON.repeat(size)[..size]));
    types
        .into_iter()
        .chain(sets)
        .map(String::from)
        .chain(texts)
        .map(|words| words.replace('_', key))
        .collect()
}
