#include "plan/cost.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>

#include "base/text.hpp"
#include "schema/pattern.hpp"

namespace flexslice::plan {

namespace {

constexpr std::int64_t hour = 3600;

std::int64_t chip_hour(const catalog::Price& price) {
  return catalog::parse_dollars(price.usd).value_or(0);
}

// What comes next to the workload and costs at most `limit` millionths of a dollar an hour: a
// smaller slice, another model, another region, as far as the catalog knows them. `used`: the model
// that costs too much.
void help_to_stay_within(const resolve::Facts& facts, const Plan& plan, const catalog::Model& used,
                         std::int64_t limit, diag::Diagnostic& finding) {
  const catalog::Generation& generation = *facts.generation;
  const std::string& region = plan.cost.region;
  const std::int64_t chips = plan.provisioning.quota_chips;
  const auto within = [&](const catalog::Price* price) {
    return price != nullptr && chips * chip_hour(*price) <= limit;
  };
  const auto say = [&](std::string_view change, const catalog::Price& price) {
    finding.help("{}: {} an hour", change, catalog::dollars_text(chips * chip_hour(price)));
  };
  const auto price_in = [&](std::string_view where, std::string_view model) {
    return catalog::find_price(facts.catalog, generation.id, where, model);
  };
  const catalog::Price& here = *price_in(region, used.name);
  const catalog::Topology* smaller = nullptr;
  for (const catalog::MachineType& machine : generation.machine_types) {
    for (const catalog::Shape& shape : machine.shapes) {
      const std::int64_t size = shape.topology.chips();
      if (size < facts.topology->chips() && size * facts.slices * chip_hour(here) <= limit &&
          (smaller == nullptr || size > smaller->chips()))
        smaller = &shape.topology;
    }
  }
  if (smaller != nullptr)
    finding.help("`tpu.topology: {}`: {} an hour", smaller->text(),
                 catalog::dollars_text(smaller->chips() * facts.slices * chip_hour(here)));
  for (const catalog::Model& model : facts.catalog.models) {
    const catalog::Price* price = price_in(region, model.name);
    const catalog::Support* support = catalog::find_support(model, generation.id);
    if (&model != &used && !model.takes_reservation && within(price) && support != nullptr &&
        support->supported)
      say(fmt::format("`provisioning.model: {}`", model.name), *price);
  }
  for (const catalog::Zone& zone : generation.zones) {
    const catalog::Price* price = price_in(resolve::region_of(zone.name), used.name);
    const bool offered = !used.flex_start || zone.flex_start == true;
    if (price == nullptr || !offered || resolve::region_of(zone.name) == region || !within(price))
      continue;
    say(fmt::format("a cluster and nodes in {}", zone.name), *price);
    break;
  }
}

}  // namespace

Cost cost(const resolve::Facts& facts, const Plan& plan, const catalog::Model& model) {
  constexpr std::string_view unknown = "unknown";
  Cost cost;
  cost.model = &model;
  const auto& zones = plan.provisioning.zones.value;
  cost.region = zones.empty() ? plan.cluster.region : resolve::region_of(zones.front());
  const auto give_up = [&](std::string reason) {
    cost.per_chip_hour = {std::string(unknown), std::move(reason)};
    cost.per_hour.value = unknown;
    return cost;
  };
  if (plan.cluster.autopilot) return give_up("no source gives prices of TPUs on Autopilot");
  if (cost.region.empty()) return give_up("the region is not known");
  const catalog::Price* price =
      catalog::find_price(facts.catalog, plan.tpu.generation, cost.region, model.name);
  if (price == nullptr)
    return give_up(fmt::format("no source gives a price of {} with {} in {}", plan.tpu.generation,
                               model.title, cost.region));
  cost.per_chip_hour = {fmt::format("${}", price->usd),
                        fmt::format("list price in {}, {}", cost.region, price->evidence.as_of),
                        &price->evidence};
  const std::int64_t chips = plan.provisioning.quota_chips;
  cost.hour = chips * chip_hour(*price);
  cost.per_hour = {catalog::dollars_text(*cost.hour),
                   fmt::format("at most, {} * ${}", text::count(chips, "chip"), price->usd)};
  const std::int64_t stated = resolve::run_seconds(facts.claims, model);
  const std::int64_t lifetime = stated > 0 ? stated : model.default_run_seconds;
  const std::int64_t lives = plan.workload.node_lives.value_or(0);
  if (lifetime <= 0 || lives == 0 || !plan.workload.of_kind->ends) return cost;
  cost.run = *cost.hour * lives * lifetime / hour;
  const std::string life = schema::duration_text(lifetime);
  cost.per_run = {
      catalog::dollars_text(*cost.run),
      fmt::format("at most, {} for {}", cost.per_hour.value,
                  lives == 1 ? life + ", the lifetime of a node"
                             : fmt::format("{} * {}: ended nodes are replaced {}", lives, life,
                                           text::count(lives - 1, "time")))};
  return cost;
}

Cost dearest(std::span<const ClassStep> steps) {
  const auto hour = [](const ClassStep& step) { return step.cost.hour.value_or(INT64_MAX); };
  const auto run = [](const ClassStep& step) { return step.cost.run.value_or(INT64_MAX); };
  const ClassStep& step = *std::ranges::max_element(steps, {}, hour);
  Cost cost = step.cost;
  if (steps.size() > 1 && cost.hour)
    cost.per_hour.reason.because += fmt::format(" with {}, the dearest model", step.title);
  const Cost& longest = std::ranges::max_element(steps, {}, run)->cost;
  cost.run = longest.run;
  cost.per_run = longest.per_run;
  return cost;
}

void judge_budget(const resolve::Facts& facts, const Plan& plan, diag::Sink& sink) {
  using diag::Code;
  const spec::Budget& budget = facts.claims.budget;
  const Cost& cost = plan.cost;
  const auto judge = [&](const schema::Text& claim, std::string_view field,
                         const std::optional<std::int64_t>& spent, const auto& how) {
    if (!claim.usable()) return;
    if (!spent) {
      sink.report<Code::BudgetUnchecked>(claim, field)
          .note(cost.hour ? "nothing bounds how long its nodes are billed"
                          : std::string(cost.per_chip_hour.reason.because))
          .help(cost.hour ? "use `perHour`, or a Job on nodes with `provisioning.maxRunDuration`"
                          : "give the price with `--catalog FILE`, or remove the budget");
      return;
    }
    const std::int64_t limit = *catalog::parse_dollars(claim.value);
    if (*spent <= limit) return;
    diag::Diagnostic& finding = sink.report<Code::OverBudget>(
        claim, field, catalog::dollars_text(limit), catalog::dollars_text(*spent));
    finding.note("{}", how.reason.because);
    const double share = static_cast<double>(limit) / static_cast<double>(*spent);
    help_to_stay_within(facts, plan, *cost.model,
                        static_cast<std::int64_t>(share * static_cast<double>(*cost.hour)),
                        finding);
  };
  judge(budget.per_hour, "perHour", cost.hour, cost.per_hour);
  judge(budget.per_run, "perRun", cost.run, cost.per_run);
}

}  // namespace flexslice::plan
