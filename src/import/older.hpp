// The forms that earlier versions of compile gave what it makes, which mean what the present one
// means.
#pragma once

#include "yaml/value.hpp"

namespace flexslice::imports {

// Writes the terms that keep other Jobs off the node pool as compile does: by the label that the
// compiled pods have. What else the object says stays.
void write_terms_as_compiled(yaml::Value& object, const yaml::Value& compiled);

}  // namespace flexslice::imports
