// The plan in words: `flexslice explain SPEC` prints it.
#pragma once

#include <span>
#include <string>

#include "catalog/catalog.hpp"
#include "explain/layout.hpp"
#include "plan/plan.hpp"
#include "plan/prerequisites.hpp"
#include "yaml/value.hpp"

namespace flexslice::explain {

// The back ends made these of the plan, each in the order in which it is applied, and say what they
// need.
struct Made {
  const yaml::Value& provision;  // the steps of the script
  std::span<const yaml::Value> queues;
  std::span<const yaml::Value> objects;
  const plan::Needed& needed;
  std::span<const diag::Diagnostic> placement;  // of the sets of pods
};

// Every derived value with its reason, what is created in which order and what else is needed,
// pods, node lifetime, quota, cost, sources.
std::string plan_text(const plan::Plan& plan, const catalog::Catalog& catalog, const Made& made);

// Adds the section about what has to be there before.
void add_needed(const plan::Plan& plan, const plan::Needed& needed, explain::Sheet& sheet);

}  // namespace flexslice::explain
