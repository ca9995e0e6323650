# `cpack` makes a Debian package of the component `program`. `cmake --build … --target package` does
# the same.
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
set(CPACK_FLEXSLICE_STRIP ${CMAKE_STRIP})
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_COMPONENTS_ALL program)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE arm64)
endif()
# The static program needs nothing; the other one what dpkg-shlibdeps finds.
if(NOT FLEXSLICE_STATIC)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
endif()
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_SOURCE_DIR}/tools/packaging/deb/prepare.cmake)
include(CPack)

# The npm packages: tools/packaging/npm/pack.cmake reads the name of the processor, as npm calls it.
if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  set(cpus x86_64=x64 aarch64=arm64)
  list(FILTER cpus INCLUDE REGEX "^${CMAKE_SYSTEM_PROCESSOR}=")
  string(REGEX REPLACE ".*=" "" FLEXSLICE_CPU "${cpus}")
  set(FLEXSLICE_CPU "${FLEXSLICE_CPU}" CACHE INTERNAL "The processor in the names of npm packages")
endif()
