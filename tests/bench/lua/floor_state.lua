-- What our buckets cannot leave out: the clock, the state, a new state with a lifetime. KEYS and ARGV as in floor_empty.lua
redis.call('TIME')
redis.call('GET', KEYS[1])
redis.call('SET', KEYS[1], '12345678901', 'PX', ARGV[2])
return ARGV[3]
