# What `cpack` makes of the component `program`: a Debian package. `cmake --build … --target package` does the same.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME flexslice)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "compiler from small specs of TPU workloads to GKE scripts and manifests")
set(CPACK_PACKAGE_DESCRIPTION
"flexslice reads a small YAML spec of a TPU workload for Google Kubernetes
Engine and writes the bash scripts around gcloud that provide, check and
delete the nodes, and the Kubernetes YAML of the workload. It works offline
and explains every number it derives.")
set(CPACK_PACKAGE_CONTACT "The flexslice authors <flexslice@example.org>" CACHE STRING "Maintainer of the packages")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_COMPONENTS_ALL program)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
# The static program needs nothing; the other one what dpkg-shlibdeps finds.
if(NOT FLEXSLICE_STATIC)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_SOURCE_DIR}/tools/packaging/deb/prepare.cmake)
include(CPack)

# The npm package carries the program for the one platform that its package.json names.
if(FLEXSLICE_STATIC AND CMAKE_SYSTEM_NAME STREQUAL "Linux" AND CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  configure_file(tools/packaging/npm/package.json.in ${CMAKE_CURRENT_BINARY_DIR}/package.json @ONLY)
  add_custom_target(npm-package COMMAND ${CMAKE_COMMAND} -D BUILD=${CMAKE_CURRENT_BINARY_DIR}
      -D PACKAGE_JSON=${CMAKE_CURRENT_BINARY_DIR}/package.json -D OUT=${CMAKE_CURRENT_BINARY_DIR}
      -P ${CMAKE_CURRENT_SOURCE_DIR}/tools/packaging/npm/pack.cmake
    DEPENDS flexslice flexslice-printed VERBATIM)
endif()
