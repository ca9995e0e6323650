// Reads lines of JSON, `[target, patch]`, and writes each merged as one YAML document: by the type
// of the target, if it is called with `strategic`. test_merge_patch.py and test_strategic_merge.py
// compare.
#include <iostream>
#include <string>
#include <string_view>

#include "schema/kubernetes_types.hpp"
#include "schema/merge.hpp"
#include "yaml/emit.hpp"
#include "yaml/parse.hpp"

int main(int count, char** arguments) {
  using namespace flexslice;
  const bool strategic = count > 1 && std::string_view(arguments[1]) == "strategic";
  for (std::string line; std::getline(std::cin, line);) {
    Sources sources;
    diag::Sink sink;
    const auto pair = yaml::parse(sources, sources.add({"case", line, 1}), sink);
    if (!pair || pair->items.size() != 2) return 1;
    const yaml::Value target = yaml::to_value(pair->items[0]);
    const schema::Type type{.category = schema::Category::record,
                            .table = strategic
                                         ? schema::kubernetes::find(target.text_at({"kind"}),
                                                                    target.text_at({"apiVersion"}))
                                         : nullptr};
    if (strategic && type.table == nullptr) return 1;
    const yaml::Value merged =
        schema::merge(target, yaml::to_value(pair->items[1]),
                      strategic ? schema::MergeRule{&type} : schema::MergeRule{});
    std::cout << "---\n" << yaml::emit(merged, {.comments = false});
  }
  return 0;
}
