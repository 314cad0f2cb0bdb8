-- History: what a sliding log or an audit log still holds, the oldest first. Writes nothing.
-- KEYS[1]  one log of either kind
-- ARGV[1]  packed '<d': window: its length in µs
-- reply    per entry packed '<dd': at, its instant in µs; cost; and behind them its request id, empty in a sliding log,
--          where the units of one µs are one entry
-- When the clock fell back, time stands still at the newest entry; a step of more than a window leaves nothing.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local key, window = KEYS[1], struct.unpack('<d', ARGV[1])

local function sliding_history(text)
  local slots, head, count, _, newest = ring_open(now, text)
  local history = {}
  if count == 0 or newest - now > window or newest <= now - window then return history end
  local gone = ring_search(now, key, text, slots, head, 0, count, math.max(now, newest) - window)
  local entries = ring_entries(key, text, slots, (head + gone) % slots, count - gone)
  local at, cost = ring_instant(now, struct.unpack('>I6', entries)), 0
  for i = 1, #entries, 6 do
    local instant = ring_instant(now, struct.unpack('>I6', entries, i))
    if instant ~= at then
      history[#history + 1] = struct.pack('<dd', at, cost)
      at, cost = instant, 0
    end
    cost = cost + 1
  end
  history[#history + 1] = struct.pack('<dd', at, cost)
  return history
end

local function audit_history(newest)
  local history = {}
  if newest - now > window then return history end
  local edge = string.format('(%.0f', math.max(now, newest) - window)
  local entries = redis.call('ZRANGEBYSCORE', key, edge, '+inf', 'WITHSCORES')
  for i = 1, #entries, 2 do
    local at, _, cost, request = audit_entry(entries[i], entries[i + 1])
    if at then history[#history + 1] = struct.pack('<dd', at, cost) .. request end
  end
  return history
end

local newest = audit_at(key, -1)
if newest then return audit_history(newest) end
return sliding_history(redis.pcall('GETRANGE', key, 0, 164))
