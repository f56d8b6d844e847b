# Which formats this build reads: those that OCELOTL_FORMATS names and whose library is here.
# OCELOTL_BUILT_FORMATS and OCELOTL_MISSING_FORMATS name them; the rows are importers/registry.c's.

# Of those that are as sure of a file the first reads it.
set(OCELOTL_BUILT_FORMATS paje csv paraver spark jfr firefox speedscope chrome gstreamer perf ftrace
  trace_dat ctf picl swf numa_maps heaptrack
  perf_stat spans nsys rocpd otf2 xplane perfetto)
set(OCELOTL_MISSING_FORMATS "")
set(OCELOTL_MISSING_ROWS "")
set(wanted ${OCELOTL_FORMATS})
if(wanted STREQUAL all)
  set(wanted ${OCELOTL_BUILT_FORMATS})
endif()
foreach(format ${wanted})
  if(NOT format IN_LIST OCELOTL_BUILT_FORMATS)
    list(JOIN OCELOTL_BUILT_FORMATS ", " known)
    message(FATAL_ERROR "OCELOTL_FORMATS: unknown format \"${format}\", expected all or some of: "
      "${known}")
  endif()
endforeach()

# leave_out(FORMAT ROW): says why a format is missing.
macro(leave_out format row)
  list(REMOVE_ITEM OCELOTL_BUILT_FORMATS ${format})
  list(APPEND OCELOTL_MISSING_FORMATS ${format})
  string(APPEND OCELOTL_MISSING_ROWS "${row} ")
endmacro()
foreach(format ${OCELOTL_BUILT_FORMATS})
  if(NOT format IN_LIST wanted AND NOT format STREQUAL csv)
    leave_out(${format} "LEFT_OUT(${format})")
  endif()
endforeach()

# The traces of ftrace are read by the code for those of perf, databases of rocpd by that for nsys.
foreach(format ftrace trace_dat)
  if(${format} IN_LIST OCELOTL_BUILT_FORMATS AND NOT perf IN_LIST OCELOTL_BUILT_FORMATS)
    leave_out(${format} "LEFT_OUT(${format})")
  endif()
endforeach()

if(rocpd IN_LIST OCELOTL_BUILT_FORMATS AND NOT nsys IN_LIST OCELOTL_BUILT_FORMATS)
  leave_out(rocpd "LEFT_OUT(rocpd)")
endif()

# Debian's package names no flags: the header and the library are looked for.
if(otf2 IN_LIST OCELOTL_BUILT_FORMATS)
  find_path(OTF2_INCLUDE_DIR otf2/OTF2_Pthread_Locks.h)
  find_library(OTF2_LIBRARY NAMES open-trace-format2 otf2)
  if(NOT OTF2_INCLUDE_DIR OR NOT OTF2_LIBRARY)
    message(STATUS
      "OTF2 is missing: its archives will not be read (Debian: libopen-trace-format2-dev)")
    leave_out(otf2 "UNFOUND(otf2, \"libopen-trace-format2-dev\")")
  endif()
endif()

list(TRANSFORM OCELOTL_BUILT_FORMATS REPLACE "(.+)" "READ(\\1)" OUTPUT_VARIABLE rows)
list(JOIN rows " " OCELOTL_BUILT_ROWS)
