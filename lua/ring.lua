-- The state of a sliding log, for the scripts that read it: a timestamp for every unit taken, in a ring in one string.
-- state    '>I3I3I3I6I6', 21 bytes: slots, head, count, oldest, newest; then the slots, '>I6' each
-- Timestamps are the low 48 bits of µs and never out of order.
-- `text` is always the beginning of the state, up to the 165 bytes of a ring of 24: what lies within it costs no command.

-- The full µs of a 48-bit timestamp: the one nearest to now.
local function ring_instant(now, stamp)
  return now - 2 ^ 47 + (stamp - now + 2 ^ 47) % 2 ^ 48
end

-- The state's numbers, the last two as instants; count 0 where there is no log, or what is there is none.
local function ring_open(now, text)
  if #text < 27 then
    if text.err and not text.err:find('WRONGTYPE', 1, true) then error(text) end -- it may not be read
    return 0, 0, 0, now, now
  end
  local slots, head, count, oldest, newest = struct.unpack('>I3I3I3I6I6', text)
  if #text ~= math.min(21 + slots * 6, 165) or head >= slots or count > slots then return 0, 0, 0, now, now end
  return slots, head, count, ring_instant(now, oldest), ring_instant(now, newest)
end

-- The bytes of `count` entries from a slot on, and on from the beginning of the ring.
local function ring_entries(key, text, slots, slot, count)
  local here = math.min(count, slots - slot)
  local first, last = 21 + slot * 6, 21 + (slot + here) * 6
  local bytes = last <= #text and text:sub(first + 1, last) or redis.call('GETRANGE', key, first, last - 1)
  if here < count then bytes = bytes .. ring_entries(key, text, slots, 0, count - here) end
  return bytes
end

-- The instant in a slot; those behind the last one are counted from the beginning.
local function ring_entry(now, key, text, slots, slot)
  local first = 21 + slot % slots * 6
  if first + 6 > #text then text, first = redis.call('GETRANGE', key, first, first + 5), 0 end
  return ring_instant(now, struct.unpack('>I6', text, first + 1))
end

-- The first of the entries low..high-1 that is later than an instant, else high: doubling steps, then halving them.
-- Returned too: the instant of that entry, if it had to be read.
local function ring_search(now, key, text, slots, head, low, high, instant)
  local step, found = 1, nil
  while low < high do
    local i = math.min(low + step - 1, math.floor((low + high) / 2))
    local entry = ring_entry(now, key, text, slots, head + i)
    if entry > instant then
      high, found = i, entry
    else
      low, step = i + 1, step * 2
    end
  end
  return low, found
end
