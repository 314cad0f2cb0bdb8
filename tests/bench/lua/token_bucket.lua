-- Token bucket at its leanest (GCRA): one number, the time at which the bucket is full again.
-- KEYS[1]; ARGV: capacity, µs per token, cost
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local period = ARGV[2] + 0
local full = ARGV[1] * period
local at = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now) + ARGV[3] * period
if at - now > full then return {0, math.floor((full - at + now) / period) + 1, math.ceil((at - now - full) / 1000)} end
redis.call('SET', KEYS[1], string.format('%.0f', at), 'PX', math.ceil((at - now) / 1000))
return {1, math.floor((full - at + now) / period), 0}
