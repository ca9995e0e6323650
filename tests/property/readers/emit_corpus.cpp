// Writes a corpus of hostile strings and trees twice: as YAML and as JSON. compare_readers.py holds
// other readers against it.
//   emit_corpus COUNT YAML_FILE JSON_FILE
#include <fstream>
#include <iostream>

#include "base/text.hpp"
#include "hostile.hpp"
#include "yaml/emit.hpp"

using namespace flexslice;

int main(int argc, char** argv) {
  const auto count = argc == 4 ? text::whole_number(argv[1]) : std::nullopt;
  if (!count) {
    std::cerr << "usage: emit_corpus COUNT YAML_FILE JSON_FILE\n";
    return 2;
  }
  hostile::Random random(20240817);
  yaml::Value corpus;
  for (const std::string& text : hostile::strings()) {
    corpus["chosen"].push(yaml::Value::string(text));
    corpus["keys"][text] = yaml::Value::string(text);
  }
  for (std::int64_t i = 0; i < *count; ++i)
    corpus["strings"].push(yaml::Value::string(hostile::string(random)));
  for (std::int64_t i = 0; i < *count / 10; ++i) corpus["trees"].push(hostile::tree(random, 4));
  std::ofstream(argv[2], std::ios::binary) << yaml::emit(corpus, {});
  std::ofstream(argv[3], std::ios::binary) << yaml::emit_json(corpus);
  return 0;
}
