-- Everything that an allowed decision cannot leave out, but deciding: the clock; per key its numbers and its state, a new
-- state with a lifetime, and an answer. KEYS and ARGV as in lua/settle.lua, the states as in lua/token_bucket.lua
redis.call('TIME')
local reply = ''
for i = 1, #KEYS do
  local _, _, need, _, a, b, c, d = struct.unpack('<BBdddddd', ARGV[2 * i - 1])
  local zero, fraction = struct.unpack('>i7I4', redis.call('GET', KEYS[i]))
  redis.call('SET', KEYS[i], struct.pack('>i7I4', zero, fraction), 'PX', ARGV[2 * i])
  reply = reply .. struct.pack('<ddddd', a, b, c, d, need)
end
return reply
