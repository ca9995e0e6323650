// One slice as a Job; on several hosts with the headless Service that lets its pods find one another.
#include "lower/kinds.hpp"

namespace flexslice::lower {

std::vector<yaml::Value> lower_job(const Inputs& inputs) {
  std::vector<yaml::Value> objects;
  if (!inputs.plan.workload.service.empty()) objects.push_back(expand(inputs, "kubernetes/service"));
  objects.push_back(expand(inputs, "kubernetes/job"));
  return objects;
}

}  // namespace flexslice::lower
