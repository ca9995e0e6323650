// The plan in words: `flexslice explain SPEC` prints it.
#pragma once

#include <span>
#include <string>

#include "catalog/catalog.hpp"
#include "layout/layout.hpp"
#include "plan/plan.hpp"
#include "yaml/value.hpp"

namespace flexslice::explain {

// What the back ends made of the plan, each in the order in which it is applied.
struct Made {
  const yaml::Value& provision;  // the steps of the script
  std::span<const yaml::Value> queues;
  std::span<const yaml::Value> objects;
};

// Every derived value with its reason, what is created in which order and what else is needed,
// pods, node lifetime, quota, cost, sources.
std::string plan_text(const plan::Plan& plan, const catalog::Catalog& catalog, const Made& made);

// Adds the section of needed.cpp: what a workload refers to and nothing here creates, so that it
// has to be in the cluster or the project before the manifests are applied.
void add_needed(const plan::Plan& plan, const catalog::Catalog& catalog, const Made& made,
                layout::Sheet& sheet);

}  // namespace flexslice::explain
