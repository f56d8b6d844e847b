# Installs both libraries, the headers, the program, and the files by which pkg-config and CMake
# find them.
include(CMakePackageConfigHelpers)

set(OCELOTL_PACKAGE_DIRECTORY ${CMAKE_INSTALL_LIBDIR}/cmake/ocelotl)
set_target_properties(ocelotl_archive PROPERTIES EXPORT_NAME static)

# Two export sets: only users of the static library need its dependencies.
install(TARGETS ocelotl EXPORT ocelotl_shared
  LIBRARY COMPONENT library NAMELINK_COMPONENT development)
install(TARGETS ocelotl_archive EXPORT ocelotl_static ARCHIVE COMPONENT development)
install(TARGETS ocelotl-cli RUNTIME COMPONENT tools)
install(TARGETS ocelotl_sqlite LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT tools)
# Builds everything to install, without tests; `cmake --install` then builds nothing more.
add_custom_target(installed DEPENDS ocelotl ocelotl_archive ocelotl-cli ocelotl_sqlite)

# The man pages come from the program's help, where it runs.
if(NOT CMAKE_CROSSCOMPILING)
  add_custom_command(OUTPUT man/ocelotl-cli.1
    COMMAND ${PROJECT_SOURCE_DIR}/scripts/man.sh $<TARGET_FILE:ocelotl-cli>
      ${PROJECT_BINARY_DIR}/man
    DEPENDS ocelotl-cli scripts/man.sh)
  add_custom_target(manual ALL DEPENDS man/ocelotl-cli.1)
  add_dependencies(installed manual)
  install(DIRECTORY ${PROJECT_BINARY_DIR}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
    COMPONENT tools FILES_MATCHING PATTERN "*.1")
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ocelotl DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  COMPONENT development FILES_MATCHING PATTERN "*.h")
install(FILES ${PROJECT_SOURCE_DIR}/cli/completion/ocelotl-cli.bash
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME ocelotl-cli
  COMPONENT tools)
install(FILES ${PROJECT_SOURCE_DIR}/cli/completion/_ocelotl-cli
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT tools)
install(FILES ${PROJECT_SOURCE_DIR}/cli/completion/ocelotl-cli.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT tools)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR}
  COMPONENT license)
# Side by side as in the sources, so that their links hold.
install(FILES CITATION.cff CONTRIBUTING.md NEWS.md README.md SECURITY.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documentation)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs ${PROJECT_SOURCE_DIR}/examples
  DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documentation)

foreach(set shared static)
  install(EXPORT ocelotl_${set} NAMESPACE ocelotl:: FILE ocelotl-${set}.cmake
    DESTINATION ${OCELOTL_PACKAGE_DIRECTORY} COMPONENT development)
endforeach()
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/ocelotl-config.cmake.in
  ${PROJECT_BINARY_DIR}/package/ocelotl-config.cmake INSTALL_DESTINATION
    ${OCELOTL_PACKAGE_DIRECTORY})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/ocelotl-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/package/ocelotl-config.cmake
  ${PROJECT_BINARY_DIR}/package/ocelotl-config-version.cmake
  DESTINATION ${OCELOTL_PACKAGE_DIRECTORY} COMPONENT development)

set(OCELOTL_PC_CAIRO "")
if(OCELOTL_VIZ)
  set(OCELOTL_PC_CAIRO " cairo-ft fontconfig libpng")
endif()
set(OCELOTL_PC_LZMA "")
if(LZMA_FOUND)
  set(OCELOTL_PC_LZMA " liblzma")
endif()
set(OCELOTL_PC_BZIP2 "") # has no file for pkg-config
if(BZIP2_FOUND)
  set(OCELOTL_PC_BZIP2 " -lbz2")
endif()
set(OCELOTL_PC_OTF2 "") # nor has this
if(otf2 IN_LIST OCELOTL_BUILT_FORMATS)
  get_filename_component(otf2 ${OTF2_LIBRARY} NAME_WE)
  string(REGEX REPLACE "^lib" " -l" OCELOTL_PC_OTF2 ${otf2})
endif()

# The pkg-config file derives its prefix from its own place, so an installed tree can be moved.
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR} OR IS_ABSOLUTE ${CMAKE_INSTALL_INCLUDEDIR})
  set(OCELOTL_PC_PREFIX ${CMAKE_INSTALL_PREFIX})
  set(OCELOTL_PC_LIBDIR ${CMAKE_INSTALL_FULL_LIBDIR})
  set(OCELOTL_PC_INCLUDEDIR ${CMAKE_INSTALL_FULL_INCLUDEDIR})
else()
  file(RELATIVE_PATH upwards /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
  string(REGEX REPLACE "/$" "" OCELOTL_PC_PREFIX "\${pcfiledir}/${upwards}")
  set(OCELOTL_PC_LIBDIR "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
  set(OCELOTL_PC_INCLUDEDIR "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/ocelotl.pc.in ${PROJECT_BINARY_DIR}/package/ocelotl.pc
  @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/ocelotl.pc DESTINATION
  ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
