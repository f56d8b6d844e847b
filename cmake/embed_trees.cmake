# Turns trees of types into C arrays, so that the library needs no file beside it:
#   cmake -DFILES="mpi.txt;cuda.txt" -DOUTPUT=type_trees.c -P embed_trees.cmake
include(${CMAKE_CURRENT_LIST_DIR}/octets.cmake)
file(WRITE "${OUTPUT}.new" "/* Made by cmake/embed_trees.cmake from engine/types/trees. */\n")
foreach(file ${FILES})
  get_filename_component(name "${file}" NAME_WE)
  embed(${name}_tree "${file}")
endforeach()
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
