// The function that the page's worker calls. Only the web build compiles this file.
#include <emscripten.h>

#include <exception>

#include "web/answer.hpp"

// `task`: `import`, or what web::answer is to emit. The answer is valid until the next call.
extern "C" EMSCRIPTEN_KEEPALIVE const char* flexslice_answer(const char* text, std::size_t size,
                                                             const char* task) {
  using namespace flexslice::web;
  static std::string result;
  const std::string_view input(text, size), word(task);
  try {
    result = word == "import" ? imported(input) : answer(input, word);
  } catch (const std::exception&) {
    result = R"({"failure":true})";
  }
  return result.c_str();
}
