-- The state of an audit log, for the scripts that read it: a sorted set with one entry per request.
-- state    score: the instant in µs; member '>BI7I4' and the request id: 1 (the format), the units taken before this
--          request since the log began, and its cost. The running total keeps entries of one µs in order, makes every
--          member unique, and gives the sum of any stretch of the log by its two ends.

-- The instant, the total before it, the cost and the request id of an entry; nothing where it is not one of ours.
local function audit_entry(member, score)
  if #member < 12 or member:byte() ~= 1 then return end
  local _, before, cost = struct.unpack('>BI7I4', member)
  return tonumber(score), before, cost, member:sub(13)
end

-- The entry at a rank, counted from the end if negative; nothing where there is none.
local function audit_at(key, rank)
  local found = redis.pcall('ZRANGE', key, rank, rank, 'WITHSCORES')
  if found[2] then return audit_entry(found[1], found[2]) end
  if found.err and not found.err:find('WRONGTYPE', 1, true) then error(found) end -- it may not be read
end
