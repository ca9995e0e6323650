// The least merge patches that turn a compiled object into that of the input. import.cpp calls it.
#pragma once

#include <vector>

#include "import/compare.hpp"

namespace flexslice::imports {

// Whether a patch may make the difference: it must not touch what the plan derives, and names are
// the compiler's.
bool can_be_patched(const Difference& difference);

// The items of `patches` for one object. `several`: there are more objects of its kind.
std::vector<yaml::Value> patches_for(const yaml::Value& compiled,
                                     const std::vector<Difference>& differences, bool several);

}  // namespace flexslice::imports
