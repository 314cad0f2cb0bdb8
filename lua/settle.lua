-- The end of every script that decides: read the clock, judge every member, then record all of it or nothing.
-- Before it build.rs puts the judges in use and the line that lists them, such as: local judges = {token_bucket}
-- KEYS[i]       state of member i
-- ARGV[2i-1]    packed '<BBdddddd': judge (index in the list), shadow (1: never refuses), need (what must be there),
--               take (what is taken: need, or 0 for a peek), then four numbers of its algorithm
-- ARGV[2i]      ms that a state recorded now has to live, as text
-- ARGV[2n+1]    request id, where one of the n members is an audit log
-- reply         per member, packed '<ddddd', times in µs: now, retry (0 passes, -1 never), remaining, reset, delay;
--               all but now are counted from now
-- A judge writes nothing. It returns retry, remaining, reset, delay and, if something is to be recorded,
-- the new state, or a function(ttl) that records it where one SET is not the way.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]

local function write(key, record, ttl)
  if type(record) == 'string' then
    redis.call('SET', key, record, 'PX', ttl)
  elseif record then
    record(ttl)
  end
end

-- One member, by far the most usual call, needs no loop and no table.
if #KEYS == 1 then
  local judge, shadow, need, take, a, b, c, d = struct.unpack('<BBdddddd', ARGV[1])
  local retry, remaining, reset, delay, record = judges[judge](now, KEYS[1], need, take, a, b, c, d)
  if retry == 0 or shadow == 1 then write(KEYS[1], record, ARGV[2]) end
  return struct.pack('<ddddd', now, retry, remaining, reset, delay)
end

-- If one member refuses, those before it are judged again as in a peek: none may report what was not taken.
local records, replies, passed = {}, {}, true
for attempt = 1, 2 do
  for i = 1, #KEYS do
    if attempt == 1 or records[i] then
      local judge, shadow, need, take, a, b, c, d = struct.unpack('<BBdddddd', ARGV[2 * i - 1])
      if not passed then take = 0 end
      local retry, remaining, reset, delay, record = judges[judge](now, KEYS[i], need, take, a, b, c, d)
      records[i], replies[i] = record, struct.pack('<ddddd', now, retry, remaining, reset, delay)
      passed = passed and (retry == 0 or shadow == 1)
    end
  end
  if passed then break end
end

if passed then
  for i = 1, #KEYS do write(KEYS[i], records[i], ARGV[2 * i]) end
end
return table.concat(replies)
