-- Sliding window: the count of this window, and that of the one before weighted by how much of it is still covered.
-- KEYS[i]  one pair of counts
-- ARGV     of its member (see settle.lua): limit; window: its length in µs
-- reply    remaining: limit - current - the weighted previous count, floored; reset: when the current window ends
-- state    '>I7I5I5', 17 bytes: the start of the current window, taken in it, taken in the one before
--
-- passes when previous * rest + (current + need) * window <= limit * window, where rest is what remains of the
-- current window, and so what is still covered of the one before
local function sliding_window(now, key, need, take, limit, window)
  local state, at, current, previous = redis.pcall('GET', key), now, 0, 0
  local start = now - now % window
  if state and #state == 17 then
    local opened, taken, before = struct.unpack('>I7I5I5', state)
    opened = opened - opened % window -- it may have been written under another length
    if opened > now and opened - now <= window then -- the clock fell back: time stands still until it has caught up
      at, start = opened, opened
    end
    if opened == start then
      current, previous = taken, before
    elseif opened == start - window then
      previous = taken
    end
  elseif state and state.err and not state.err:find('WRONGTYPE', 1, true) then
    error(state) -- it may not be read: that is not an empty one
  end
  local rest = start + window - at

  local retry, record = 0, nil
  if previous * rest > (limit - current - need) * window then -- this way round neither side leaves 2^53
    if need > limit then
      retry = -1
    elseif current + need <= limit then -- when enough of the previous count has faded
      retry = rest - math.floor((limit - current - need) * window / previous) + at - now
    else -- when the current count has become the previous one, and enough of it has faded
      retry = rest + window - math.floor((limit - need) * window / current) + at - now
    end
  elseif take > 0 then
    current = current + take
    record = struct.pack('>I7I5I5', start, current, previous)
  end
  local remaining = limit - current - math.ceil(previous * rest / window)
  return retry, remaining > 0 and remaining or 0, rest + at - now, 0, record
end
