-- What an allowed decision cannot leave out: the clock, per key a state and a new one with a lifetime. KEYS and ARGV as
-- in floor_empty.lua
redis.call('TIME')
for i = 1, #KEYS do redis.call('GET', KEYS[i]) end
for i = 1, #KEYS do redis.call('SET', KEYS[i], '12345678901', 'PX', ARGV[2]) end
return ARGV[3]
