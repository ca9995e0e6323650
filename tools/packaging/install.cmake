# `cmake --install` installs two components:
#   program      the program, its man page and completions, schema, catalog and templates as data, documentation, licences
#   development  the library: one header, one archive, the CMake package `flexslice`
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(FLEXSLICE_ZSH_DIR ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING "Where zsh finds completions, below the prefix")
set(FLEXSLICE_DATA_DIR ${CMAKE_INSTALL_DATADIR}/flexslice)

install(TARGETS flexslice RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
install(FILES schemas/flexslice.schema.json schemas/plan.schema.json schemas/findings.schema.json DESTINATION ${FLEXSLICE_DATA_DIR} COMPONENT program)
install(DIRECTORY templates DESTINATION ${FLEXSLICE_DATA_DIR} COMPONENT program FILES_MATCHING PATTERN *.yaml PATTERN *.sh)
install(DIRECTORY src/catalog/data/ DESTINATION ${FLEXSLICE_DATA_DIR}/catalog COMPONENT program FILES_MATCHING PATTERN *.yaml)
install(FILES README.md INSTALL.md LICENSE tools/packaging/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
# README.md and examples link to these places.
install(FILES problem-matcher.json DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(DIRECTORY skills DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program)
install(FILES schemas/fields.md schemas/findings.schema.json DESTINATION ${CMAKE_INSTALL_DOCDIR}/schemas COMPONENT program)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT program
  PATTERN krm.sh PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)  # kustomize starts it

# The built program prints these itself.
function(flexslice_print output)
  set(file ${CMAKE_CURRENT_BINARY_DIR}/packaging/${output})
  cmake_parse_arguments(PARSE_ARGV 1 print "" "DESTINATION" "COMMAND")
  add_custom_command(OUTPUT ${file} COMMAND flexslice ${print_COMMAND} > ${file} DEPENDS flexslice VERBATIM)
  set_property(GLOBAL APPEND PROPERTY flexslice_printed ${file})
  install(FILES ${file} DESTINATION ${print_DESTINATION} COMPONENT program)
endfunction()
file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/packaging)
flexslice_print(flexslice.1 COMMAND man DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
flexslice_print(flexslice COMMAND completion bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
flexslice_print(_flexslice COMMAND completion zsh DESTINATION ${FLEXSLICE_ZSH_DIR})
flexslice_print(flexslice.fish COMMAND completion fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
get_property(printed GLOBAL PROPERTY flexslice_printed)
add_custom_target(flexslice-printed ALL DEPENDS ${printed})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/flexslice)
set_target_properties(flexslice_core PROPERTIES EXPORT_NAME core)
target_include_directories(flexslice_core INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(flexslice_core INTERFACE cxx_std_20)
install(TARGETS flexslice_core EXPORT flexslice ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(FILES src/flexslice.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/flexslice COMPONENT development)
install(EXPORT flexslice NAMESPACE flexslice:: FILE flexsliceTargets.cmake DESTINATION ${package_dir} COMPONENT development)
configure_package_config_file(tools/packaging/flexsliceConfig.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/flexsliceConfig.cmake
  INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/flexsliceConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/flexsliceConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/flexsliceConfigVersion.cmake
  DESTINATION ${package_dir} COMPONENT development)

include(${CMAKE_CURRENT_LIST_DIR}/package.cmake)
