// `flexslice explain SPEC`: the plan in words.
#include <fmt/core.h>

#include <algorithm>

#include "base/text.hpp"
#include "explain/explain.hpp"
#include "explain/layout.hpp"
#include "explain/needed.hpp"
#include "schema/read.hpp"

namespace flexslice::explain {

using catalog::Evidence;
using plan::Plan;
using yaml::Value;

namespace {

std::string text_at(const Value& value, std::string_view key) {
  const Value* member = value.find(key);
  return member == nullptr ? std::string() : member->text;
}

// The sources that were named, in the catalog's order, for the legend.
class Legend {
 public:
  std::string line(const Evidence* evidence) {
    if (evidence == nullptr) return {};
    for (std::string_view id : evidence->sources) used_.push_back(id);
    return fmt::format("[{}]", catalog::citation(*evidence));
  }

  void print(const catalog::Catalog& catalog, Sheet& sheet) const {
    if (used_.empty()) return;
    sheet.section("Sources");
    for (const catalog::Source& source : catalog.sources) {
      if (std::find(used_.begin(), used_.end(), source.id) == used_.end()) continue;
      sheet.entry({std::string(source.id), {}, fmt::format("{} ({})", source.title, source.date)});
    }
  }

 private:
  std::vector<std::string_view> used_;
};

// A section for each part of the plan.
void numbers(const Plan& plan, Legend& legend, Sheet& sheet) {
  std::string part;
  for (schema::ListedReason& listed : schema::reasons(schema::ref(plan))) {
    const std::size_t dot = listed.path.find('.');
    if (listed.path.substr(0, dot) != part) {
      part = listed.path.substr(0, dot);
      sheet.section(fmt::format("Derived: {}", part));
    }
    sheet.entry({listed.path.substr(dot + 1), std::move(listed.value), listed.reason->because,
                 legend.line(listed.reason->evidence)});
  }
}

void list_objects(std::string_view file, std::span<const Value> objects,
                  std::vector<Entry>& steps) {
  for (const Value& object : objects) {
    const Value* metadata = object.find("metadata");
    const std::string name = metadata == nullptr ? std::string() : text_at(*metadata, "name");
    steps.push_back({{}, std::string(file), fmt::format("{} {}", text_at(object, "kind"), name)});
  }
}

void order(const Made& made, Sheet& sheet) {
  std::vector<Entry> steps;
  if (const Value* listed = made.provision.find("steps")) {
    for (const Value& step : listed->items)
      steps.push_back({{}, "provision.sh", text_at(step, "title")});
  }
  list_objects("queues.yaml", made.queues, steps);
  list_objects("manifests.yaml", made.objects, steps);
  sheet.section("Made, in this order");
  int number = 0;
  for (Entry& step : steps) {
    step.label = std::to_string(++number) + ".";
    sheet.entry(std::move(step));
  }
}

void pods(const Plan& plan, Legend& legend, Sheet& sheet) {
  const plan::Tpu& tpu = plan.tpu;
  const std::int64_t count = tpu.total_hosts;
  const std::int64_t chips = tpu.total_chips;
  const int per_chip = tpu.in_generation->devices_per_chip;
  sheet.section("Pods");
  sheet.entry(
      {"pods",
       {},
       fmt::format(
           "{}, one for each host{}", count,
           tpu.slices > 1 ? fmt::format("; {} slices of {}", tpu.slices, tpu.hosts.value) : "")});
  if (!plan.workload.host_names.empty()) {
    sheet.entry({"host names",
                 {},
                 fmt::format("{} to {}", plan.workload.host_names.front(),
                             plan.workload.host_names.back())});
  }
  sheet.entry(
      {"chips", {}, fmt::format("{} in each pod, all that its node has", tpu.machine->chips)});
  sheet.entry({"devices",
               {},
               fmt::format("{}, as jax.device_count() counts them: {} * {} a chip",
                           chips * per_chip, text::count(chips, "chip"), per_chip),
               legend.line(&tpu.in_generation->evidence)});
}

std::string quota_words(const Plan& plan) {
  const plan::Provisioning& provisioning = plan.provisioning;
  const std::string_view kind = provisioning.quota;
  if (kind == "reserved")
    return "none of its own: the chips of a reservation were counted when it was made";
  const std::string name =
      provisioning.quota_name.empty()
          ? fmt::format("the {} quota of {}, whose name is not known", kind, plan.tpu.generation)
          : fmt::format("`{}`", provisioning.quota_name);
  const std::string region =
      plan.cluster.region.empty() ? "the cluster's region" : plan.cluster.region;
  return fmt::format("{} of {} in {}", text::count(provisioning.quota_chips, "chip"), name, region);
}

void nodes(const Plan& plan, Legend& legend, Sheet& sheet) {
  const plan::Provisioning& provisioning = plan.provisioning;
  const std::string source = legend.line(&provisioning.by_model->evidence);
  std::string lifetime(provisioning.lifetime);
  const std::string& seconds = provisioning.max_run_seconds;
  if (!seconds.empty()) lifetime += fmt::format(" maxRunDuration is {} seconds.", seconds);
  sheet.section("Nodes");
  sheet.entry({"lifetime", {}, lifetime, source});
  sheet.entry({"when idle", {}, fmt::format("Billed: {}", provisioning.idle), source});
  const catalog::Quota* quota = catalog::find_quota(*plan.tpu.in_generation, provisioning.quota);
  sheet.entry({"quota",
               {},
               quota_words(plan),
               quota == nullptr ? std::string() : legend.line(&quota->evidence)});
  if (provisioning.quota != "reserved") {
    sheet.entry({{},
                 {},
                 "It is Compute Engine quota (compute.googleapis.com); quota of the Cloud TPU API "
                 "(tpu.googleapis.com) does not count here."});
  }
}

// What a finished or changed workload leaves behind.
void stays(const Plan& plan, Sheet& sheet) {
  if (plan.workload.host_names.empty()) return;
  sheet.section("What stays");
  if (!plan.workload.service.empty() && plan.workload.ttl_after_finished.value) {
    sheet.entry(
        {"Service",
         {},
         fmt::format("ttlAfterFinished deletes the Job; the Service {} stays until cleanup.sh",
                     plan.workload.service)});
  }
  sheet.entry({"other kind",
               {},
               fmt::format("Before this name becomes another kind, run cleanup.sh: a Job and a "
                           "JobSet {} share the name of the Service, and "
                           "with the Service of the other their pods have no host names.",
                           plan.name)});
}

void versions(const Plan& plan, Legend& legend, Sheet& sheet) {
  if (plan.needs.empty()) return;
  sheet.section("GKE version, at least");
  for (const plan::Need& need : plan.needs)
    sheet.entry({std::string(need.version), {}, "for " + need.what, legend.line(need.evidence)});
}

void controllers(const Plan& plan, Legend& legend, Sheet& sheet) {
  if (plan.controllers.empty()) return;
  sheet.section("Controller versions");
  for (const plan::ControllerNeed& need : plan.controllers) {
    std::string what = fmt::format("for {}", need.minimum->title);
    if (!need.minimum->evidence.note.empty())
      what += fmt::format(". {}", need.minimum->evidence.note);
    sheet.entry({std::string(need.controller->name), catalog::versions_text(*need.minimum), what,
                 legend.line(&need.minimum->evidence)});
  }
}

// What the queue does, and what people expect of it that it does not do.
void queue(const Plan& plan, const Made& made, Sheet& sheet) {
  if (!plan.queue) return;
  sheet.section("Queue");
  sheet.entry(
      {"admission",
       {},
       fmt::format(
           "The workload starts when queue {} has quota left for all of its pods, and {}.",
           plan.provisioning.queue,
           plan.placement.by_queue ? "each slice fits on one node pool" : "waits otherwise")});
  const auto preempts = [](const Value& object) {
    const Value* spec = object.find("spec");
    return spec != nullptr && spec->find("preemption") != nullptr;
  };
  if (plan.workload.priority_class.empty() ||
      std::any_of(made.queues.begin(), made.queues.end(), preempts))
    return;
  sheet.entry({"priority",
               {},
               fmt::format("PriorityClass {} only orders the workloads that wait: those with a "
                           "higher priority start first. A running workload "
                           "is not preempted, because the ClusterQueue configures no preemption.",
                           plan.workload.priority_class)});
}

}  // namespace

std::string plan_text(const Plan& plan, const catalog::Catalog& catalog, const Made& made) {
  Sheet sheet;
  Legend legend;
  sheet.title(fmt::format("{}: {}", plan.name, plan.summary));
  numbers(plan, legend, sheet);
  order(made, sheet);
  add_needed(plan, catalog, made, sheet);
  pods(plan, legend, sheet);
  nodes(plan, legend, sheet);
  queue(plan, made, sheet);
  stays(plan, sheet);
  versions(plan, legend, sheet);
  controllers(plan, legend, sheet);
  legend.print(catalog, sheet);
  return sheet.take();
}

}  // namespace flexslice::explain
