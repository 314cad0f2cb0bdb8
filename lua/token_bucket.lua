-- Token bucket, and leaky bucket: a level that rises with time up to `full`; a call takes need * period from it.
-- KEYS[i]  one bucket
-- ARGV     of its member (see settle.lua): period, refill: `refill` tokens come in `period` µs, in lowest terms;
--          full: capacity * period; debt: how far the level may fall below zero (leaky bucket), else 0
-- reply    remaining: whole tokens (leaky bucket: free places); reset: when the next token comes, 0 when full;
--          delay: until a level below zero is back at zero
-- state    '>i7I4', 11 bytes: the instant at which the level was zero, in whole µs and 1/refill µs
--
-- Levels count in units of which a token is `period` and one µs brings `refill`, so every level is an integer.
-- level = (now - zero) * refill, at most full, at least -debt
-- When the clock falls back the level stays at -debt until it has caught up; a step of more than the time it takes to
-- fill starts clean.
local function token_bucket(now, key, need, take, period, refill, full, debt)
  local state, level, missing = redis.pcall('GET', key), full, 0
  if state and #state == 11 then
    local zero, fraction = struct.unpack('>i7I4', state)
    if fraction >= refill then fraction = refill - 1 end -- written under a finer rate
    level = (now - zero) * refill - fraction
    if level > full or level < -full - 2 * debt then level = full end
    if level < -debt then
      level, missing = -debt, -debt - level
    end
  elseif state and state.err and not state.err:find('WRONGTYPE', 1, true) then
    error(state) -- it may not be read: that is not an empty one
  end

  local retry, delay, record = 0, 0, nil
  local left = level - need * period
  if left < -debt then
    retry = need * period > full + debt and -1 or math.ceil((missing - debt - left) / refill)
  else
    if left < 0 then delay = math.ceil(-left / refill) end
    if take > 0 then
      level = left
      local fraction = -left % refill
      record = struct.pack('>i7I4', now - (left + fraction) / refill, fraction)
    end
  end
  local reset = level < full and math.ceil((missing + period - level % period) / refill) or 0
  return retry, math.floor((level + debt) / period), reset, delay, record
end
