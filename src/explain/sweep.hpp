// The points of a sweep with their chips and cost: `flexslice explain` prints it above the plan of
// the first one.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "plan/plan.hpp"

namespace flexslice::explain {

struct SweepRow {
  const plan::Plan& plan;
  std::string_view values;  // `LR=0.1, topology=4x8`
};

std::string sweep_text(std::string_view name, std::span<const SweepRow> points);

}  // namespace flexslice::explain
