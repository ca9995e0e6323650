// Scripts in workflows of GitHub.
#pragma once

#include <vector>

#include "extract/excerpt.hpp"

namespace flexslice::extract {

// `jobs.*.steps[*].run` of a document with `on` and `jobs`; of others nothing.
std::vector<Excerpt> workflow_steps(const Excerpt& document);

}  // namespace flexslice::extract
