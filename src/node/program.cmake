# The program as WebAssembly, for node: system.js is its operating system.
set(system ${CMAKE_CURRENT_LIST_DIR}/system.js)
target_sources(flexslice PRIVATE ${CMAKE_CURRENT_LIST_DIR}/system.cpp)
set_target_properties(flexslice PROPERTIES OUTPUT_NAME program SUFFIX .js RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/program
  LINK_DEPENDS ${system})
target_link_options(flexslice PRIVATE --js-library ${system} -sENVIRONMENT=node -sMODULARIZE -sEXPORT_NAME=startFlexslice -sFILESYSTEM=0
  -sDYNAMIC_EXECUTION=0 -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=2GB -sEXIT_RUNTIME -sNODEJS_CATCH_EXIT=0 -sNODEJS_CATCH_REJECTION=0
  -Wl,--wrap=strerror)
add_custom_command(TARGET flexslice POST_BUILD COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_CURRENT_LIST_DIR}/flexslice.js ${CMAKE_CURRENT_BINARY_DIR}/program VERBATIM)
