// The places of a spec: clusters that may run it. Each is one more layer over the spec, laid on
// nodes, so that every value keeps the place where it was written.
#pragma once

#include <string>
#include <vector>

#include "diag/diag.hpp"
#include "spec/claims.hpp"
#include "yaml/node.hpp"

namespace flexslice::spec {

struct PlaceSpec {
  yaml::Node tree;  // the spec of the place; null where the place has an error
  Place claim;
};

// Other forms of `places` are mistakes, which decoding reports.
bool has_places(const yaml::Node& spec);

// The specs of all places, in order. `spec` has places.
std::vector<PlaceSpec> place_specs(yaml::Node spec, diag::Sink& sink);

}  // namespace flexslice::spec
