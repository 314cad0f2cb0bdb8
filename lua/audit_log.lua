-- Audit log: a sliding log that keeps one entry per request, with its request id, in a sorted set. The state is
-- described in audit_entry.lua.
-- KEYS[i]  one log
-- ARGV     of its member (see settle.lua): limit; window: its length in µs
-- reply    remaining: limit - what the window holds; reset: when the oldest entry leaves it, 0 when there is none
--
-- When the clock falls back, time stands still at the newest entry; a step of more than a window starts clean.

-- When the first `leaving` units of a log will have been taken for a whole window. The oldest entry left in the log has
-- the rank `first` and `before` units before it. Doubling steps, then halving them: mostly it is the first one.
local function audit_retry(key, first, before, leaving, window)
  local low, high, step = first, redis.call('ZCARD', key) - 1, 1
  while low < high do
    local i = math.min(low + step - 1, math.floor((low + high) / 2))
    local _, total, cost = audit_at(key, i)
    if total + cost - before >= leaving then high = i else low, step = i + 1, step * 2 end
  end
  return audit_at(key, low) + window
end

local function audit_log(now, key, need, take, limit, window)
  local newest, total, cost = audit_at(key, -1)
  local holds = newest and newest - now <= window and newest > now - window
  local at, gone, count = now, 0, 0
  local oldest, before
  if holds then
    if newest > now then at = newest end
    gone = redis.call('ZCOUNT', key, '-inf', at - window)
    oldest, before = audit_at(key, gone)
    holds = before ~= nil -- else somebody else's member stands there
  end
  if holds then
    total = total + cost
    count = total - before
  else
    at, gone, total = now, 0, 0
  end

  local retry, record = 0, nil
  if count + need > limit then
    if need > limit then
      retry = -1
    else
      retry = audit_retry(key, gone, before, count + need - limit, window) - now
    end
  elseif take > 0 then
    count = count + take
    oldest = oldest or at
    record = function(ttl)
      if not holds then
        redis.call('DEL', key)
      elseif gone > 0 then
        redis.call('ZREMRANGEBYRANK', key, 0, gone - 1)
      end
      redis.call('ZADD', key, at, struct.pack('>BI7I4', 1, total, take) .. ARGV[2 * #KEYS + 1])
      redis.call('PEXPIRE', key, ttl)
    end
  end
  return retry, count < limit and limit - count or 0, count > 0 and oldest + window - now or 0, 0, record
end
