// What a workload costs by the catalog's list prices. `build` calls it once; explain, plan.json,
// the budget and diff read the result. A price that no source gives stays unknown.
#pragma once

#include "plan/plan.hpp"
#include "resolve/facts.hpp"

namespace flexslice::plan {

// Of a plan whose cluster, TPUs and provisioning are built, and whose workload has its kind.
Cost cost(const resolve::Facts& facts, const Plan& plan);

}  // namespace flexslice::plan
