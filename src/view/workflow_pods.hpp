// Pods of Argo's workflows, whose templates have one container instead of a list.
#pragma once

#include <optional>

#include "yaml/node.hpp"

namespace flexslice::view {

// The document with `containers` in each of its templates; nothing where it is not such a workflow.
std::optional<yaml::Node> with_containers(const yaml::Node& document);

}  // namespace flexslice::view
