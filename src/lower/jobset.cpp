// Several slices as a JobSet, which makes its own headless Service.
#include "lower/kinds.hpp"

namespace flexslice::lower {

std::vector<yaml::Value> lower_jobset(const Inputs& inputs) { return {expand(inputs, "kubernetes/jobset")}; }

}  // namespace flexslice::lower
