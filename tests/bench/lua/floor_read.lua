-- Everything that a refusal cannot leave out, but deciding. KEYS and ARGV as in floor_state.lua
redis.call('TIME')
local reply = ''
for i = 1, #KEYS do
  local _, _, need, _, a, b, c, d = struct.unpack('<BBdddddd', ARGV[2 * i - 1])
  struct.unpack('>i7I4', redis.call('GET', KEYS[i]))
  reply = reply .. struct.pack('<ddddd', a, b, c, d, need)
end
return reply
