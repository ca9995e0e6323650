#include "explain/sweep.hpp"

#include <fmt/core.h>

#include <optional>

#include "base/text.hpp"
#include "catalog/catalog.hpp"
#include "explain/layout.hpp"

namespace flexslice::explain {

namespace {

using Dollars = std::optional<std::int64_t>;  // in millionths; nothing: unknown

Dollars share(const Dollars& all, std::int64_t part, std::int64_t whole) {
  return all ? Dollars(*all / whole * part) : std::nullopt;
}

void add(Dollars& sum, const Dollars& more) {
  sum = sum && more ? Dollars(*sum + *more) : std::nullopt;
}

std::string shown(const Dollars& dollars) {
  return dollars ? catalog::dollars_text(*dollars) : "unknown";
}

}  // namespace

std::string sweep_text(std::string_view name, std::span<const SweepRow> points) {
  std::vector<std::vector<std::string>> rows;
  Dollars hour = 0, run = 0, pools_hour = 0;
  std::int64_t chips = 0, most = 0, nodes = 0, pools_chips = 0, at_once = 0;
  std::vector<std::string> pools;
  for (const auto& [plan, values] : points) {
    const std::int64_t own = plan.tpu.total_chips, all = plan.provisioning.quota_chips;
    const Dollars own_hour = share(plan.cost.hour, own, all),
                  own_run = share(plan.cost.run, own, all);
    rows.push_back(
        {plan.name, std::string(values), std::to_string(own), shown(own_hour), shown(own_run)});
    add(hour, own_hour);
    add(run, own_run);
    chips += own;
    most = std::max(most, own);
    nodes += plan.tpu.total_hosts;
    if (!plan.first_on_pools) continue;
    add(pools_hour, plan.cost.hour);
    pools_chips += all;
    at_once += plan.points_at_once;
    for (const plan::NodePool& pool : plan.pools) pools.push_back(pool.name);
  }
  const plan::Plan& first = points.front().plan;
  Sheet sheet;
  sheet.title("{}: a sweep of {}", name, text::count(std::ssize(points), "point"));
  sheet.section("All points");
  sheet.entry("one after another", "{} chips at a time, at most {} in all", most, shown(run));
  sheet.entry("all at once", "{} chips on {}, {} an hour", chips, text::count(nodes, "node"),
              shown(hour));
  const std::string& queue = first.provisioning.queue;
  if (!queue.empty() && !pools.empty())
    sheet.entry("through queue", "{}: {} at a time, on {} chips, {} an hour", queue,
                text::count(at_once, "point"), pools_chips, shown(pools_hour));
  if (pools.size() > 4)
    sheet.entry("node pools", "{}, {} to {}", pools.size(), pools.front(), pools.back());
  else if (!pools.empty())
    sheet.entry("node pools", text::join(pools, ", "));
  return sheet.take() + "\n" + table({"Point", "Values", ">Chips", ">An hour", ">At most"}, rows) +
         "\nThe plan of the first point:\n\n";
}

}  // namespace flexslice::explain
