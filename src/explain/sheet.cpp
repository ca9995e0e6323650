#include "explain/sheet.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "backend/picture/host_grid.hpp"
#include "backend/template/template.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "explain/placed.hpp"
#include "explain/starts.hpp"
#include "schema/pattern.hpp"
#include "schema/read.hpp"

namespace flexslice::explain {

using catalog::Evidence;
using plan::Plan;
using yaml::Value;

namespace {

// The sections of the sheet, one function each; they collect the sources for the legend.
class PlanSheet {
 public:
  PlanSheet(const Plan& plan, const catalog::Catalog& catalog, const Made& made)
      : plan_(plan), catalog_(catalog), made_(made) {}

  std::string text() {
    sheet_.title("{}: {}", plan_.name, plan_.summary);
    sheet_.paragraph(memory_and_cost());
    slice();
    add_placement(made_.placement, sheet_);
    derived_values();
    order();
    add_needed(plan_, made_.needed, sheet_);
    prose();
    versions();
    controllers();
    sources();
    return sheet_.take();
  }

 private:
  void section(std::string_view heading) {
    sheet_.section(heading);
    marked_.clear();
  }

  // Returns a mark such as `[1]` for the fact, and nothing where this section has it already. The
  // facts are listed at the end.
  std::string cite(const Evidence* evidence) {
    if (evidence == nullptr) return {};
    const std::string fact = catalog::citation(*evidence);
    const auto at = std::ranges::find(facts_, fact);
    const std::string mark = fmt::format("[{}]", at - facts_.begin() + 1);
    if (at == facts_.end()) {
      facts_.push_back(fact);
      for (std::string_view id : evidence->sources) cited_.push_back(id);
    }
    return marked_.insert(mark).second ? mark : std::string();
  }

  // People ask first whether it fits, and what it costs.
  std::string memory_and_cost() const {
    const plan::TpuSlices& tpu = plan_.tpu;
    const std::int64_t of_chip = tpu.in_generation->hbm_gb, chips = tpu.total_chips.value;
    const std::string memory =
        of_chip == 0 ? ""
                     : fmt::format("{} * {}GB = {}GB of HBM. ", text::count(chips, "chip"), of_chip,
                                   chips * of_chip);
    const plan::Cost& cost = plan_.cost;
    if (!cost.hour) return memory + fmt::format("No price: {}.", cost.per_chip_hour.reason.because);
    const std::string run = cost.run ? fmt::format(", {} a run", cost.per_run.value)
                            : plan_.has_workload && plan_.workload.of_kind->ends
                                ? ", and nothing bounds a run"
                                : "";
    if (!cost.least_per_hour.value.empty())
      return memory + fmt::format("{} to {} an hour{}.", cost.least_per_hour.value,
                                  cost.per_hour.value, run);
    // The nodes above are those of the pods.
    const std::int64_t billed = cost.chips;
    const bool has_more = billed > chips && !plan_.pools.empty() && !tpu.multi_host;
    const std::string count = text::count(billed / tpu.chips_per_host.value, "node");
    const std::string nodes = !has_more ? ""
                              : plan_.provisioning.autoscale
                                  ? fmt::format(" for {}, which the pool has at least", count)
                                  : fmt::format(" for all {} of the pool", count);
    return memory + fmt::format("At most {} an hour{}{}.", cost.per_hour.value, nodes, run);
  }

  void slice() {
    const plan::TpuSlices& tpu = plan_.tpu;
    const std::string which =
        tpu.slices > 1 ? fmt::format("Each of {} slices", tpu.slices) : "The slice";
    section(which + (tpu.multi_host ? ": chips of each host, and the index of its pod"
                                    : ": the chips of its host"));
    for (const std::string& each : picture::small_picture(plan_)) sheet_.line(each);
  }

  // A section for each part of the plan.
  void derived_values() {
    std::string part;
    for (const auto& listed : schema::reasons(schema::ref(plan_))) {
      const std::size_t dot = listed.path.find('.');
      if (listed.path.substr(0, dot) != part) {
        part = listed.path.substr(0, dot);
        section(fmt::format("Derived: {}", part));
      }
      sheet_.entry(listed.path.substr(dot + 1), listed.reason->because)
          .from(cite(listed.reason->evidence))
          .with(listed.value);
    }
  }

  void order() {
    section("Created, in this order");
    int number = 0;
    const auto add = [&](std::string_view file, const std::string& text) {
      sheet_.entry(fmt::format("{}.", ++number), text).with(file);
    };
    const auto add_objects = [&](std::string_view file, std::span<const Value> objects) {
      for (const auto& object : objects) {
        add(file,
            fmt::format("{} {}", object.text_at({"kind"}), object.text_at({"metadata", "name"})));
      }
    };
    if (!plan_.provisioning.by_scripts) {
      const std::string_view command = plan_.provisioning.owner_command;
      if (plan_.cluster.create) add(command, fmt::format("Create cluster {}", plan_.cluster.name));
      for (const plan::WorkloadPolicy& policy : plan_.policies)
        add(command, fmt::format("Create workload policy {}", policy.name));
      for (const plan::NodePool& pool : plan_.pools)
        add(command, fmt::format("Create node pool {}", pool.name));
    }
    if (const Value* steps = made_.provision.find("steps")) {
      for (const auto& step : steps->items) {
        const bool only_compares = step.find("expect") != nullptr || step.find("pools") != nullptr;
        if (!only_compares) add("provision.sh", std::string(step.text_at({"title"})));
      }
    }
    add_objects("queues.yaml", made_.queues);
    for (const plan::MadeVolume& volume : plan_.made_volumes)
      add("volumes.yaml", fmt::format("PersistentVolumeClaim {}", volume.name));
    add_objects("manifests.yaml", made_.objects);
  }

  // The entry of the template that says what becomes of the workload when Google reclaims a node;
  // empty where it does not, or where a rule of the spec says it.
  std::string_view reclaim_entry() const {
    using resolve::NodeLoss;
    using spec::Reclaimed;
    const plan::WorkloadPods& workload = plan_.workload;
    const Reclaimed again = workload.of_kind->reclaimed;
    if (plan_.provisioning.reclaiming == nullptr || again == Reclaimed::nothing) return {};
    if (!workload.on_disruption.value.empty())
      return again == Reclaimed::pod ? "replacesPod" : "restartsAll";
    const auto is_about_it = [](const Value& each) { return each.text == "DisruptionTarget"; };
    if (workload.node_loss != NodeLoss::counted ||
        yaml::find_in_tree(workload.pod_failure_rules, is_about_it) != nullptr)
      return {};
    const bool goes_on = workload.restarts.value.value_or(0) > 0;
    if (again == Reclaimed::workload) return goes_on ? "restartsSome" : "endsSet";
    if (plan_.tpu.multi_host) return goes_on ? "losesPods" : "losesSlice";
    return "countsPod";
  }

  // The reason why a reclaimed node counts as a failed pod.
  std::string_view counted_why() const {
    const plan::WorkloadPods& workload = plan_.workload;
    const auto is_bounded = [](const plan::ClassStep& step) {
      return step.run_seconds.has_value();
    };
    if (workload.said.retries.usable()) return "`retries` counts every failure";
    if (workload.restart_policy.value == "OnFailure")
      return "`restartPolicy: OnFailure` excludes a podFailurePolicy";
    if (plan_.compute_class && any_of(plan_.compute_class->steps, is_bounded))
      return "pods cannot tell it from one whose lifetime ends, which counts too";
    return "no rule of `podFailurePolicy` is about it";
  }

  // `google.com/tpu 16, memory 2Gi`
  std::string nominal_quota() const {
    std::vector<std::string> amounts;
    const auto all = [](const Value* list) {
      return list == nullptr ? std::span<const Value>() : std::span<const Value>(list->items);
    };
    for (const Value& object : made_.queues) {
      for (const Value& group : all(object.at({"spec", "resourceGroups"}))) {
        for (const Value& flavor : all(group.find("flavors"))) {
          for (const Value& resource : all(flavor.find("resources")))
            amounts.push_back(fmt::format("{} {} of {}", resource.text_at({"nominalQuota"}),
                                          resource.text_at({"name"}), flavor.text_at({"name"})));
        }
      }
    }
    return text::join(amounts, ", ");
  }

  // The boot disks of the nodes that are created.
  std::string disk_quota() const {
    const std::optional<plan::DiskQuota>& disks = made_.needed.disks;
    if (!disks) return {};
    const std::string claims =
        disks->claimed > 0 ? fmt::format(", and {} GB of claims", disks->claimed) : "";
    return fmt::format("{} GB: {} of {} GB{}", disks->total, text::count(disks->nodes, "boot disk"),
                       disks->size, claims);
  }

  // Pods, nodes and queue, by the template.
  void prose() {
    const plan::TpuSlices& tpu = plan_.tpu;
    const plan::WorkloadPods& workload = plan_.workload;
    const plan::NodeProvisioning& provisioning = plan_.provisioning;
    const bool has_hosts = !workload.host_names.empty();
    const bool reserved = provisioning.quota == catalog::QuotaKind::reserved;
    const std::string_view reclaimed = reclaim_entry();
    const bool workers =
        tpu.multislice && !tpu.multi_host && workload.of_kind->slices == spec::Slices::workers;
    const auto preempts = [](const Value& object) {
      const Value* spec = object.find("spec");
      return spec != nullptr && spec->find("preemption") != nullptr;
    };
    const bool owns_quota = any_of(made_.needed.quotas, std::not_fn(&plan::Quota::of_fallback));
    const auto quota_name = [&](std::string_view name, catalog::QuotaKind kind) {
      return name.empty()
                 ? fmt::format("the {} quota of {} (name unknown)", word(kind), tpu.generation)
                 : fmt::format("`{}`", name);
    };
    const auto fallback_quota = [&](const plan::Quota& quota) {
      return quota.of_fallback ? quota_name(quota.name, quota.kind) + quota.purpose : "";
    };
    const bool states_quota = plan_.queue && plan_.queue->quota;
    const bool shares_service =
        workload.of_kind->restarts_pods && (has_hosts || !workload.service.empty());
    schema::Pairs values{
        {"firstHost", has_hosts ? workload.host_names.front() : ""},
        {"lastHost", has_hosts ? workload.host_names.back() : ""},
        {"chips", text::count(tpu.devices / tpu.in_generation->devices_per_chip, "chip")},
        {"clients", clients()},
        {"deadline", deadline()},
        {"replicas", replicas()},
        {"metric", metric()},
        {"route", route()},
        {"leaders", leaders()},
        {"lives", lives()},
        {"warm", plan_.warm ? text::count(plan_.warm->nodes, "node") : ""},
        {"rollout", rollout()},
        {"devicesPerChip", std::to_string(tpu.in_generation->devices_per_chip)},
        {"quotaChips", text::count(provisioning.quota_chips, "chip")},
        {"quotaName", quota_name(provisioning.quota_name, provisioning.quota)},
        {"region", plan_.cluster.region.empty() ? "the cluster's region" : plan_.cluster.region},
        {"admission", provisioning.slicing != nullptr ? "nodes for each slice are free"
                      : plan_.placement.by_queue      ? "each slice fits on one node pool"
                                                      : "waits otherwise"},
        {"together", together()},
        {"slicing", slicing()},
        {"ofPools",
         plan_.queue && !plan_.queue->pools.empty()
             ? "Other node pools of the queue have flavors with quotas of their own, and of specs "
               "of one run on one pool the largest counts."
             : "Of specs of one run that share the queue, those on different node pools add up, "
               "and of those on one pool the largest counts."},
        {"nominalQuota", states_quota ? "" : nominal_quota()},
        {"statedQuota", states_quota ? nominal_quota() : ""},
        {"diskQuota", disk_quota()},
        {"reserved", reserved ? "yes" : ""},
        {"ownQuota", owns_quota ? "yes" : ""},
        {"theirQuota", owns_quota || reserved ? "" : "yes"},
        {"fallbackQuotas", text::join(texts(made_.needed.quotas, fallback_quota), "; ")},
        {"slices", tpu.multislice && !workers ? "yes" : ""},
        {"workers", workers ? "yes" : ""},
        {reclaimed.empty() ? "-" : std::string(reclaimed), "yes"},
        {"countedWhy", std::string(counted_why())},
        {"afterLoss", workload.schedule ? "The next start is another attempt."
                                        : "With `retries` the workload starts again."},
        {"restarts", text::count(workload.restarts.value.value_or(0), "time")},
        {"attempts", fmt::format("{} at most: {} starts again",
                                 text::count(workload.said.retries.value + 1, "attempt"),
                                 workers ? "each worker" : "the whole workload")},
        {"onlyOrdered", !workload.said.priority_class.usable() || !provisioning.priority.empty() ||
                                any_of(made_.queues, preempts)
                            ? ""
                            : "yes"},
        {"preempts", provisioning.their_queue
                         ? "Whether a running workload is preempted depends on the ClusterQueue."
                     : any_of(made_.queues, preempts)
                         ? "The patched ClusterQueue says which running workloads are preempted."
                         : "A running workload is not preempted, because the ClusterQueue "
                           "configures no preemption."},
        {"onlyOnNodes",
         workload.said.priority_class.usable() && !provisioning.priority.empty() ? "yes" : ""},
        {"headPrice", plan_.cost.head_per_hour.value},
        {"noHeadPrice", plan_.pathways && plan_.cost.head_per_hour.value.empty() ? "yes" : ""},
        {"sharesService", shares_service ? "yes" : ""},
        {"ownQueue", plan_.queue && plan_.has_workload ? "yes" : ""},
        {"leavesService",
         workload.service.empty() || !workload.ttl_after_finished.value ? "" : "yes"},
    };
    if (workload.schedule) std::ranges::move(of_starts(plan_), std::back_inserter(values));
    const Evidence& of_jax = evidence_of(catalog::PortUse::jax);
    const Evidence& of_slices = evidence_of(catalog::PortUse::multislice);
    const bool joined = tpu.multislice && !workers;
    if ((tpu.multi_host || joined) && nodes_come_late()) {
      values.emplace_back("hostsWait", of_jax.note);
      if (joined) values.emplace_back("slicesWait", of_slices.note);
    }
    const catalog::Quota* quota = find_quota(*tpu.in_generation, provisioning.quota);
    const std::map<std::string, const Evidence*> evidence{
        {"", nullptr},
        {"generation", &tpu.in_generation->evidence},
        {"slicing", &tpu.in_generation->slicing.evidence},
        {"model", &provisioning.by_model->evidence},
        {"headPrice", plan_.cost.head_per_hour.reason.evidence},
        {"hostsWait", &of_jax},
        {"checkpoints", evidence_of("multi-tier-checkpointing")},
        {"warm", evidence_of("capacity-buffer")},
        {"slicesWait", &of_slices},
        {"quota", quota == nullptr ? nullptr : &quota->evidence}};
    const templates::Scope of_plan{{}, schema::ref(plan_)};
    const Value sections =
        templates::expand({}, "explain/plan", {"text", schema::ref(values), &of_plan});
    for (const Value& each : sections.items) {
      const Value* entries = each.find("entries");
      if (entries == nullptr) continue;
      section(each.text_at({"section"}));
      for (const Value& entry : entries->items)
        sheet_.entry(entry.text_at({"label"}), entry.text_at({"text"}))
            .from(cite(evidence.at(std::string(entry.text_at({"source"})))));
    }
  }

  const Evidence* evidence_of(std::string_view feature) const {
    const catalog::Feature* found = catalog::find_feature(catalog_, feature);
    return found == nullptr ? nullptr : &found->evidence;
  }
  const Evidence& evidence_of(catalog::PortUse use) const {
    return find_where(catalog_.ports, [&](const catalog::Port& port) { return port.when == use; })
        ->evidence;
  }
  // Processes of a run may start long after each other, for want of nodes.
  bool nodes_come_late() const {
    const plan::NodeProvisioning& provisioning = plan_.provisioning;
    const spec::WorkloadKind& kind = *plan_.workload.of_kind;
    return kind.ends && !kind.ray &&
           (provisioning.by_model->nodes == catalog::FirstNodes::none ||
            provisioning.by_model->reclaims_nodes || !provisioning.queue.empty() ||
            provisioning.autoscale);
  }

  // How a slice stays together where Kueue places no pods.
  std::string together() const {
    const plan::PodPlacement& placement = plan_.placement;
    if (placement.exclusive) return "exclusive placement gives each slice a node pool of its own";
    if (placement.together)
      return "affinity keeps the pods together on a node pool, and anti-affinity keeps other Jobs "
             "away";
    if (placement.apart) return "anti-affinity keeps other Jobs off the node pool";
    return plan_.tpu.multi_host ? "the pods select their node pools" : "each slice is one host";
  }

  std::string slicing() const {
    const catalog::Slicing* slicing = plan_.provisioning.slicing;
    if (slicing == nullptr) return {};
    return fmt::format("{} on {} of {}. {}", slicing->title,
                       text::count(plan_.placement.pools, "node pool"),
                       plan_.provisioning.pool_topology, slicing->evidence.note);
  }

  std::string leaders() const {
    if (plan_.ordinary_pods == 0) return {};
    std::int64_t count = plan_.ordinary_pods;
    std::string added_pods;
    for (const catalog::AddedPod* added : plan_.added_pods) {
      if (plan::added_to(*added, made_.objects) != plan::AddedTo::own_pod) continue;
      ++count;
      added_pods +=
          fmt::format(", and one that {} ({} CPU, {})", added->purpose, added->cpu, added->memory);
    }
    for (const plan::OrdinaryGroup& group : plan::ordinary_groups(made_.objects)) {
      count += group.pods;
      added_pods += fmt::format(", and {}{} of worker group {}", group.scales ? "up to " : "",
                                group.pods, group.name);
    }
    return fmt::format("{} on ordinary nodes: {}{}", text::count(count, "pod"),
                       plan_.ray        ? "the head of Ray"
                       : plan_.pathways ? "the head of Pathways"
                                        : "the leaders",
                       added_pods);
  }

  std::string clients() const {
    const auto ports = texts(plan_.workload.service_ports, [](const plan::ContainerPort& port) {
      return std::to_string(port.number.value);
    });
    return fmt::format("Service {}{}, port {}, in the cluster only", plan_.name,
                       plan_.workload.of_kind->client_part, text::join(ports, ", "));
  }

  std::string replicas() const {
    if (!plan_.autoscaling) return {};
    const bool by_gke = plan_.cluster.autopilot || plan_.compute_class;
    return fmt::format(
        "{} to {}, by HorizontalPodAutoscaler {}. Each is on {} of its own{}",
        plan_.autoscaling->min, plan_.autoscaling->max, plan_.name,
        plan_.tpu.multi_host ? "a slice" : "a node",
        plan_.provisioning.autoscale || by_gke ? ", which exists only while the replica does" : "");
  }

  std::string metric() const {
    if (!plan_.autoscaling) return {};
    const plan::ReplicaScaler& scaling = *plan_.autoscaling;
    if (!scaling.resource.empty())
      return fmt::format("{}, {} % of what the pods request on average", scaling.resource,
                         scaling.percentage.value_or(0));
    const std::string from =
        scaling.port.value ? fmt::format(", from port {} of each replica", *scaling.port.value)
                           : "";
    return fmt::format("{}{}, {} on average. While it is missing, no replica is removed",
                       scaling.metric.value, from, scaling.average);
  }

  std::string route() const {
    if (!plan_.gateway) return {};
    const plan::ModelRoute& gateway = *plan_.gateway;
    return fmt::format(
        "Gateway {}{}{} sends {} to InferencePool {}, whose replica Service {} chooses",
        gateway.name_space.empty() ? "" : gateway.name_space + "/", gateway.name,
        gateway.class_name.empty() ? "" : fmt::format(" of class {}", gateway.class_name),
        gateway.header.empty()
            ? std::string("all requests")
            : fmt::format("requests with {}: {}", gateway.header_name, gateway.header),
        plan_.name, gateway.picker.value);
  }

  std::string deadline() const {
    const auto& seconds = plan_.workload.active_deadline.value;
    return seconds && plan_.provisioning.queue.empty() ? schema::duration_text(*seconds) : "";
  }

  // How long the nodes of a host can be billed.
  std::string lives() const {
    const catalog::Model& model = *plan_.provisioning.by_model;
    if (plan_.compute_class) {
      for (const plan::ClassStep& step : plan_.compute_class->steps) {
        if (!step.run_seconds && find_model(catalog_, step.model)->default_run_seconds == 0)
          return fmt::format("no bound with {}: nothing limits the lifetime of these nodes",
                             step.title);
      }
    }
    const std::int64_t claimed =
        text::whole_number(plan_.provisioning.max_run_seconds.value).value_or(0);
    const std::int64_t lifetime = claimed > 0 ? claimed : model.default_run_seconds;
    if (lifetime == 0) return {};
    const std::string life = schema::duration_text(lifetime);
    const plan::WorkloadPods& workload = plan_.workload;
    if (!workload.node_lives)
      return fmt::format(
          "no bound: a pod whose node has ended gets another, for {} again, until "
          "the workload {}",
          life, workload.of_kind->ends ? "ends" : "is deleted");
    if (*workload.node_lives == 1)
      return fmt::format("{} for each host: a pod whose node has ended is not replaced", life);
    return fmt::format("{} * {} = {} for each host: a pod whose node has ended gets another, {}",
                       *workload.node_lives, life,
                       schema::duration_text(*workload.node_lives * lifetime),
                       text::count(*workload.node_lives - 1, "time"));
  }

  std::string rollout() const {
    const bool is_service = plan_.workload.of_kind->object == "RayService";
    if (is_service && !plan_.provisioning.queue.empty())
      return "KubeRay ignores it: the queue has admitted the nodes of one Ray cluster";
    if (is_service)
      return "KubeRay starts a second Ray cluster beside the old one, which needs as many nodes "
             "again";
    if (!plan_.rollout) return {};
    return plan_.rollout->max_surge > 0
               ? fmt::format("{} of it at a time beside the old ones",
                             text::count(plan_.rollout->max_surge, "replica"))
               : std::string("replica by replica: one ends before the next one starts, since ") +
                     plan_.rollout->max_surge.reason.because;
  }

  void versions() {
    section("Minimum GKE version");
    for (const auto& need : plan_.needs)
      sheet_.entry(need.version, "for " + need.what).from(cite(need.evidence));
  }

  void controllers() {
    section("Controller versions");
    for (const auto& [controller, minimum] : plan_.controllers) {
      const Evidence& evidence = minimum->evidence;
      sheet_
          .entry(controller->name, "for {}{}{}", minimum->title, evidence.note.empty() ? "" : ". ",
                 evidence.note)
          .from(cite(&evidence))
          .with(catalog::versions_text(*minimum));
    }
  }

  // Facts as they were cited, sources in the catalog's order.
  void sources() {
    section("Facts");
    for (std::size_t i = 0; i < facts_.size(); ++i)
      sheet_.entry(fmt::format("[{}]", i + 1), facts_[i]);
    section("Sources");
    for (const auto& source : catalog_.sources) {
      if (contains(cited_, source.id))
        sheet_.entry(source.id, "{} ({}){}{}", source.title, source.date,
                     source.url.empty() ? "" : " ", source.url);
    }
  }

  const Plan& plan_;
  const catalog::Catalog& catalog_;
  const Made& made_;
  explain::Sheet sheet_;
  std::vector<std::string> facts_;
  std::set<std::string> marked_;  // in this section
  std::vector<std::string_view> cited_;
};

}  // namespace

std::string plan_text(const Plan& plan, const catalog::Catalog& catalog, const Made& made) {
  return PlanSheet(plan, catalog, made).text();
}

}  // namespace flexslice::explain
