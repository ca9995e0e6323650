#include "plan/plan.hpp"

namespace flexslice::plan {

using yaml::Value;

namespace {

// Sets the member unless there is nothing to say.
void put(Value& mapping, std::string_view key, std::string_view text) {
  if (!text.empty()) mapping[key] = Value::string(text);
}

Value pairs(const Pairs& pairs) {
  Value mapping = Value::mapping();
  for (const auto& [key, value] : pairs) mapping[key] = Value::string(value);
  return mapping;
}

// `a=1,b=2`, as gcloud takes it.
std::string comma_list(const Pairs& pairs) {
  std::string joined;
  for (const auto& [key, value] : pairs) joined += text::format("{}{}={}", joined.empty() ? "" : ",", key, value);
  return joined;
}

Value cluster(const Cluster& cluster) {
  Value made = Value::mapping();
  put(made, "name", cluster.name);
  put(made, "location", cluster.location);
  put(made, "region", cluster.region);
  put(made, "project", cluster.project);
  put(made, "version", cluster.version);
  made["autopilot"] = Value::boolean(cluster.autopilot);
  made["standard"] = Value::boolean(!cluster.autopilot);
  made["create"] = Value::boolean(cluster.create);
  put(made, "addons", cluster.addons);
  put(made, "workloadPool", cluster.workload_pool);
  return made;
}

Value tpu(const Tpu& tpu) {
  const std::int64_t chips = tpu.topology.chips();
  Value made = Value::mapping();
  made["generation"] = Value::string(tpu.generation->id);
  made["accelerator"] = Value::string(tpu.machine->accelerator);
  made["machineType"] = Value::string(tpu.machine->name);
  made["topology"] = Value::string(tpu.topology.text());
  made["chips"] = Value::number(chips);
  made["chipsPerHost"] = Value::number(tpu.machine->chips);
  // Kubernetes compares quantities as text when it applies; a bare number would make every apply a change.
  made["request"] = Value::string(std::to_string(tpu.machine->chips));
  made["hosts"] = Value::number(tpu.hosts);
  made["multiHost"] = Value::boolean(tpu.multi_host());
  made["slices"] = Value::number(tpu.slices);
  made["multislice"] = Value::boolean(tpu.slices > 1);
  made["totalChips"] = Value::number(chips * tpu.slices);
  made["totalHosts"] = Value::number(tpu.hosts * tpu.slices);
  made["devices"] = Value::number(chips * tpu.slices * tpu.generation->devices_per_chip);
  return made;
}

Value pools(const std::vector<Pool>& pools) {
  Value made = Value::sequence();
  for (const Pool& pool : pools) {
    Value& each = made.push(Value::mapping());
    each["name"] = Value::string(pool.name);
    each["nodes"] = Value::number(pool.nodes);
    put(each, "tpuTopology", pool.tpu_topology);
    put(each, "placementPolicy", pool.placement_policy);
  }
  return made;
}

Value policies(const std::vector<Policy>& policies) {
  Value made = Value::sequence();
  for (const Policy& policy : policies) {
    Value& each = made.push(Value::mapping());
    each["name"] = Value::string(policy.name);
    each["region"] = Value::string(policy.region);
    each["topology"] = Value::string(policy.topology);
  }
  return made;
}

// Names and amounts of the Kueue objects.
Value queue(const Plan& plan) {
  const Provisioning& provisioning = plan.provisioning;
  Value made = Value::mapping();
  made["flavor"] = Value::string(text::format("{}-{}-{}", plan.tpu.generation->id, plan.tpu.topology.text(), provisioning.model->name));
  if (provisioning.placed_by_queue) made["topology"] = Value::string("tpu-slices");
  if (provisioning.model->needs_queue) made["check"] = Value::string(provisioning.queue + "-nodes");
  Value names = Value::sequence();
  Value resources = Value::sequence();
  for (const auto& [name, quota] : provisioning.quotas) {
    names.push(Value::string(name));
    Value& each = resources.push(Value::mapping());
    each["name"] = Value::string(name);
    each["quota"] = Value::string(quota);
  }
  made["resourceNames"] = std::move(names);
  made["resources"] = std::move(resources);
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
  Value made = Value::mapping();
  made["model"] = Value::string(provisioning.model->name);
  made["title"] = Value::string(provisioning.model->title);
  made["idle"] = Value::string(provisioning.model->idle);
  made["lifetime"] = Value::string(provisioning.model->lifetime);
  made["quota"] = Value::string(provisioning.model->quota);
  put(made, "quotaName", quota == nullptr ? std::string_view() : quota->name);
  made["quotaChips"] = Value::number(provisioning.quota_chips);
  made["zones"] = Value::strings(provisioning.zones);
  put(made, "zoneList", text::join(provisioning.zones, ","));
  if (provisioning.max_run_seconds > 0) {
    made["maxRunSeconds"] = Value::string(std::to_string(provisioning.max_run_seconds));
    // Without a node pool of one's own the pods ask for the lifetime.
    if (provisioning.pools.empty()) made["autopilotRunSeconds"] = made["maxRunSeconds"];
  }
  if (!provisioning.reservation.path.empty()) made["reservation"] = reservation(provisioning.reservation);
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
  Value made = Value::mapping();
  made.members.reserve(24);
  made["apiVersion"] = Value::string("flexslice-plan/v1");
  made["name"] = Value::string(plan.name);
  made["summary"] = Value::string(summary(plan));
  put(made, "namespace", plan.name_space);
  made["labels"] = pairs(plan.labels);
  made["annotations"] = pairs(plan.annotations);
  made["cluster"] = cluster(plan.cluster);
  made["tpu"] = tpu(plan.tpu);
  made["provisioning"] = provisioning(plan.provisioning, *plan.tpu.generation);
  if (!plan.provisioning.queue.empty()) made["queue"] = queue(plan);
  made["pools"] = pools(plan.provisioning.pools);
  made["policies"] = policies(plan.provisioning.policies);
  Value& workload = made["workload"] = plan.workload.fields;
  workload["kind"] = Value::string(plan.workload.kind);
  put(workload, "service", plan.workload.service);
  if (!plan.workload.host_names.empty()) workload["hostNames"] = Value::strings(plan.workload.host_names);
  for (const Reason& reason : plan.reasons) annotate(made, reason.path, reason.because);
  return made;
}

Value document(const Plan& plan) {
  Value made = values(plan);
  Value& needs = made["needs"] = Value::sequence();
  for (const Need& need : plan.needs) {
    Value& each = needs.push(Value::mapping());
    each["version"] = Value::string(need.version);
    each["for"] = Value::string(need.what);
    put(each, "source", catalog::citation(*need.evidence));
  }
  Value& reasons = made["reasons"] = Value::sequence();
  for (const Reason& reason : plan.reasons) {
    Value& each = reasons.push(Value::mapping());
    each["path"] = Value::string(reason.path);
    each["because"] = Value::string(reason.because);
    if (reason.evidence != nullptr) put(each, "source", catalog::citation(*reason.evidence));
  }
  return made;
}

}  // namespace flexslice::plan
