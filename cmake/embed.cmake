# Turns the files of viz/page into C arrays, so that the library needs no file beside it:
#   cmake -DFOLDER=viz/page -DOUTPUT=report_files.c -P embed.cmake
# The page's Content-Security-Policy admits the script by this digest.
function(embed name file)
  file(READ "${FOLDER}/${file}" octets HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" octets "${octets}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," octets "${octets}")
  file(APPEND "${OUTPUT}.new" "const char oc_report_${name}[] = {\n${octets}'\\0'};\n")
endfunction()

file(WRITE "${OUTPUT}.new"
  "/* Made by cmake/embed.cmake from viz/page. */\n#include \"viz/page/report.h\"\n\n")
embed(page page.html)
embed(style page.css)
embed(script page.js)
file(SHA256 "${FOLDER}/page.js" digest)
file(APPEND "${OUTPUT}.new" "const char oc_report_script_digest[] = \"${digest}\";\n")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
