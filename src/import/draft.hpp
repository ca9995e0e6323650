// The first spec of a workload, which says all that the language has fields for; synthesis.cpp
// leaves out what is derived.
#pragma once

#include <string>
#include <vector>

#include "import/match.hpp"

namespace flexslice::imports {

struct Draft {
  yaml::Value spec;
  std::vector<std::string> todo;  // required facts that the input lacks, in words
};

Draft draft(const FoundWorkload& workload, const Parts& parts, const Material& input,
            const catalog::Catalog& catalog);

// Labels, annotations, tolerations and node labels that the object has and the compiled one lacks.
void add_missing(const FoundWorkload& workload, const FoundWorkload& compiled, yaml::Value& spec);

}  // namespace flexslice::imports
