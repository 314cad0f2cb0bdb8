-- Sliding log, exact: no window (t - window, t] ever holds more than limit. The state is described in ring.lua.
-- KEYS[i]  one log
-- ARGV     of its member (see settle.lua): limit; window: its length in µs
-- reply    remaining: limit - what the window holds; reset: when the oldest entry leaves it, 0 when there is none
--
-- When the clock falls back, time stands still at the newest entry; a step of more than a window starts clean.
-- A log of at most 24 is written whole. A larger one has room to grow and is written in place; its ttl is 9/8 of the
-- window, and is renewed when it no longer covers one.
local function sliding_log(now, key, need, take, limit, window)
  local text = redis.pcall('GETRANGE', key, '0', '164') -- the ring of 24
  local slots, head, count, oldest, newest = ring_open(now, text)
  local at = now
  if newest - now > window then count = 0 elseif newest > now then at = newest end

  local edge = at - window
  if count > 0 and newest <= edge then
    count = 0
  elseif count > 0 and oldest <= edge then
    -- The oldest has left, the newest has not.
    local gone, first = ring_search(now, key, text, slots, head, 1, count - 1, edge)
    head, count, oldest = (head + gone) % slots, count - gone, first or newest
  end

  local retry, record = 0, nil
  if count + need > limit then
    local leaving = count + need - limit -- as many entries have to leave
    if need > limit then
      retry = -1
    elseif leaving == 1 then
      retry = oldest + window - now
    else
      retry = ring_entry(now, key, text, slots, head + leaving - 1) + window - now
    end
  elseif take > 0 then
    if count == 0 then oldest = at end
    local kept = count
    count = count + take
    local added = struct.pack('>I6', at % 2 ^ 48)
    if take > 1 then added = added:rep(take) end
    local numbers = struct.pack('>I3I6I6', count, oldest % 2 ^ 48, at % 2 ^ 48)

    if count <= 24 then
      local entries = kept > 0 and ring_entries(key, text, slots, head, kept) or ''
      record = struct.pack('>I3I3', count, 0) .. numbers .. entries .. added
    elseif count > slots or count * 4 < slots then -- too small, or far too large
      record = function(ttl)
        local room = math.min(limit, count + math.floor(count / 4) + 8)
        local entries = kept > 0 and ring_entries(key, text, slots, head, kept) or ''
        local state = struct.pack('>I3I3', room, 0) .. numbers .. entries .. added .. ('\0'):rep((room - count) * 6)
        redis.call('SET', key, state, 'PX', ttl)
      end
    else
      record = function(ttl)
        local tail = (head + kept) % slots
        local here = (slots - tail) * 6 -- the bytes up to the end of the ring
        redis.call('SETRANGE', key, 21 + tail * 6, added:sub(1, here))
        if #added > here then redis.call('SETRANGE', key, 21, added:sub(here + 1)) end
        redis.call('SETRANGE', key, 3, struct.pack('>I3', head) .. numbers)
        if redis.call('PTTL', key) * 1000 < window + at - now then redis.call('PEXPIRE', key, ttl) end
      end
    end
  end
  return retry, count < limit and limit - count or 0, count > 0 and oldest + window - now or 0, 0, record
end
