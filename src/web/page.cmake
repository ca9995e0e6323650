# The page: the program as WebAssembly inside of a script, and the files around it. No JavaScript is evaluated, as the page's policy demands.
set(page ${CMAKE_CURRENT_BINARY_DIR}/page)
add_executable(engine src/web/main.cpp src/web/answer.cpp)
set_target_properties(engine PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/engine)
target_link_libraries(engine PRIVATE flexslice_core ${FLEXSLICE_YAML_CPP})
target_link_options(engine PRIVATE -sMODULARIZE -sEXPORT_NAME=createEngine -sENVIRONMENT=worker,node -sFILESYSTEM=0
  -sDYNAMIC_EXECUTION=0 -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=1GB -sEXPORTED_FUNCTIONS=_malloc,_free -sEXPORTED_RUNTIME_METHODS=UTF8ToString
  --no-entry)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
add_custom_command(OUTPUT ${page}/engine.js
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/pack.py $<TARGET_FILE:engine> $<TARGET_FILE_DIR:engine>/engine.wasm ${page}/engine.js
  DEPENDS engine ${CMAKE_CURRENT_LIST_DIR}/pack.py VERBATIM)

# The page offers these in this order: the smallest examples first, then the others, then texts with
# mistakes.
set(offered "")
file(GLOB specs CONFIGURE_DEPENDS examples/*/spec.yaml)
foreach(name IN ITEMS multi-host single-host multislice)
  list(APPEND first ${CMAKE_SOURCE_DIR}/examples/${name}/spec.yaml)
endforeach()
list(REMOVE_ITEM specs ${first})
foreach(spec IN LISTS first specs)
  get_filename_component(folder ${spec} DIRECTORY)
  get_filename_component(name ${folder} NAME)
  list(APPEND offered ${name}=${spec})
endforeach()
file(GLOB samples CONFIGURE_DEPENDS src/web/samples/*)
foreach(sample IN LISTS samples)
  get_filename_component(name ${sample} NAME_WE)
  list(APPEND offered sample-${name}=${sample})
endforeach()
add_custom_command(OUTPUT ${page}/examples.js
  COMMAND ${CMAKE_COMMAND} "-DFILES=${offered}" -DOUT=${page}/examples.js -P ${CMAKE_CURRENT_LIST_DIR}/examples.cmake
  DEPENDS ${first} ${specs} ${samples} ${CMAKE_CURRENT_LIST_DIR}/examples.cmake VERBATIM)

set(copies ${page}/examples.js ${page}/engine.js)
file(GLOB page_files CONFIGURE_DEPENDS src/web/page/*)
foreach(file IN LISTS page_files)
  get_filename_component(name ${file} NAME)
  add_custom_command(OUTPUT ${page}/${name} COMMAND ${CMAKE_COMMAND} -E copy ${file} ${page}/${name} DEPENDS ${file} VERBATIM)
  list(APPEND copies ${page}/${name})
endforeach()
add_custom_target(page ALL DEPENDS ${copies})
