// The user's merge patches on the generated objects. The one part behind resolve that can find a
// mistake of the user's: a patch that hits nothing, or that breaks what the plan derives. driver
// calls it between lower and emit.
#pragma once

#include <span>
#include <vector>

#include "diag/diag.hpp"
#include "plan/plan.hpp"
#include "yaml/value.hpp"

namespace flexslice::kubernetes {

// RFC 7386: mappings merge member by member, null deletes, anything else replaces. New members are
// added in alphabetical order, so that the order in the patch does not matter.
yaml::Value merge_patch(yaml::Value target, const yaml::Value& patch);

// Whether the patch is for that object.
bool is_target(const plan::Patch& patch, const yaml::Value& object);

// The objects with the patches on them, and no findings.
std::vector<yaml::Value> patched(std::vector<yaml::Value> objects,
                                 std::span<const plan::Patch> patches);

// Applies each patch, in order, to the objects of its kind (and name) in all lists. Findings are at
// the patch's own lines.
void apply_patches(std::span<const plan::Patch> patches,
                   std::initializer_list<std::vector<yaml::Value>*> lists, diag::Sink& sink);

}  // namespace flexslice::kubernetes
