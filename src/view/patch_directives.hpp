// Strategic merge patches, which kustomize and kubectl merge into objects: their directives are
// keys that no object has. They are taken off before a document is read.
#pragma once

#include <optional>

#include "yaml/node.hpp"

namespace flexslice::view {

// The document without directives such as `$patch: replace`, and without what `$patch: delete`
// deletes. Nothing where it has none, and is no patch.
std::optional<yaml::Node> without_directives(const yaml::Node& document);

}  // namespace flexslice::view
