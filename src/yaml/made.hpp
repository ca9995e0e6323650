// Makes nodes that nobody wrote as YAML: what a command, a script or another format says.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/source.hpp"
#include "yaml/node.hpp"

namespace flexslice::yaml {

Node string_at(std::string_view text, Span where = {});  // a string, also if it looks like a number
Node plain_at(std::string_view text, Span where = {});   // of the type that its text has
Node list_at(Span where = {}, std::vector<Node> items = {});
Node mapping_at(Span where = {});

// Returns the value of that key, which it adds at the end where there is none. `node` becomes a
// mapping. New keys and values have the place `where`.
Node& member_at(Node& node, std::string_view key, Span where = {});

}  // namespace flexslice::yaml
