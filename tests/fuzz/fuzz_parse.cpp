// Any bytes: the reader gives a tree or says why not, within its limits, and every place lies
// inside of the text.
#include "support.hpp"
#include "yaml/parse.hpp"

namespace {

using namespace flexslice;
using fuzz::require;

// Returns the number of nodes.
std::size_t check_tree(const Sources& sources, const yaml::Node& node, std::size_t depth) {
  require(
      node.span.begin <= node.span.end && node.span.end <= sources[node.span.source].text.size(),
      "a node lies inside of its source");
  require(depth <= yaml::max_depth + 1, "trees are not deeper than the limit");
  require(fuzz::is_utf8(node.text), "values are UTF-8", node.text);
  std::size_t count = 1;
  for (const yaml::Node& item : node.items) count += check_tree(sources, item, depth + 1);
  for (const yaml::Member& member : node.members) {
    count +=
        check_tree(sources, member.key, depth + 1) + check_tree(sources, member.value, depth + 1);
  }
  return count;
}

void check_document(std::string_view name, std::string_view text, int first_line) {
  Sources sources;
  sources.add({std::string(name), std::string(text), first_line});
  diag::Sink sink;
  const auto node = yaml::parse(sources, 0, sink);
  require(node.has_value() || sink.errors() > 0, "what cannot be read has an error", text);
  if (node)
    require(check_tree(sources, *node, 0) <= yaml::max_nodes,
            "trees are not larger than the limit");
  fuzz::check_findings(sources, sink.take());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check_document("whole", text, 1);
  std::size_t covered = 0;
  for (const yaml::Document& document : yaml::split_documents(text)) {
    require(document.text.data() >= text.data() + covered,
            "documents are in order and do not overlap");
    covered = static_cast<std::size_t>(document.text.data() - text.data()) + document.text.size();
    require(covered <= text.size(), "documents are slices of the stream");
    check_document("piece", document.text, document.first_line);
  }
  return 0;
}
