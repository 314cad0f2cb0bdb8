-- Refund: gives back what one decision took, in every window that is still the same one. Creates nothing, and leaves
-- every key the time to live that it had. A state of another kind than the decision's is left alone.
-- KEYS[i]    state of member i
-- ARGV[i]    packed '<Bddddddd': giver (index in the list below), take (what the decision took), at (the decision's now,
--            µs), stop (the end of its window: its reset as an instant, µs), then four numbers of its algorithm, as
--            they stand in the file of its judge
-- ARGV[n+1]  the decision's request id, by which an audit log of the n members finds its entry
-- reply      the number of members that got something back

-- What was read; nothing where a state of another kind stands there. One that may not be read is not an empty one.
local function readable(reply)
  if not reply or not reply.err then return reply end
  if not reply.err:find('WRONGTYPE', 1, true) then error(reply) end
end

-- The level rises by what was taken, at most to full: what would have been lost to a full bucket does not come back.
-- A bucket's window is the time it takes to fill: after that all that was taken has come back by itself.
local function token_bucket(now, key, take, at, _, period, refill, full, debt)
  local state = readable(redis.pcall('GET', key))
  if not state or #state ~= 11 or (now - at) * refill >= full + debt then return false end
  local zero, fraction = struct.unpack('>i7I4', state)
  if fraction >= refill then fraction = refill - 1 end
  local level = (now - zero) * refill - fraction
  if level >= full or level < -full - 2 * debt then return false end
  level = math.min(level + take * period, full)
  fraction = -level % refill
  redis.call('SET', key, struct.pack('>i7I4', now - (level + fraction) / refill, fraction), 'KEEPTTL')
  return true
end

-- Entries of that very µs, which are all alike. A log with none left is forgotten.
local function sliding_log(now, key, take, at, _, _, window)
  local text = redis.pcall('GETRANGE', key, 0, 164)
  local slots, head, count, _, newest = ring_open(now, text)
  if count == 0 or at <= now - window or at > newest or newest - now > window then return false end
  local before = ring_search(now, key, text, slots, head, 0, count, at - 1)
  take = math.min(take, ring_search(now, key, text, slots, head, before, count, at) - before)
  if take == 0 then return false end
  if take == count then return redis.call('DEL', key) end

  local after = before + take
  local kept = ring_entries(key, text, slots, head, before)
    .. ring_entries(key, text, slots, (head + after) % slots, count - after)
  local state = struct.pack('>I3I3I3', slots, 0, count - take) .. kept:sub(1, 6) .. kept:sub(-6) .. kept
  redis.call('SET', key, state .. ('\0'):rep((slots - count + take) * 6), 'KEEPTTL')
  return true
end

-- The one entry with that instant, cost and request id; the later ones have so much less before them.
local function audit_log(now, key, take, at, _, _, window)
  if at <= now - window then return false end
  local same = readable(redis.pcall('ZRANGEBYSCORE', key, at, at)) or {}
  for i = 1, #same do
    local member = same[i]
    local instant, _, cost, request = audit_entry(member, at)
    if instant and cost == take and request == ARGV[#KEYS + 1] then
      local later = redis.call('ZRANGE', key, redis.call('ZRANK', key, member) + 1, -1, 'WITHSCORES')
      redis.call('ZREM', key, member)
      for j = 1, #later, 2 do
        local _, before, paid, id = audit_entry(later[j], later[j + 1])
        redis.call('ZADD', key, later[j + 1], struct.pack('>BI7I4', 1, before - take, paid) .. id)
        redis.call('ZREM', key, later[j])
      end
      return true
    end
  end
  return false
end

local function sliding_window(now, key, take, _, stop, _, window)
  local state = readable(redis.pcall('GET', key))
  if not state or #state ~= 17 or now >= stop + window then return false end
  local start, current, previous = struct.unpack('>I7I5I5', state)
  if start == stop - window and current > 0 then
    current = math.max(current - take, 0)
  elseif start == stop and previous > 0 then
    previous = math.max(previous - take, 0)
  else
    return false
  end
  redis.call('SET', key, struct.pack('>I7I5I5', start, current, previous), 'KEEPTTL')
  return true
end

local function fixed_window(now, key, take, _, stop)
  local state = readable(redis.pcall('GET', key))
  if not state or #state ~= 12 or now >= stop then return false end
  local ends, used = struct.unpack('>I7I5', state)
  if ends ~= stop or used == 0 then return false end
  redis.call('SET', key, struct.pack('>I7I5', ends, math.max(used - take, 0)), 'KEEPTTL')
  return true
end

local givers = {token_bucket, sliding_log, audit_log, sliding_window, fixed_window}

local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local given = 0
for i = 1, #KEYS do
  local giver, take, at, stop, a, b, c, d = struct.unpack('<Bddddddd', ARGV[i])
  if take > 0 and givers[giver](now, KEYS[i], take, at, stop, a, b, c, d) then given = given + 1 end
end
return given
