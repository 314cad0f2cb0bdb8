-- Sliding window over two counters: KEYS[1]; ARGV: limit, window in µs, cost
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local limit, window, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local start = now - now % window
local state = redis.call('HMGET', KEYS[1], 'start', 'current', 'previous')
local current, previous = tonumber(state[2]) or 0, tonumber(state[3]) or 0
local opened = tonumber(state[1]) or 0
if opened ~= start then current, previous = 0, opened == start - window and current or 0 end
local used = current + previous * (start + window - now) / window
if used + cost > limit then return {0, math.floor(limit - used), math.ceil((start + window - now) / 1000)} end
redis.call('HSET', KEYS[1], 'start', string.format('%.0f', start), 'current', current + cost, 'previous', previous)
redis.call('PEXPIRE', KEYS[1], math.ceil(2 * window / 1000))
return {1, math.floor(limit - used - cost), 0}
