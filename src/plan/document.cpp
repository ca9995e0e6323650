#include "plan/plan.hpp"

namespace flexslice::plan {

using yaml::Value;

namespace {

// Sets the member unless there is nothing to say.
void put(Value& mapping, std::string_view key, std::string_view text) {
  if (!text.empty()) mapping.add(key, Value::string(text));
}

Value pairs(const Pairs& pairs) {
  Value mapping = Value::mapping();
  for (const auto& [key, value] : pairs) mapping.add(key, Value::string(value));
  return mapping;
}

// `a=1,b=2`, as gcloud takes it.
std::string comma_list(const Pairs& pairs) {
  std::string joined;
  for (const auto& [key, value] : pairs) joined += text::format("{}{}={}", joined.empty() ? "" : ",", key, value);
  return joined;
}

Value cluster(const Cluster& cluster) {
  Value made = Value::mapping(12);
  put(made, "name", cluster.name);
  put(made, "location", cluster.location);
  put(made, "region", cluster.region);
  put(made, "project", cluster.project);
  put(made, "version", cluster.version);
  made.add("autopilot", Value::boolean(cluster.autopilot));
  made.add("standard", Value::boolean(!cluster.autopilot));
  made.add("create", Value::boolean(cluster.create));
  put(made, "addons", cluster.addons);
  put(made, "workloadPool", cluster.workload_pool);
  put(made, "machineType", cluster.machine_type);
  return made;
}

Value tpu(const Tpu& tpu) {
  const std::int64_t chips = tpu.topology.chips();
  Value made = Value::mapping(14);
  made.add("generation", Value::string(tpu.generation->id));
  made.add("accelerator", Value::string(tpu.machine->accelerator));
  made.add("machineType", Value::string(tpu.machine->name));
  made.add("topology", Value::string(tpu.topology.text()));
  made.add("chips", Value::number(chips));
  made.add("chipsPerHost", Value::number(tpu.machine->chips));
  // Kubernetes compares quantities as text when it applies; a bare number would make every apply a change.
  made.add("request", Value::string(std::to_string(tpu.machine->chips)));
  made.add("hosts", Value::number(tpu.hosts));
  made.add("multiHost", Value::boolean(tpu.multi_host()));
  made.add("slices", Value::number(tpu.slices));
  made.add("multislice", Value::boolean(tpu.slices > 1));
  made.add("totalChips", Value::number(chips * tpu.slices));
  made.add("totalHosts", Value::number(tpu.hosts * tpu.slices));
  made.add("devices", Value::number(chips * tpu.slices * tpu.generation->devices_per_chip));
  return made;
}

Value pools(const std::vector<Pool>& pools) {
  Value made = Value::sequence();
  for (const Pool& pool : pools) {
    Value& each = made.push(Value::mapping(4));
    each.add("name", Value::string(pool.name));
    each.add("nodes", Value::number(pool.nodes));
    put(each, "tpuTopology", pool.tpu_topology);
    put(each, "placementPolicy", pool.placement_policy);
  }
  return made;
}

Value policies(const std::vector<Policy>& policies) {
  Value made = Value::sequence();
  for (const Policy& policy : policies) {
    Value& each = made.push(Value::mapping(4));
    each.add("name", Value::string(policy.name));
    each.add("region", Value::string(policy.region));
    each.add("topology", Value::string(policy.topology));
  }
  return made;
}

// Names of the Kueue objects. lower adds what the pods request.
Value queue(const Plan& plan) {
  const Provisioning& provisioning = plan.provisioning;
  Value made = Value::mapping();
  made.add("flavor", Value::string(provisioning.flavor));
  if (provisioning.placed_by_queue) made.add("topology", Value::string("tpu-slices"));
  if (provisioning.model->needs_queue) made.add("check", Value::string(provisioning.queue + "-nodes"));
  return made;
}

Value reservation(const Reservation& reservation) {
  Value made = Value::mapping();
  put(made, "path", reservation.path);
  put(made, "name", reservation.name);
  put(made, "project", reservation.project);
  put(made, "block", reservation.block);
  put(made, "subBlock", reservation.sub_block);
  return made;
}

Value provisioning(const Provisioning& provisioning, const catalog::Generation& generation) {
  const catalog::Quota* quota = catalog::find_quota(generation, provisioning.model->quota);
  Value made = Value::mapping(16);
  made.add("model", Value::string(provisioning.model->name));
  made.add("title", Value::string(provisioning.model->title));
  made.add("idle", Value::string(provisioning.idle));
  made.add("lifetime", Value::string(provisioning.lifetime));
  made.add("quota", Value::string(provisioning.model->quota));
  put(made, "quotaName", quota == nullptr ? std::string_view() : quota->name);
  made.add("quotaChips", Value::number(provisioning.quota_chips));
  made.add("zones", Value::strings(provisioning.zones));
  put(made, "zoneList", text::join(provisioning.zones, ","));
  if (provisioning.zones.size() == 1) made.add("zone", Value::string(provisioning.zones.front()));
  if (provisioning.max_run_seconds > 0) {
    made.add("maxRunSeconds", Value::string(std::to_string(provisioning.max_run_seconds)));
    // Without a node pool of one's own the pods ask for the lifetime.
    if (provisioning.pools.empty()) made.add("autopilotRunSeconds", made["maxRunSeconds"]);
  }
  if (!provisioning.reservation.path.empty()) made.add("reservation", reservation(provisioning.reservation));
  put(made, "queue", provisioning.queue);
  put(made, "resourceLabels", comma_list(provisioning.resource_labels));
  put(made, "nodeLabels", comma_list(provisioning.node_labels));
  return made;
}

// Puts the reason on the value at `path`; a list on the way stands for each of its elements.
void annotate(Value& value, std::string_view path, const std::string& because) {
  if (value.is_sequence()) {
    for (Value& item : value.items) annotate(item, path, because);
  } else if (path.empty()) {
    value.comment = because;
  } else {
    const std::size_t dot = path.find('.');
    Value* member = value.find(path.substr(0, dot));
    if (member != nullptr) annotate(*member, dot == std::string_view::npos ? std::string_view() : path.substr(dot + 1), because);
  }
}

// `v6e 4x4 with flex-start: 16 chips, 4 nodes of ct6e-standard-4t`.
std::string summary(const Plan& plan) {
  const std::string slices = plan.tpu.slices > 1 ? text::count(plan.tpu.slices, "slice") + " of " : "";
  return text::format("{}{} {} with {}: {} on {} of {}", slices, plan.tpu.generation->id, plan.tpu.topology.text(),
                      plan.provisioning.model->title, text::count(plan.tpu.topology.chips() * plan.tpu.slices, "chip"),
                      text::count(plan.tpu.hosts * plan.tpu.slices, "node"), plan.tpu.machine->name);
}

}  // namespace

Value values(const Plan& plan) {
  Value made = Value::mapping(24);
  made.add("apiVersion", Value::string("flexslice-plan/v1"));
  made.add("name", Value::string(plan.name));
  made.add("summary", Value::string(summary(plan)));
  put(made, "namespace", plan.name_space);
  made.add("labels", pairs(plan.labels));
  made.add("annotations", pairs(plan.annotations));
  made.add("cluster", cluster(plan.cluster));
  made.add("tpu", tpu(plan.tpu));
  made.add("provisioning", provisioning(plan.provisioning, *plan.tpu.generation));
  if (!plan.provisioning.queue.empty()) made.add("queue", queue(plan));
  made.add("pools", pools(plan.provisioning.pools));
  made.add("policies", policies(plan.provisioning.policies));
  Value& workload = made.add("workload", plan.workload.fields);
  workload.add("kind", Value::string(plan.workload.kind));
  put(workload, "service", plan.workload.service);
  if (!plan.workload.host_names.empty()) workload.add("hostNames", Value::strings(plan.workload.host_names));
  for (const Reason& reason : plan.reasons) annotate(made, reason.path, reason.because);
  return made;
}

Value document(const Plan& plan) {
  Value made = values(plan);
  Value& needs = made.add("needs", Value::sequence());
  for (const Need& need : plan.needs) {
    Value& each = needs.push(Value::mapping());
    each.add("version", Value::string(need.version));
    each.add("for", Value::string(need.what));
    put(each, "source", catalog::citation(*need.evidence));
  }
  Value& controllers = made.add("controllers", Value::sequence());
  for (const ControllerNeed& need : plan.controllers) {
    Value& each = controllers.push(Value::mapping());
    each.add("name", Value::string(need.controller->name));
    Value& versions = each.add("versions", Value::sequence());
    for (std::string_view version : need.minimum->versions) versions.push(Value::string(version));
    each.add("for", Value::string(need.minimum->title));
    put(each, "source", catalog::citation(need.minimum->evidence));
  }
  Value& reasons = made.add("reasons", Value::sequence());
  for (const Reason& reason : plan.reasons) {
    Value& each = reasons.push(Value::mapping());
    each.add("path", Value::string(reason.path));
    each.add("because", Value::string(reason.because));
    if (reason.evidence != nullptr) put(each, "source", catalog::citation(*reason.evidence));
  }
  return made;
}

}  // namespace flexslice::plan
