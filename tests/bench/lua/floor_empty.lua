-- What any script costs that is sent a key, the packed numbers of a policy and a lifetime, and answers 40 bytes.
return ARGV[3]
