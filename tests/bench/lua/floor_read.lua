-- What a refusal cannot leave out: the clock, and a state per key. KEYS and ARGV as in floor_empty.lua
redis.call('TIME')
for i = 1, #KEYS do redis.call('GET', KEYS[i]) end
return ARGV[3]
