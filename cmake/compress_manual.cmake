# Debian wants the pages of the manual compressed; run by cpack on what it has staged.
file(GLOB_RECURSE pages ${CPACK_TEMPORARY_DIRECTORY}/*/ocelotl-cli*.1)
foreach(page ${pages})
  execute_process(COMMAND gzip -9nf ${page} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
