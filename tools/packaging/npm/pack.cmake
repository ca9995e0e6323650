# Makes OUT/flexslice-VERSION.tgz of a build tree: the static program itself as the command, so that no Node.js is between the shell
# and the compiler. `npm pack` writes the file; it needs no network.
#   cmake -D BUILD=DIR -D PACKAGE_JSON=FILE -D OUT=DIR -P pack.cmake
set(tree ${BUILD}/npm/tree)
set(package ${BUILD}/npm/package)
file(REMOVE_RECURSE ${tree} ${package})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --component program --strip --prefix ${tree}
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

set(doc ${tree}/share/doc/flexslice)
file(COPY ${PACKAGE_JSON} ${doc}/README.md ${doc}/INSTALL.md ${doc}/problem-matcher.json ${doc}/LICENSE ${doc}/copyright ${doc}/schemas ${doc}/examples
  ${tree}/share/flexslice/flexslice.schema.json ${tree}/share/flexslice/plan.schema.json ${tree}/share/flexslice/findings.schema.json DESTINATION ${package})
file(COPY ${tree}/bin/flexslice DESTINATION ${package}/bin)
file(COPY ${tree}/share/man/man1/flexslice.1 DESTINATION ${package}/man)
file(COPY ${tree}/share/bash-completion/completions/flexslice ${tree}/share/zsh/site-functions/_flexslice
  ${tree}/share/fish/vendor_completions.d/flexslice.fish DESTINATION ${package}/completions)

find_program(NPM npm REQUIRED)
file(MAKE_DIRECTORY ${OUT})
execute_process(COMMAND ${CMAKE_COMMAND} -E env npm_config_update_notifier=false ${NPM} pack --offline --silent --pack-destination ${OUT}
  WORKING_DIRECTORY ${package} COMMAND_ERROR_IS_FATAL ANY)
