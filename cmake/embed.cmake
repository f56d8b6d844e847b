# Turns the files of viz/page into C arrays, so that the library needs no file beside it:
#   cmake -DFOLDER=viz/page -DOUTPUT=report_files.c -P embed.cmake
# The modules of a script become one, in a function of its own. The Content-Security-Policy of
# a report admits its script by its digest.
include(${CMAKE_CURRENT_LIST_DIR}/octets.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/strip.cmake)

# A file as gzip writes it, without the time at which it did.
function(embed_compressed name file)
  file(ARCHIVE_CREATE OUTPUT "${file}.gz" PATHS "${file}" FORMAT raw COMPRESSION GZip
    COMPRESSION_LEVEL 9)
  file(READ "${file}.gz" octets HEX)
  string(SUBSTRING "${octets}" 0 8 begin)
  string(SUBSTRING "${octets}" 16 -1 rest)
  embed_octets(${name} "${begin}00000000${rest}")
  file(APPEND "${OUTPUT}.new" "const size_t oc_${name}_size = sizeof oc_${name} - 1;\n")
endfunction()

function(embed_style name)
  set(text)
  foreach(file ${ARGN})
    file(READ "${FOLDER}/${file}.css" one)
    string(APPEND text "${one}")
  endforeach()
  string(REGEX REPLACE "/\\*[^*]*\\*+([^/*][^*]*\\*+)*/" "" text "${text}")
  string(REGEX REPLACE "\n[ \n]+" "\n" text "${text}")
  file(WRITE "${OUTPUT}.css" "${text}")
  embed(${name} "${OUTPUT}.css")
endfunction()

# Modules share one scope, in which a second function of a name would take the first one's place.
function(check_names name file)
  file(READ "${file}" text)
  string(REGEX MATCHALL "\n(async )?function [A-Za-z]+" functions "${text}")
  set(known)
  foreach(found ${functions})
    string(REGEX REPLACE ".* " "" found "${found}")
    list(FIND known "${found}" place)
    if(NOT place EQUAL -1)
      message(FATAL_ERROR "${name}: two modules define the function ${found}")
    endif()
    list(APPEND known "${found}")
  endforeach()
endfunction()

function(embed_script name)
  set(modules)
  foreach(module ${ARGN})
    list(APPEND modules "${FOLDER}/${module}.js")
  endforeach()
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E cat "${OUTPUT}.begin.js" ${modules} "${OUTPUT}.end.js"
    OUTPUT_FILE "${OUTPUT}.js" COMMAND_ERROR_IS_FATAL ANY)
  check_names(${name} "${OUTPUT}.js")
  file(READ "${OUTPUT}.js" text)
  strip_script(text)
  file(WRITE "${OUTPUT}.js" "${text}")
  embed(${name} "${OUTPUT}.js")
endfunction()

file(WRITE "${OUTPUT}.new"
  "/* Made by cmake/embed.cmake from viz/page. */\n#include \"viz/page/report.h\"\n\n")
file(WRITE "${OUTPUT}.begin.js" "(function () {\n'use strict';\n\n")
file(WRITE "${OUTPUT}.end.js" "})();\n")
embed(page "${FOLDER}/page.html")
embed_style(page_style content shell)
# One module a line, in the order in which they need each other; first those of both pages.
set(both
  data
  picture
  region
  panel
  input
  drawn
  gestures
  theme
  light
  tables
  panels
  shell
  levels
  minimap
  crumbs
  help)
embed_script(served_script
  ${both}
  served/server
  served/state
  served/fields
  served/records
  served/changes
  served/part
  served/drawers
  served/views
  served/found
  served/zoom
  served/motion
  served/said
  served/ruler
  served/timed
  served/charts
  served/statistics
  served/matrix
  served/compare
  served/lists
  served/durations
  served/spatial
  served/notes
  served/pins
  served/sql
  served/save
  served/options
  served/legend
  served/fold
  served/tree
  served/spoken
  served/palette
  served/keys
  served/begin)
embed_compressed(served_compressed "${OUTPUT}.js")
embed_script(report_script
  ${both}
  stretch
  enlarge
  report)
file(SHA256 "${OUTPUT}.js" digest)
file(APPEND "${OUTPUT}.new" "const char oc_report_script_digest[] = \"${digest}\";\n")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
