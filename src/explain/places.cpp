#include "explain/places.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "base/text.hpp"
#include "explain/layout.hpp"

namespace flexslice::explain {

namespace {

std::string dollars(const std::optional<std::int64_t>& cost, std::string_view otherwise) {
  return cost ? catalog::dollars_text(*cost) : std::string(otherwise);
}

// Zones of the cluster's region that are known to have the generation, beside those of the plan.
std::string other_zones(const plan::Plan& plan) {
  std::vector<std::string> zones;
  for (const catalog::Zone& zone : plan.tpu.in_generation->zones) {
    const auto& own = plan.provisioning.zones.value;
    if (!plan.cluster.region.empty() && zone.name.starts_with(plan.cluster.region + "-") &&
        std::find(own.begin(), own.end(), zone.name) == own.end())
      zones.emplace_back(zone.name);
  }
  return text::join(zones, ", ");
}

std::string place_cluster(const plan::Plan& plan) {
  const std::string in = plan.cluster.location.empty() ? "" : " in " + plan.cluster.location;
  return (plan.cluster.name.empty() ? "the cluster of kubectl's context"
                                    : "cluster " + plan.cluster.name) +
         in + (plan.cluster.project.empty() ? "" : " of project " + plan.cluster.project);
}

void add_place(std::size_t number, const PlaceRow& place, Sheet& sheet) {
  const plan::Plan& plan = place.plan;
  sheet.section(fmt::format("{}. {}: {}", number, plan.place, place_cluster(plan)));
  sheet.entry("nodes", plan.summary);
  const std::string run = plan.cost.run ? ", at most " + dollars(plan.cost.run, "") + " a run" : "";
  sheet.entry("price", "{}{}",
              plan.cost.hour ? dollars(plan.cost.hour, "") + " an hour"
                             : fmt::format("unknown: {}", plan.cost.per_chip_hour.reason.because),
              run);
  const std::string others = other_zones(plan);
  sheet.entry(
      "zones", "{}{}",
      plan.provisioning.zone_list.empty() ? "those of the cluster" : plan.provisioning.zone_list,
      others.empty() ? "" : fmt::format("; {} is also known in {}", plan.tpu.generation, others));
  if (!plan.needs.empty())
    sheet.entry("GKE", "{} or later, for {}", plan.needs.front().version, plan.needs.front().what);
  if (plan.provisioning.quota == catalog::QuotaKind::reserved)
    sheet.entry("quota", "none: the chips are reserved");
  else
    sheet.entry("quota", "{} of {}", text::count(plan.provisioning.quota_chips.value, "chip"),
                plan.provisioning.quota_name.empty()
                    ? fmt::format("a quota of {} whose name is not known", plan.tpu.generation)
                    : fmt::format("`{}`", plan.provisioning.quota_name));
  if (plan.compute_class) {
    std::vector<std::string> steps;
    for (const plan::ClassStep& step : plan.compute_class->steps) steps.emplace_back(step.title);
    sheet.entry("falls back", text::join(steps, ", then "));
  }
  if (plan.provisioning.queue.empty())
    sheet.entry("given up", "after {} without nodes for all pods", place.patience);
}

}  // namespace

std::string places_text(std::string_view name, std::span<const PlaceRow> places) {
  Sheet sheet;
  sheet.title("{}: {}, the most wanted first", name, text::count(std::ssize(places), "place"));
  std::size_t number = 0;
  for (const PlaceRow& place : places) add_place(++number, place, sheet);
  const bool queued = !places.front().plan.provisioning.queue.empty();
  sheet.section("Chosen by");
  sheet.entry(queued ? "MultiKueue" : "run.sh",
              queued
                  ? "the cluster that admits the workload first; `--emit multikueue` makes the "
                    "objects of the manager and of each worker"
                  : "the first place that has nodes for all pods; what the others got is deleted");
  return sheet.take() + "\nThe plan of the first place:\n\n";
}

}  // namespace flexslice::explain
