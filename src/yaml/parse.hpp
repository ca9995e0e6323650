// Reads YAML. parse.cpp is the only file that includes yaml-cpp; its exceptions end there.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "base/source.hpp"
#include "diag/diag.hpp"
#include "yaml/node.hpp"

namespace flexslice::yaml {

// Limits that keep time and memory bounded for hostile input.
inline constexpr std::size_t max_depth = 64;
inline constexpr std::size_t max_nodes = 100'000;  // after aliases are expanded
// The limit is for one document; the reader takes up to 240 times that.
inline constexpr std::size_t max_document_bytes = 1u << 20;

// kubectl accepts these, and specs may not have them.
struct Leniency {
  // `<<` is resolved as kubectl does, in the order of the keys: it replaces those before it, and
  // those after it replace its own. What is merged keeps its places.
  bool merge_keys = false;
  // If a key is given twice, the last value counts, and it is an error only if kubectl reads it as
  // another one.
  bool last_wins = false;
};

// The first document of sources[index]; the caller has cut streams at their markers. An empty
// document (blank or only comments) is a node of kind null. Nothing when the text is not readable
// YAML or uses what is not supported; the sink then has at least one error (1xxx). A key that is
// given twice is an error too, but the tree is there, with one value of the key.
std::optional<Node> parse(const Sources& sources, std::uint32_t index, diag::Sink& sink,
                          Leniency leniency = {});

// One document of a stream. `text` begins with its `---` line, if it has one, and ends before the
// next.
struct Document {
  std::string_view text;
  int first_line = 1;  // of `text` in the stream
};

// Cuts JSON objects that follow each other, and else before lines that begin with `---` followed by
// a blank or the line's end; such a line is a marker wherever it is. A document of blanks, comments
// and `%YAML` lines alone is left out, unless it is the only one.
std::vector<Document> split_documents(std::string_view stream);

}  // namespace flexslice::yaml
