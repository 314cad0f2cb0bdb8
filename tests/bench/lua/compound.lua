-- Several lean token buckets, all or none: KEYS; ARGV: per key capacity, µs per token
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local new, remaining, retry = {}, {}, 0
for i = 1, #KEYS do
  local period = ARGV[2 * i] + 0
  local full = ARGV[2 * i - 1] * period
  new[i] = math.max(tonumber(redis.call('GET', KEYS[i]) or now), now) + period
  remaining[i] = math.floor((full - new[i] + now) / period)
  retry = math.max(retry, math.ceil((new[i] - now - full) / 1000))
end
if retry > 0 then return {0, remaining, retry} end
for i = 1, #KEYS do
  redis.call('SET', KEYS[i], string.format('%.0f', new[i]), 'PX', math.ceil((new[i] - now) / 1000))
end
return {1, remaining, 0}
