-- What any script costs. KEYS[1]; ARGV: 50 bytes, as the packed numbers of a policy; a lifetime in ms; 40 bytes to answer
return ARGV[3]
