// Finds the fields of a spec that can be left out.
#pragma once

#include <vector>

#include "catalog/catalog.hpp"
#include "import/path.hpp"
#include "import/placeholders.hpp"

namespace flexslice::imports {

// The fields of the spec that the compiler may derive; of `ports` each item.
std::vector<Path> derivable(const yaml::Value& spec);
// The records that hold some of them and are in the spec.
std::vector<Path> derivable_records(const yaml::Value& spec);
// Leaves out the kind, the machine type and the zones where they follow from the rest of the spec.
void leave_out_decided(yaml::Value& spec, const catalog::Catalog& catalog, Placeholders& names);
// The part of the path that a spec can do without when the compiler refuses what is there; empty:
// it needs it.
Path removable(const Path& path);
}  // namespace flexslice::imports
