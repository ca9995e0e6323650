// The order of a spec's fields.
#pragma once

#include "yaml/value.hpp"

namespace flexslice::imports {

// Members in the order of the language's tables, at every level.
void put_in_order(yaml::Value& spec);

}  // namespace flexslice::imports
