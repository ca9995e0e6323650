// Init containers and sidecars, which the spec has as Kubernetes has them. Private to plan/.
#pragma once

#include "plan/steps.hpp"

namespace flexslice::plan {

// Name and image of each, names that differ, and no second container with chips.
void check_containers(const Context& context);

}  // namespace flexslice::plan
