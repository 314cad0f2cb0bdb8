-- Fixed window: KEYS[1]; ARGV: limit, window in ms, cost
local used = tonumber(redis.call('GET', KEYS[1]) or 0)
if used + ARGV[3] > tonumber(ARGV[1]) then return {0, ARGV[1] - used, redis.call('PTTL', KEYS[1])} end
if redis.call('INCRBY', KEYS[1], ARGV[3]) == tonumber(ARGV[3]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return {1, ARGV[1] - used - ARGV[3], redis.call('PTTL', KEYS[1])}
