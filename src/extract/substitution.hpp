// `${NAME}` in a manifest, as Flux replaces it before it applies the manifest.
#pragma once

#include <map>
#include <set>
#include <string>

#include "yaml/node.hpp"

namespace flexslice::extract {

struct Substitution {
  std::set<std::string> used;  // names that have a value
  std::set<std::string> lost;  // names that have none, and become empty text
  bool is_open = false;        // it has forms that are not read
};

// A scalar that is one `${NAME}` gets the type of its value, since Flux writes it without quotes.
Substitution substitute(yaml::Node& tree, const std::map<std::string, std::string>& values);

}  // namespace flexslice::extract
