// The least patches that turn a compiled object into that of the input.
#pragma once

#include <vector>

#include "import/compare.hpp"

namespace flexslice::imports {

// Returns those differences of one object that patches may make.
std::vector<Difference> patchable(const std::vector<Difference>& differences);

// The items of `patches` for one object. `several`: there are more objects of its kind.
std::vector<yaml::Value> patches_for(const yaml::Value& compiled,
                                     const std::vector<Difference>& differences, bool several);

}  // namespace flexslice::imports
