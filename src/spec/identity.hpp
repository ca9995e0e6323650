// Whether a document is a spec at all. driver asks before decoding.
#pragma once

#include "diag/diag.hpp"
#include "yaml/node.hpp"

namespace flexslice::spec {

// False, with one error in the sink, for an object of Kubernetes: what it lacks to be a spec would
// only be noise.
bool is_spec(const yaml::Node& document, diag::Sink& sink);

}  // namespace flexslice::spec
