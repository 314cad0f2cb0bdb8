-- What any script costs. KEYS; ARGV: some bytes; a lifetime in ms; what to answer
return ARGV[3]
