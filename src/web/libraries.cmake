# The libraries of the page, compiled from Debian's source packages: what Debian installs is for the machine, not for a browser.
set(sources ${CMAKE_CURRENT_BINARY_DIR}/libraries)
if(NOT EXISTS ${sources}/complete)
  message(STATUS "Fetching the sources of libraries (apt-get source)")
  execute_process(COMMAND ${CMAKE_CURRENT_LIST_DIR}/fetch_libraries.sh ${sources} COMMAND_ERROR_IS_FATAL ANY)
endif()

file(GLOB yaml_cpp_sources ${sources}/yaml-cpp/src/*.cpp)
add_library(yaml-cpp STATIC ${yaml_cpp_sources})
target_include_directories(yaml-cpp SYSTEM PUBLIC ${sources}/yaml-cpp/include)
target_compile_options(yaml-cpp PRIVATE -Os -w)

add_library(fmt::fmt INTERFACE IMPORTED)
target_include_directories(fmt::fmt INTERFACE ${sources}/fmtlib/include)

# Before the headers of emscripten, which includes them.
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-isystem${CMAKE_CURRENT_LIST_DIR}/library>)
