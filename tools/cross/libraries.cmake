# The libraries for another machine, a browser or node, compiled from Debian's source packages: what Debian installs is for this machine.
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

# These are only headers, the same for every machine, which the system has installed among its own.
foreach(header cxxopts.hpp nlohmann)
  find_path(${header}_folder ${header} PATHS /usr/include NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  file(COPY ${${header}_folder}/${header} DESTINATION ${sources}/headers)
endforeach()
foreach(library cxxopts::cxxopts nlohmann_json::nlohmann_json)
  add_library(${library} INTERFACE IMPORTED)
  target_include_directories(${library} SYSTEM INTERFACE ${sources}/headers)
endforeach()

if(EMSCRIPTEN)
  add_library(Threads::Threads INTERFACE IMPORTED)
  # Before the headers of emscripten, which includes them.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-isystem${CMAKE_CURRENT_SOURCE_DIR}/src/web/library>)
else()
  find_package(Threads REQUIRED)
endif()
