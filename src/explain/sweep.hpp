// The points of a sweep with their chips and cost: `flexslice explain` prints it above the plan of
// the first one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plan/plan.hpp"

namespace flexslice::explain {

struct SweepRow {
  const plan::Plan& plan;
  std::string_view values;  // `LR=0.1, topology=4x8`
};

// Sums up all points, and the pools that they share. Dollars are in millionths; nothing: unknown.
struct SweepTotals {
  std::optional<std::int64_t> hour = 0, run = 0, pools_hour = 0;
  std::int64_t chips = 0, nodes = 0, pools_chips = 0, at_once = 0;
  std::vector<std::string> pools;
};
SweepTotals sweep_totals(std::span<const SweepRow> points);

std::string sweep_text(std::string_view name, std::span<const SweepRow> points);

}  // namespace flexslice::explain
