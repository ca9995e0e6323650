// An object of the input as a spec can describe it: containers have the names that compile gives
// them, and containers without chips are sidecars. synthesis.cpp compares it with what is compiled.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "yaml/value.hpp"

namespace flexslice::imports {

// A view gives a container another name than the object, or makes it a sidecar.
struct RenamedContainer {
  std::string place;  // `spec.template.spec.containers[jax]`
  std::string old;    // `jax`
  std::string name;   // that it has now; empty: it is a sidecar now
  Span where = {};    // of the old one
};

struct ObjectView {
  yaml::Value object;
  std::vector<RenamedContainer> renamed;
};

// `name` is the workload's, `job` what compile calls the job of a JobSet that has the chips.
ObjectView view_of(yaml::Value object, std::string_view name, std::string_view job = {});

}  // namespace flexslice::imports
