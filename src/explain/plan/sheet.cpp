#include "explain/plan/sheet.hpp"

#include <fmt/core.h>

#include "base/lists.hpp"
#include "base/text.hpp"
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

// The sections of the sheet, one function each; they collect the sources for the legend.
class PlanSheet {
 public:
  PlanSheet(const Plan& plan, const catalog::Catalog& catalog, const Made& made)
      : plan_(plan), catalog_(catalog), made_(made) {}

  std::string text() {
    sheet_.title("{}: {}", plan_.name, plan_.summary);
    derived_values();
    order();
    add_needed(plan_, catalog_, made_, sheet_);
    pods();
    nodes();
    queue();
    leftovers();
    versions();
    controllers();
    sources();
    return sheet_.take();
  }

 private:
  std::string cite(const Evidence* evidence) {
    if (evidence == nullptr) return {};
    for (std::string_view id : evidence->sources) cited_.push_back(id);
    return fmt::format("[{}]", catalog::citation(*evidence));
  }

  // A section for each part of the plan.
  void derived_values() {
    std::string part;
    for (const auto& listed : schema::reasons(schema::ref(plan_))) {
      const std::size_t dot = listed.path.find('.');
      if (listed.path.substr(0, dot) != part) {
        part = listed.path.substr(0, dot);
        sheet_.section(fmt::format("Derived: {}", part));
      }
      sheet_.entry(listed.path.substr(dot + 1), listed.reason->because)
          .from(cite(listed.reason->evidence))
          .with(listed.value);
    }
  }

  void order() {
    sheet_.section("Made, in this order");
    int number = 0;
    const auto add = [&](std::string_view file, const std::string& text) {
      sheet_.entry(fmt::format("{}.", ++number), text).with(file);
    };
    const auto add_objects = [&](std::string_view file, std::span<const Value> objects) {
      for (const auto& object : objects) {
        const Value* metadata = object.find("metadata");
        add(file, fmt::format("{} {}", text_at(object, "kind"),
                              metadata == nullptr ? "" : text_at(*metadata, "name")));
      }
    };
    if (const Value* steps = made_.provision.find("steps")) {
      for (const auto& step : steps->items) add("provision.sh", text_at(step, "title"));
    }
    add_objects("queues.yaml", made_.queues);
    add_objects("manifests.yaml", made_.objects);
  }

  void pods() {
    const plan::Tpu& tpu = plan_.tpu;
    const int per_chip = tpu.in_generation->devices_per_chip;
    const auto& hosts = plan_.workload.host_names;
    sheet_.section("Pods");
    sheet_.entry(
        "pods", "{}, one for each host{}", std::int64_t{tpu.total_hosts},
        tpu.slices > 1 ? fmt::format("; {} slices of {}", tpu.slices, tpu.hosts.value) : "");
    if (!hosts.empty()) sheet_.entry("host names", "{} to {}", hosts.front(), hosts.back());
    sheet_.entry("chips", "{} in each pod, all that its node has", tpu.machine->chips);
    sheet_
        .entry("devices", "{}, as jax.device_count() counts them: {} * {} a chip",
               tpu.total_chips * per_chip, text::count(tpu.total_chips, "chip"), per_chip)
        .from(cite(&tpu.in_generation->evidence));
  }

  std::string quota_text() const {
    const plan::Provisioning& provisioning = plan_.provisioning;
    if (provisioning.quota == "reserved")
      return "none of its own: the chips of a reservation were counted when it was made";
    const std::string name = provisioning.quota_name.empty()
                                 ? fmt::format("the {} quota of {}, whose name is not known",
                                               provisioning.quota, plan_.tpu.generation)
                                 : fmt::format("`{}`", provisioning.quota_name);
    return fmt::format(
        "{} of {} in {}", text::count(provisioning.quota_chips, "chip"), name,
        plan_.cluster.region.empty() ? "the cluster's region" : plan_.cluster.region);
  }

  void nodes() {
    const plan::Provisioning& provisioning = plan_.provisioning;
    const std::string source = cite(&provisioning.by_model->evidence);
    std::string lifetime(provisioning.lifetime);
    if (const std::string& seconds = provisioning.max_run_seconds; !seconds.empty())
      lifetime += fmt::format(" maxRunDuration is {} seconds.", seconds);
    sheet_.section("Nodes");
    sheet_.entry("lifetime", lifetime).from(source);
    sheet_.entry("when idle", "Billed: {}", provisioning.idle).from(source);
    const catalog::Quota* quota = catalog::find_quota(*plan_.tpu.in_generation, provisioning.quota);
    sheet_.entry("quota", quota_text()).from(cite(quota == nullptr ? nullptr : &quota->evidence));
    if (provisioning.quota != "reserved")
      sheet_.entry("",
                   "It is Compute Engine quota (compute.googleapis.com); quota of the Cloud TPU "
                   "API (tpu.googleapis.com) does not count here.");
  }

  // What the queue does, and what people expect of it that it does not do.
  void queue() {
    if (!plan_.queue) return;
    const std::string& priority = plan_.workload.priority_class;
    sheet_.section("Queue");
    sheet_.entry("admission",
                 "The workload starts when queue {} has quota left for all of its pods, and {}.",
                 plan_.provisioning.queue,
                 plan_.placement.by_queue ? "each slice fits on one node pool" : "waits otherwise");
    const auto preempts = [](const Value& object) {
      const Value* spec = object.find("spec");
      return spec != nullptr && spec->find("preemption") != nullptr;
    };
    if (!priority.empty() && !any_of(made_.queues, preempts))
      sheet_.entry("priority",
                   "PriorityClass {} only orders the workloads that wait: those with a "
                   "higher priority start first. A running workload is not preempted, "
                   "because the ClusterQueue configures no preemption.",
                   priority);
  }

  // What a finished or changed workload leaves behind.
  void leftovers() {
    const plan::Workload& workload = plan_.workload;
    if (workload.host_names.empty()) return;
    sheet_.section("What stays");
    if (!workload.service.empty() && workload.ttl_after_finished.value)
      sheet_.entry("Service",
                   "ttlAfterFinished deletes the Job; the Service {} stays until cleanup.sh",
                   workload.service);
    sheet_.entry("other kind",
                 "Before this name becomes another kind, run cleanup.sh: a Job and a "
                 "JobSet {} share the name of the Service, and with the Service of the "
                 "other their pods have no host names.",
                 plan_.name);
  }

  void versions() {
    sheet_.section("GKE version, at least");
    for (const auto& need : plan_.needs)
      sheet_.entry(need.version, "for " + need.what).from(cite(need.evidence));
  }

  void controllers() {
    sheet_.section("Controller versions");
    for (const auto& [controller, minimum] : plan_.controllers) {
      const Evidence& evidence = minimum->evidence;
      sheet_
          .entry(controller->name, "for {}{}{}", minimum->title, evidence.note.empty() ? "" : ". ",
                 evidence.note)
          .from(cite(&evidence))
          .with(catalog::versions_text(*minimum));
    }
  }

  // In the catalog's order.
  void sources() {
    sheet_.section("Sources");
    for (const auto& source : catalog_.sources) {
      if (contains(cited_, source.id))
        sheet_.entry(source.id, "{} ({})", source.title, source.date);
    }
  }

  const Plan& plan_;
  const catalog::Catalog& catalog_;
  const Made& made_;
  layout::Sheet sheet_;
  std::vector<std::string_view> cited_;
};

}  // namespace

std::string plan_text(const Plan& plan, const catalog::Catalog& catalog, const Made& made) {
  return PlanSheet(plan, catalog, made).text();
}

}  // namespace flexslice::explain
