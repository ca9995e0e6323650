# Makes two packages of a build tree: OUT/flexslice-linux-CPU-VERSION.tgz has its program; OUT/flexslice-VERSION.tgz has the launcher that
# chooses a program, the documentation, and the program for node if WASM names its folder. `npm pack` needs no network.
# REPOSITORY is the address by which npm proves where they were built.
#   cmake -D BUILD=DIR -D OUT=DIR [-D WASM=DIR] [-D REPOSITORY=URL] -P pack.cmake
foreach(pair VERSION=CMAKE_PROJECT_VERSION DESCRIPTION=CMAKE_PROJECT_DESCRIPTION CPU=FLEXSLICE_CPU)
  string(REPLACE "=" ";" pair ${pair})
  list(GET pair 0 variable)
  list(GET pair 1 entry)
  file(STRINGS ${BUILD}/CMakeCache.txt ${variable} REGEX "^${entry}:")
  string(REGEX REPLACE "^[^=]*=" "" ${variable} "${${variable}}")
endforeach()
if(NOT CPU)
  message(FATAL_ERROR "${BUILD} is not a build for Linux on x86-64 or Arm")
endif()
set(tree ${BUILD}/npm/tree)
set(package ${BUILD}/npm/package)
set(native ${BUILD}/npm/native)
file(REMOVE_RECURSE ${tree} ${package} ${native})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --component program --strip --prefix ${tree}
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
find_program(NPM npm REQUIRED)
file(MAKE_DIRECTORY ${OUT})

function(pack folder)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env npm_config_update_notifier=false ${NPM} pack --offline --silent --pack-destination ${OUT}
    WORKING_DIRECTORY ${folder} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(doc ${tree}/share/doc/flexslice)
file(COPY ${tree}/bin/flexslice DESTINATION ${native}/bin)
file(COPY ${doc}/LICENSE ${doc}/copyright DESTINATION ${native})
file(SIZE ${native}/bin/flexslice BYTES)
configure_file(${CMAKE_CURRENT_LIST_DIR}/native.json.in ${native}/package.json @ONLY)
pack(${native})

set(BYTES null)
if(WASM)
  file(COPY ${WASM}/program.js ${WASM}/program.wasm DESTINATION ${package}/program)
  file(SIZE ${WASM}/program.wasm BYTES)
endif()
file(COPY ${CMAKE_CURRENT_LIST_DIR}/../../../src/node/flexslice.js DESTINATION ${package}/program)
file(COPY ${doc}/README.md ${doc}/INSTALL.md ${doc}/problem-matcher.json ${doc}/LICENSE ${doc}/copyright ${doc}/schemas ${doc}/examples
  ${tree}/share/flexslice/flexslice.schema.json ${tree}/share/flexslice/plan.schema.json ${tree}/share/flexslice/findings.schema.json DESTINATION ${package})
file(COPY ${tree}/share/man/man1/flexslice.1 DESTINATION ${package}/man)
file(COPY ${tree}/share/bash-completion/completions/flexslice ${tree}/share/zsh/site-functions/_flexslice
  ${tree}/share/fish/vendor_completions.d/flexslice.fish DESTINATION ${package}/completions)
configure_file(${CMAKE_CURRENT_LIST_DIR}/package.json.in ${package}/package.json @ONLY)
pack(${package})
