// One side of a comparison of specs: what they compile to, with the Kueue objects that they share.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "change/change.hpp"
#include "driver/run.hpp"

namespace flexslice {

struct SpecSide {
  change::Side compared;
  std::map<std::string, Compiled> compiled;                // by the keys of `compared`
  std::map<std::string, std::vector<yaml::Value>> queues;  // by cluster
};

// Each spec of a side is compiled with these.
CompileOptions side_options();

// Adds the specs of a document, which are compiled and have no error. `document`: its tree with the
// layers, and `name`: of its file.
void add_specs(SpecSide& side, std::vector<Compiled> specs, const yaml::Value& document,
               const std::string& name);

// Adds the objects of all queues, after the last specs.
void add_queue_objects(SpecSide& side, const templates::Set& templates);

}  // namespace flexslice
