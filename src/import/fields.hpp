// Which fields of a spec can be left out. synthesis.cpp calls it.
#pragma once

#include <vector>

#include "import/path.hpp"

namespace flexslice::imports {

// The fields of the spec that the compiler may derive; of `ports` each item.
std::vector<Path> derivable(const yaml::Value& spec);
// Whether what the compiler derives there follows from the shape of the slice.
bool depends_on_shape(const Path& path);
// The part of the path that a spec can do without when the compiler refuses what is there; empty:
// it needs it.
Path removable(const Path& path);

}  // namespace flexslice::imports
