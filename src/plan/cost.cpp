#include "plan/cost.hpp"

#include <fmt/core.h>

#include "base/text.hpp"
#include "schema/pattern.hpp"

namespace flexslice::plan {

Cost cost(const resolve::Facts& facts, const Plan& plan) {
  constexpr std::string_view unknown = "unknown";
  constexpr std::int64_t hour = 3600;
  Cost cost;
  const auto& zones = plan.provisioning.zones.value;
  cost.region = zones.empty() ? plan.cluster.region : resolve::region_of(zones.front());
  const auto give_up = [&](std::string reason) {
    cost.per_chip_hour = {std::string(unknown), std::move(reason)};
    cost.per_hour.value = unknown;
    return cost;
  };
  if (plan.cluster.autopilot) return give_up("no source gives prices of TPUs on Autopilot");
  if (cost.region.empty()) return give_up("the region is not known");
  const std::string_view model = plan.provisioning.model;
  const catalog::Price* price =
      catalog::find_price(facts.catalog, plan.tpu.generation, cost.region, model);
  if (price == nullptr)
    return give_up(fmt::format("no source gives a price of {} with {} in {}", plan.tpu.generation,
                               plan.provisioning.title, cost.region));
  const std::int64_t chip_hour = catalog::parse_dollars(price->usd).value_or(0);
  cost.per_chip_hour = {fmt::format("${}", price->usd),
                        fmt::format("list price in {}, {}", cost.region, price->evidence.as_of),
                        &price->evidence};
  const std::int64_t chips = plan.provisioning.quota_chips;
  cost.hour = chips * chip_hour;
  cost.per_hour = {catalog::dollars_text(*cost.hour),
                   fmt::format("at most, {} * ${}", text::count(chips, "chip"), price->usd)};
  std::int64_t lifetime = plan.provisioning.by_model->default_run_seconds;
  if (const auto stated = text::whole_number(plan.provisioning.max_run_seconds.value))
    lifetime = *stated;
  if (lifetime <= 0 || !plan.workload.of_kind->ends) return cost;
  cost.run = *cost.hour * lifetime / hour;
  cost.per_run = {catalog::dollars_text(*cost.run),
                  fmt::format("at most, {} for {}, the lifetime of a node", cost.per_hour.value,
                              schema::duration_text(lifetime))};
  return cost;
}

}  // namespace flexslice::plan
