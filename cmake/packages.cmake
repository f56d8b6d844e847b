# Debian packages, by `cpack -G DEB` in a build for /usr (scripts/packages.sh): the library by its
# SOVERSION, what programs are built with, the program, and the Python package.
set(OCELOTL_LIBRARY_PACKAGE libocelotl${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

set(CPACK_PACKAGE_NAME ocelotl)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The Ocelotl authors <ocelotl@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "overviews of execution traces")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_RELOCATABLE OFF)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL library development tools documentation)
if(OCELOTL_PYTHON)
  list(APPEND CPACK_COMPONENTS_ALL python)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)

# package(COMPONENT NAME SECTION SUMMARY TEXT DEPENDS): describes a component to Debian.
function(package component name section summary text)
  string(TOUPPER ${component} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name} PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section} PARENT_SCOPE)
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${summary}\n${text}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${ARGN}" PARENT_SCOPE)
  foreach(file copyright changelog.gz)
    install(FILES ${PROJECT_BINARY_DIR}/package/${file} COMPONENT ${component}
      DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${name} EXCLUDE_FROM_ALL)
  endforeach()
endfunction()

set(same_version "${OCELOTL_LIBRARY_PACKAGE} (= ${PROJECT_VERSION})")
set(what "Ocelotl cuts an execution trace into parts that behave alike.")
package(library ${OCELOTL_LIBRARY_PACKAGE} libs "overviews of execution traces (library)"
  "${what}\nIt draws them over time and resources.")
# What pkg-config asks for, and what the archive is linked with.
set(built_on libsqlite3-dev libzstd-dev zlib1g-dev)
if(OCELOTL_VIZ)
  list(APPEND built_on libcairo2-dev libfontconfig-dev libpng-dev)
endif()
if(LZMA_FOUND)
  list(APPEND built_on liblzma-dev)
endif()
if(BZIP2_FOUND)
  list(APPEND built_on libbz2-dev)
endif()
if(otf2 IN_LIST OCELOTL_BUILT_FORMATS)
  list(APPEND built_on libopen-trace-format2-dev)
endif()
list(JOIN built_on ", " built_on)
package(development libocelotl-dev libdevel "overviews of execution traces (headers)"
  "${what}\nThese files are what programs that use the library are built with."
  "${same_version}, ${built_on}")
package(tools ocelotl-tools science "overviews of execution traces (program)"
  "${what}\nThe program ocelotl-cli draws and lists them." "${same_version}")
package(documentation ocelotl-doc doc "overviews of execution traces (documentation)"
  "${what}\nThese are its pages, with examples." "")
set(CPACK_DEBIAN_DOCUMENTATION_PACKAGE_ARCHITECTURE all)
if(OCELOTL_PYTHON)
  package(python python3-ocelotl python "overviews of execution traces (Python 3)"
    "${what}\nThis package asks the library from Python."
    "${same_version}, python3 (>= 3.9), python3-cffi-backend")
endif()
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
file(WRITE ${PROJECT_BINARY_DIR}/package/triggers "activate-noawait ldconfig\n")
foreach(component LIBRARY TOOLS)
  set(CPACK_DEBIAN_${component}_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/package/triggers)
endforeach()

# Debian wants the licence and the history of each package.
configure_file(${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_BINARY_DIR}/package/copyright COPYONLY)
file(WRITE ${PROJECT_BINARY_DIR}/package/changelog
  "ocelotl (${PROJECT_VERSION}) unstable; urgency=low

  * Version ${PROJECT_VERSION}; NEWS.md says what is new.

 -- ${CPACK_PACKAGE_CONTACT}  Sun, 01 Nov 2026 00:00:00 +0000
")
find_program(GZIP gzip)
if(GZIP)
  set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/compress_manual.cmake)
  execute_process(COMMAND ${GZIP} -9nkf ${PROJECT_BINARY_DIR}/package/changelog)
endif()

# Installed as Debian's own modules are.
if(OCELOTL_PYTHON)
  install(CODE "
    file(REMOVE_RECURSE ${PROJECT_BINARY_DIR}/python)
    execute_process(COMMAND ${CMAKE_COMMAND} -E copy_directory ${PROJECT_SOURCE_DIR}/python
      ${PROJECT_BINARY_DIR}/python/python)
    execute_process(COMMAND ${CMAKE_COMMAND} -E copy_directory ${PROJECT_SOURCE_DIR}/include
      ${PROJECT_BINARY_DIR}/python/include)
    execute_process(WORKING_DIRECTORY ${PROJECT_BINARY_DIR}/python/python
      COMMAND ${CMAKE_COMMAND} -E env OCELOTL_LIBRARY=${PROJECT_BINARY_DIR}
        DEB_PYTHON_INSTALL_LAYOUT=deb LDFLAGS=-s /usr/bin/python3 setup.py -q install
        --root=\$ENV{DESTDIR}/ --prefix=/usr --install-layout=deb --no-compile
        --single-version-externally-managed
      COMMAND_ERROR_IS_FATAL ANY)
  " COMPONENT python EXCLUDE_FROM_ALL)
endif()

set(CPACK_SOURCE_GENERATOR TGZ)
include(CPack)
