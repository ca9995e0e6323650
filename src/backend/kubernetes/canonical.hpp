// The form in which the API server stores an object, so that a second `kubectl apply` changes
// nothing. driver calls it on objects to which all patches are applied.
#pragma once

#include "yaml/value.hpp"

namespace flexslice::kubernetes {

// Quantities become strings in canonical form, with what was written as the comment; empty values
// that mean the default go; in the lists of a JobSet defaults are written out.
void make_canonical(yaml::Value& object);

}  // namespace flexslice::kubernetes
