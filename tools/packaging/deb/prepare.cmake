# cpack runs this on the tree that goes into the Debian package: what Debian wants otherwise than an ordinary installation has it.
file(GLOB root LIST_DIRECTORIES true ${CPACK_TEMPORARY_DIRECTORY}/*/usr)
list(LENGTH root count)
if(NOT count EQUAL 1)
  message(FATAL_ERROR "one tree is to be packed, not: ${root}")
endif()
set(doc ${root}/share/doc/flexslice)

# The licence is on every Debian system, and `copyright` names it.
file(REMOVE ${doc}/LICENSE)

if(EXISTS ${root}/share/zsh/site-functions)
  file(RENAME ${root}/share/zsh/site-functions ${root}/share/zsh/vendor-completions)
endif()

file(COPY_FILE ${CMAKE_CURRENT_LIST_DIR}/lintian-overrides ${root}/lintian-overrides)
file(MAKE_DIRECTORY ${root}/share/lintian/overrides)
file(RENAME ${root}/lintian-overrides ${root}/share/lintian/overrides/flexslice)

configure_file(${CMAKE_CURRENT_LIST_DIR}/changelog.in ${doc}/changelog @ONLY)
file(GLOB_RECURSE pages ${root}/share/man/*)
execute_process(COMMAND gzip --best --no-name ${doc}/changelog ${pages} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CPACK_FLEXSLICE_STRIP} --remove-section=.comment --remove-section=.note ${root}/bin/flexslice COMMAND_ERROR_IS_FATAL ANY)
