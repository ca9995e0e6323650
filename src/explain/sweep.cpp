#include "explain/sweep.hpp"

#include <fmt/core.h>

#include <optional>

#include "base/text.hpp"
#include "catalog/catalog.hpp"
#include "explain/layout.hpp"

namespace flexslice::explain {

namespace {

using Dollars = std::optional<std::int64_t>;  // in millionths; nothing: unknown

// Scales a cost from the chips that the plan states it for to this many chips.
Dollars scaled(const plan::Plan& plan, const Dollars& cost, std::int64_t chips) {
  return cost ? Dollars(*cost / plan.cost.chips * chips) : std::nullopt;
}

Dollars own_share(const plan::Plan& plan, const Dollars& cost) {
  return scaled(plan, cost, plan.tpu.total_chips);
}

void add_dollars(Dollars& sum, const Dollars& more) {
  sum = sum && more ? Dollars(*sum + *more) : std::nullopt;
}

std::string in_dollars(const Dollars& dollars) {
  return dollars ? catalog::dollars_text(*dollars) : "unknown";
}

// Nothing bounds the cost of all runs where only the price an hour is known.
std::string shown_run(const Dollars& run, const Dollars& hour) {
  return !run && hour ? "no bound" : in_dollars(run);
}

}  // namespace

SweepTotals sweep_totals(std::span<const SweepRow> points) {
  SweepTotals totals;
  for (const auto& [plan, values] : points) {
    add_dollars(totals.hour, own_share(plan, plan.cost.hour));
    add_dollars(totals.run, own_share(plan, plan.cost.run));
    totals.chips += plan.tpu.total_chips;
    totals.nodes += plan.tpu.total_hosts;
    if (!plan.first_on_pools) continue;
    add_dollars(totals.pools_hour, scaled(plan, plan.cost.hour, plan.provisioning.quota_chips));
    totals.pools_chips += plan.provisioning.quota_chips;
    totals.at_once += plan.points_at_once;
    for (const plan::NodePool& pool : plan.pools) totals.pools.push_back(pool.name);
  }
  return totals;
}

std::string sweep_text(std::string_view name, std::span<const SweepRow> points) {
  std::vector<std::vector<std::string>> rows;
  std::int64_t most = 0;
  for (const auto& [plan, values] : points) {
    const Dollars own_hour = own_share(plan, plan.cost.hour);
    rows.push_back({plan.name, std::string(values), std::to_string(plan.tpu.total_chips),
                    in_dollars(own_hour), shown_run(own_share(plan, plan.cost.run), own_hour)});
    most = std::max<std::int64_t>(most, plan.tpu.total_chips);
  }
  const auto [hour, run, pools_hour, chips, nodes, pools_chips, at_once, pools] =
      sweep_totals(points);
  const plan::Plan& first = points.front().plan;
  Sheet sheet;
  sheet.title("{}: a sweep of {}", name, text::count(std::ssize(points), "point"));
  sheet.section("All points");
  sheet.entry("one after another", "{} chips at a time{}", most,
              run ? fmt::format(", at most {} in all", in_dollars(run)) : "");
  sheet.entry("all at once", "{} chips on {}, {} an hour", chips, text::count(nodes, "node"),
              in_dollars(hour));
  const std::string& queue = first.provisioning.queue;
  if (!queue.empty() && !pools.empty())
    sheet.entry("through queue", "{}: {} at a time, on {} chips, {} an hour", queue,
                text::count(at_once, "point"), pools_chips, in_dollars(pools_hour));
  if (pools.size() > 4)
    sheet.entry("node pools", "{}, {} to {}", pools.size(), pools.front(), pools.back());
  else if (!pools.empty())
    sheet.entry("node pools", text::join(pools, ", "));
  return sheet.take() + "\n" +
         aligned_table({"Point", "Values", ">Chips", ">An hour", ">At most"}, rows) +
         "\nThe plan of the first point:\n\n";
}

}  // namespace flexslice::explain
