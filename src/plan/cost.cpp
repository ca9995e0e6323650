#include "plan/cost.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "resolve/attempts.hpp"
#include "schema/pattern.hpp"

namespace flexslice::plan {

namespace {

constexpr std::int64_t hour = 3600;

// In millionths of a dollar. A catalog that has been verified has no other texts.
std::int64_t amount_of(const auto& price) { return catalog::parse_dollars(price.usd).value_or(0); }

void set(schema::Text& claim, std::string value) {
  claim.value = std::move(value);
  claim.where.given = true;
}

// Changes of the spec that bring an amount of its cost within a limit. Each is tried: a smaller
// slice, another model, another region, and for a run another lifetime or fewer attempts.
class Advice {
 public:
  using Amount = std::optional<std::int64_t> Cost::*;

  Advice(const resolve::Facts& facts, const Cost& cost, const Trial& trial, Amount amount,
         std::int64_t limit, diag::Diagnostic& finding)
      : facts_(facts),
        cost_(cost),
        trial_(trial),
        amount_(amount),
        limit_(limit),
        finding_(finding) {}

  void give() {
    offer_smaller_slice();
    offer_models();
    if (amount_ == &Cost::run) {
      offer_lifetime();
      offer_fewer_retries();
    }
    offer_fewer_replicas();
    offer_region();
  }

 private:
  bool offer(std::string_view change, const spec::Claims& claims) {
    const std::optional<Cost> cost = trial_(claims);
    if (!cost || !((*cost).*amount_) || *((*cost).*amount_) > limit_) return false;
    finding_.help("{}: {} {}", change, catalog::dollars_text(*((*cost).*amount_)),
                  amount_ == &Cost::run ? "a run" : "an hour");
    return true;
  }

  void offer_smaller_slice() {
    struct Smaller {
      const catalog::MachineType* machine;
      catalog::Topology topology;
    };
    std::vector<Smaller> all;
    for (const catalog::MachineType& machine : facts_.generation->machine_types) {
      for (const catalog::Shape& shape : machine.shapes) {
        // A program for several hosts is another one than that for a single host. One on the head
        // of Pathways is not.
        const bool is_multi_host = shape.topology.chips() > machine.chips;
        if (shape.topology.chips() < facts_.topology->chips() &&
            (is_multi_host == facts_.multi_host() || facts_.has_pathways()))
          all.push_back({&machine, shape.topology});
      }
    }
    std::ranges::stable_sort(all, std::ranges::greater{},
                             [](const Smaller& each) { return each.topology.chips(); });
    for (const auto& [machine, topology] : all) {
      spec::Claims claims = facts_.claims;
      set(claims.tpu.topology, topology.text());
      const std::string change = fmt::format("`tpu.topology: {}`", topology.text());
      if (offer(change, claims)) return;
      set(claims.tpu.machine_type, std::string(machine->name));
      if (offer(fmt::format("{} and `tpu.machineType: {}`", change, machine->name), claims)) return;
    }
  }

  void offer_models() {
    auto kept = facts_.claims.provisioning.fallback.items;
    while (kept.size() > 1) {
      kept.pop_back();
      spec::Claims claims = facts_.claims;
      claims.provisioning.fallback.items = kept;
      if (offer(fmt::format("`provisioning.fallback: [{}]`",
                            text::join(texts(kept, &schema::Text::value), ", ")),
                claims))
        break;
    }
    for (const catalog::Model& model : facts_.catalog.models) {
      if (&model == facts_.model || model.takes_reservation) continue;
      spec::Claims claims = facts_.claims;
      set(claims.provisioning.model, std::string(model.name));
      offer(fmt::format("`provisioning.model: {}`", model.name), claims);
    }
  }

  bool offer_lifetime(std::int64_t seconds) {
    spec::Claims claims = facts_.claims;
    const std::int64_t minutes = std::min(seconds, cost_.model->max_run_seconds) / 60;
    const std::string lifetime = schema::duration_text(minutes * 60);
    set(claims.provisioning.max_run_duration, lifetime);
    return offer(fmt::format("`provisioning.maxRunDuration: {}`", lifetime), claims);
  }
  // A lifetime may also bound how often nodes are replaced.
  void offer_lifetime() {
    const std::int64_t affordable = limit_ * hour / std::max<std::int64_t>(*cost_.hour, 1);
    if (!offer_lifetime(affordable))
      offer_lifetime(affordable / std::max<std::int64_t>(lives(), 1));
  }

  std::int64_t lives() const { return resolve::node_lives(facts_).value_or(1); }

  void offer_fewer_retries() {
    if (!facts_.claims.workload.retries.usable()) return;
    const std::int64_t attempts = limit_ / std::max<std::int64_t>(*cost_.run / lives(), 1);
    if (attempts < 1) return;
    spec::Claims claims = facts_.claims;
    claims.workload.retries.value = attempts - 1;
    offer(fmt::format("`workload.retries: {}`", attempts - 1), claims);
  }

  void offer_fewer_replicas() {
    const spec::Autoscaling& said = facts_.claims.workload.autoscaling;
    if (!said.max.usable()) return;
    const std::int64_t least = said.min.usable() ? said.min.value : 1;
    const std::int64_t affordable =
        limit_ * said.max.value / std::max<std::int64_t>((cost_.*amount_).value_or(1), 1);
    if (affordable < least) return;
    spec::Claims claims = facts_.claims;
    claims.workload.autoscaling.max.value = affordable;
    offer(fmt::format("`workload.autoscaling.max: {}`", affordable), claims);
  }

  void offer_region() {
    for (const catalog::Zone& zone : facts_.generation->zones) {
      const std::string_view region = resolve::region_of(zone.name);
      if (region == cost_.region) continue;
      spec::Claims claims = facts_.claims;
      set(claims.cluster.location, std::string(region));
      schema::List<schema::Text>& zones = claims.provisioning.zones;
      zones.where.given = true;
      zones.items.resize(1);
      set(zones.items.front(), std::string(zone.name));
      if (offer(fmt::format("a cluster and nodes in {}", zone.name), claims)) return;
    }
  }

  const resolve::Facts& facts_;
  const Cost& cost_;
  const Trial& trial_;
  const Amount amount_;
  const std::int64_t limit_;
  diag::Diagnostic& finding_;
};

// Counts the nodes that stay when the autoscaler keeps no more replicas than it must. All nodes
// stay where nothing removes them.
std::int64_t least_chips(const Plan& plan, bool by_class) {
  const std::int64_t all = plan.provisioning.quota_chips;
  if (!plan.autoscaling || !(plan.provisioning.autoscale || by_class)) return all;
  const auto zones = std::max<std::int64_t>(1, std::ssize(plan.provisioning.zones.value));
  const std::int64_t nodes =
      std::max(plan.autoscaling->min * plan.tpu.hosts.value + plan.provisioning.warm,
               plan.provisioning.min_nodes * zones);
  return std::min(all, nodes * plan.tpu.chips_per_host.value);
}

// Counts the nodes that are billed at once. Where they come and go with pods, those that pods can
// use count: a server may have a replica more while it is rolled out, and runs of a schedule may
// overlap.
std::int64_t billed_chips(const Plan& plan, bool by_gke) {
  const std::int64_t all = plan.provisioning.quota_chips;
  const auto& schedule = plan.workload.schedule;
  if (!(plan.provisioning.autoscale || by_gke) || plan.provisioning.min_nodes > 0 ||
      (schedule && schedule->concurrency_policy.value == "Allow"))
    return all;
  const std::int64_t of_slice = plan.tpu.chips.value, used = plan.autoscaling
                                                                 ? plan.autoscaling->max * of_slice
                                                                 : plan.tpu.total_chips.value;
  const std::int64_t warm = plan.provisioning.warm * of_slice;
  return std::min(all, (plan.workload.of_kind->ends ? used : used + of_slice) + warm);
}

// The head of Pathways runs as long as the slices, on a node that a created cluster is made with.
void add_head(const catalog::Catalog& catalog, const Plan& plan, Cost& cost) {
  const std::string_view machine = plan.pathways->head_machine.value;
  const catalog::OrdinaryPrice* price = catalog::find_ordinary_price(catalog, machine, cost.region);
  if (price == nullptr) return;
  cost.head_per_hour = {
      catalog::dollars_text(amount_of(*price)),
      fmt::format("list price of {} in {}, {}", machine, cost.region, price->evidence.as_of),
      &price->evidence};
  if (!plan.cluster.create) return;
  *cost.hour += amount_of(*price);
  cost.per_hour.value = catalog::dollars_text(*cost.hour);
  cost.per_hour.reason.because += fmt::format(" + ${} for the node of the head", price->usd);
}

// In which the autoscaler removes nodes that no pod needs any more.
constexpr std::int64_t scale_down = 600;

// How long nodes can be billed for a Job that is stopped at its deadline, where nodes come and go
// with the pods; 0: nothing bounds it. A JobSet starts again, with another deadline, and so does a
// Job that a queue preempts.
std::int64_t deadline_bound(const resolve::Facts& facts, const Plan& plan) {
  const schema::Text& deadline = facts.claims.workload.active_deadline;
  if (!deadline.usable() || !plan.workload.of_kind->restarts_pods ||
      plan.workload.of_kind->reclaimed == spec::Reclaimed::workload ||
      !plan.provisioning.queue.empty() || plan.provisioning.min_nodes > 0 ||
      plan.provisioning.warm > 0 || !(plan.provisioning.autoscale || facts.nodes_by_gke()))
    return 0;
  return *schema::duration_seconds(deadline.value) + scale_down;
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
  const std::int64_t chips = billed_chips(plan, facts.nodes_by_gke());
  cost.chips = chips;
  cost.hour = chips * amount_of(*price);
  cost.per_hour = {catalog::dollars_text(*cost.hour),
                   fmt::format("at most, {} * ${}", text::count(chips, "chip"), price->usd)};
  if (const std::int64_t least = least_chips(plan, facts.by_class()); least < chips) {
    cost.least_per_hour = {
        catalog::dollars_text(least * amount_of(*price)),
        fmt::format("with {}, {} * ${}", text::count(plan.autoscaling->min, "replica"),
                    text::count(least, "chip"), price->usd)};
    cost.per_hour.reason.because =
        fmt::format("at most, with {}, {} * ${}", text::count(plan.autoscaling->max, "replica"),
                    text::count(chips, "chip"), price->usd);
  }
  if (plan.pathways) add_head(facts.catalog, plan, cost);
  const std::int64_t stated = resolve::run_seconds(facts.claims, model);
  const std::int64_t lifetime = stated > 0 ? stated : model.default_run_seconds;
  const std::int64_t lives = plan.workload.node_lives.value_or(0);
  if (const std::int64_t bound = deadline_bound(facts, plan);
      bound > 0 && (lifetime <= 0 || lives == 0 || bound < lives * lifetime)) {
    cost.run = *cost.hour * bound / hour;
    cost.per_run = {
        catalog::dollars_text(*cost.run),
        fmt::format("at most, {} for {}: `activeDeadline`, and {} until the nodes are gone",
                    cost.per_hour.value, schema::duration_text(bound),
                    schema::duration_text(scale_down))};
    return cost;
  }
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
  const auto of_hour = [](const ClassStep& step) { return step.cost.hour.value_or(INT64_MAX); };
  const auto run = [](const ClassStep& step) { return step.cost.run.value_or(INT64_MAX); };
  const ClassStep& step = *std::ranges::max_element(steps, {}, of_hour);
  Cost cost = step.cost;
  if (steps.size() > 1 && cost.hour)
    cost.per_hour.reason.because += fmt::format(" with {}, the dearest model", step.title);
  const Cost& longest = std::ranges::max_element(steps, {}, run)->cost;
  cost.run = longest.run;
  cost.per_run = longest.per_run;
  return cost;
}

namespace {

// Ends the help about a budget of a run that nothing bounds.
std::string_view how_to_bound(const resolve::Facts& facts) {
  if (facts.kind == nullptr || !facts.kind->ends) return "use `perHour`";
  if (facts.model != nullptr && facts.model->takes_run_duration)
    return "use `perHour`, or a Job on nodes with `provisioning.maxRunDuration`";
  return "use `perHour`, or a Job with `activeDeadline` on nodes that come and go with its pods: "
         "`provisioning.autoscale: true`";
}

}  // namespace

void judge_budget(const resolve::Facts& facts, const Plan& plan, const Trial& trial,
                  diag::Sink& sink) {
  using diag::Code;
  const spec::Budget& budget = facts.claims.budget;
  const Cost& cost = plan.cost;
  const auto judge = [&](const schema::Text& claim, std::string_view field, Advice::Amount amount,
                         const auto& how) {
    if (!claim.usable()) return;
    const std::optional<std::int64_t>& spent = cost.*amount;
    if (!spent) {
      sink.report<Code::BudgetUnchecked>(claim, field)
          .note(cost.hour ? "nothing bounds how long its nodes are billed"
                          : std::string(cost.per_chip_hour.reason.because))
          .help(cost.hour ? how_to_bound(facts)
                          : "give the price with `--catalog FILE`, or remove the budget");
      return;
    }
    const std::int64_t limit = *catalog::parse_dollars(claim.value);
    if (*spent <= limit) return;
    diag::Diagnostic& finding = sink.report<Code::OverBudget>(
        claim, field, catalog::dollars_text(limit), catalog::dollars_text(*spent));
    finding.note("{}", how.reason.because);
    Advice(facts, cost, trial, amount, limit, finding).give();
  };
  judge(budget.per_hour, "perHour", &Cost::hour, cost.per_hour);
  judge(budget.per_run, "perRun", &Cost::run, cost.per_run);
}

}  // namespace flexslice::plan
