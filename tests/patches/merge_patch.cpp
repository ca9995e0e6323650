// Reads lines of JSON, `[target, patch]`, and writes each merged as one YAML document.
// test_merge_patch.py compares.
#include <iostream>
#include <string>

#include "backend/kubernetes/patch.hpp"
#include "yaml/emit.hpp"
#include "yaml/parse.hpp"

int main() {
  using namespace flexslice;
  for (std::string line; std::getline(std::cin, line);) {
    Sources sources;
    diag::Sink sink;
    const auto pair = yaml::parse(sources, sources.add({"case", line, 1}), sink);
    if (!pair || pair->items.size() != 2) return 1;
    const yaml::Value merged =
        kubernetes::merge_patch(yaml::to_value(pair->items[0]), yaml::to_value(pair->items[1]));
    std::cout << "---\n" << yaml::emit(merged, {.comments = false});
  }
  return 0;
}
