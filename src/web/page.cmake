# The page: the program as WebAssembly in a script, and the files beside it.
# Names are not mangled by closure, and nothing is evaluated, as the page's policy demands.
add_executable(engine src/web/main.cpp src/web/answer.cpp)
target_link_libraries(engine PRIVATE flexslice_core ${FLEXSLICE_YAML_CPP})
target_link_options(engine PRIVATE -sSINGLE_FILE -sMODULARIZE -sEXPORT_NAME=createEngine -sENVIRONMENT=worker,node -sFILESYSTEM=0
  -sDYNAMIC_EXECUTION=0 -sALLOW_MEMORY_GROWTH -sMAXIMUM_MEMORY=1GB -sEXPORTED_FUNCTIONS=_malloc,_free -sEXPORTED_RUNTIME_METHODS=UTF8ToString
  --no-entry)
