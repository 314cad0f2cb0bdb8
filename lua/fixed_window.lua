-- Fixed window: one count, which begins anew when its window ends.
-- KEYS[i]  one count
-- ARGV     of its member (see settle.lua): limit; window: its length in µs; aligned: 1 when windows begin at multiples
--          of their length since the Unix epoch, 0 when the first hit opens one
-- reply    remaining: limit - used; reset: when the open window ends, 0 when none is open
-- state    '>I7I5', 12 bytes: the instant at which the window ends, and what was taken in it
local function fixed_window(now, key, need, take, limit, window, aligned)
  local state, stop, used = redis.pcall('GET', key), 0, 0
  if state and #state == 12 then
    stop, used = struct.unpack('>I7I5', state)
  elseif state and state.err and not state.err:find('WRONGTYPE', 1, true) then
    error(state) -- it may not be read: that is not an empty one
  end
  local open = stop > now and stop - now <= 2 * window -- further ahead: the clock fell back by more than a window
  if not open then
    stop, used = now + window - aligned * (now % window), 0
  end

  local retry, record = 0, nil
  if used + need > limit then
    retry = need > limit and -1 or stop - now
  elseif take > 0 then
    open, used = true, used + take
    record = struct.pack('>I7I5', stop, used)
  end
  return retry, used < limit and limit - used or 0, open and stop - now or 0, 0, record
end
