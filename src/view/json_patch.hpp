// Patches in the form of RFC 6902, as the part of the object that they give.
#pragma once

#include <optional>

#include "yaml/node.hpp"

namespace flexslice::view {

// Returns nothing if the tree is not such a patch. Values have their places.
std::optional<yaml::Node> object_of_json_patch(const yaml::Node& tree);

}  // namespace flexslice::view
