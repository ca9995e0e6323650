// Reads from a plan.json what its provision.sh created and cleanup.sh would delete. Nothing else
// remembers it once the plan is replaced or deleted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace flexslice::cli {

struct Creation {
  std::string what;      // "node pool `a` of cluster `b` in us-east5"
  std::string deletion;  // the gcloud command
  bool operator==(const Creation&) const = default;
};

// Empty for a text that is no plan. Pools come before the policies and the cluster that they use.
// `by_anyone`: also what Terraform or Config Connector create in place of provision.sh.
std::vector<Creation> created_by(std::string_view plan, bool by_anyone = false);

}  // namespace flexslice::cli
