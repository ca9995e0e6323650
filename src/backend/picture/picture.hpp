// The plan as a picture: an SVG of the chips of each slice, the hosts that have them, the node
// pools and zones around, and what the pods use outside. `compile --emit picture` prints it.
#pragma once

#include <span>
#include <string>

#include "plan/plan.hpp"
#include "yaml/value.hpp"

namespace flexslice::picture {

// `objects` are those of the manifests. At most 1,024 chips are drawn; more slices, or layers of a
// larger one, are counted in a line of text.
std::string svg(const plan::Plan& plan, std::span<const yaml::Value> objects);

}  // namespace flexslice::picture
