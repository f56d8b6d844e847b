# Appends the bytes of a file to ${OUTPUT}.new as a C array, which a byte 0 ends.
function(embed_octets name octets)
  string(REGEX REPLACE "(................................)" "\\1\n" octets "${octets}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," octets "${octets}")
  file(APPEND "${OUTPUT}.new" "const char oc_${name}[] = {\n${octets}'\\0'};\n")
endfunction()

function(embed name file)
  file(READ "${file}" octets HEX)
  embed_octets(${name} "${octets}")
endfunction()
