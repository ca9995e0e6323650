// Scripts in workflows of GitHub.
#pragma once

#include <vector>

#include "read/excerpt.hpp"

namespace flexslice::read {

// `jobs.*.steps[*].run` of a document with `on` and `jobs`; of others nothing.
std::vector<Excerpt> steps(const Excerpt& document);

}  // namespace flexslice::read
