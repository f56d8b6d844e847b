# Turns the files of viz/page into C arrays, so that the library needs no file beside it:
#   cmake -DFOLDER=viz/page -DOUTPUT=report_files.c -P embed.cmake
# The modules of the script become one, in a function of its own; the page's
# Content-Security-Policy admits it by its digest.
function(embed name file)
  file(READ "${file}" octets HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" octets "${octets}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," octets "${octets}")
  file(APPEND "${OUTPUT}.new" "const char oc_report_${name}[] = {\n${octets}'\\0'};\n")
endfunction()

file(WRITE "${OUTPUT}.new"
  "/* Made by cmake/embed.cmake from viz/page. */\n#include \"viz/page/report.h\"\n\n")
embed(page "${FOLDER}/page.html")
embed(style "${FOLDER}/page.css")
file(WRITE "${OUTPUT}.begin.js" "(function () {\n'use strict';\n\n")
file(WRITE "${OUTPUT}.end.js" "})();\n")
execute_process(
  COMMAND ${CMAKE_COMMAND} -E cat "${OUTPUT}.begin.js" "${FOLDER}/data.js" "${FOLDER}/picture.js"
    "${FOLDER}/panel.js" "${FOLDER}/input.js" "${OUTPUT}.end.js"
  OUTPUT_FILE "${OUTPUT}.js" COMMAND_ERROR_IS_FATAL ANY)
embed(script "${OUTPUT}.js")
file(SHA256 "${OUTPUT}.js" digest)
file(APPEND "${OUTPUT}.new" "const char oc_report_script_digest[] = \"${digest}\";\n")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
