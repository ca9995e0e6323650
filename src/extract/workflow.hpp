// Scripts in workflows of GitHub.
#pragma once

#include <vector>

#include "extract/excerpt.hpp"
#include "extract/given_names.hpp"

namespace flexslice::extract {

// `jobs.*.steps[*].run` of a document with `on` and `jobs`; of others nothing.
std::vector<Excerpt> workflow_steps(const Excerpt& document, const GivenNames& given);

}  // namespace flexslice::extract
