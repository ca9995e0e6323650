// Computes the cost of a workload by the catalog's list prices. A price that no source gives stays
// unknown.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "diag/diag.hpp"
#include "plan/plan.hpp"
#include "resolve/facts.hpp"

namespace flexslice::plan {

// With the model, of a plan whose cluster, TPUs and provisioning are built, and whose workload has
// its kind.
Cost cost(const resolve::Facts& facts, const Plan& plan, const catalog::Model& model);

// The most that the workload costs where GKE chooses between models: an hour with the dearest, or
// unknown where the price of one is; a run has no bound where one model has none.
Cost dearest(std::span<const ClassStep> steps);

// The cost with other claims; nothing: they are refused.
using Trial = std::function<std::optional<Cost>(const spec::Claims& claims)>;

// Reports a budget that the cost exceeds, with changes that are within it, or that it cannot be
// compared with.
void judge_budget(const resolve::Facts& facts, const Plan& plan, const Trial& trial,
                  diag::Sink& sink);

}  // namespace flexslice::plan
