// Node pools and what they carry. On Autopilot there are none: GKE makes nodes from the pods' selectors.
#include <algorithm>

#include "plan/steps.hpp"

namespace flexslice::plan {

using diag::Code;

namespace {

std::int64_t resolve_nodes(const Context& context) {
  const Tpu& tpu = context.plan.tpu;
  const record::Integer& given = context.spec.provisioning.max_nodes;
  if (!tpu.multi_host()) {
    context.because("pools.nodes", given.where.given ? "provisioning.maxNodes, for each zone" : "one pod, one host");
    return usable(given.where) ? given.value : 1;
  }
  if (usable(given.where) && given.value != tpu.hosts) {
    context.sink.report<Code::NodesContradictHosts>(given.where.span, hosts_sum(tpu), given.value)
        .note("a multi-host node pool is created as a whole: it has 0 nodes or as many as the slice has hosts")
        .help(text::format("write {}, or leave `maxNodes` out", tpu.hosts))
        .fix(given.where.span, std::to_string(tpu.hosts));
  }
  context.because("pools.nodes", hosts_sum(tpu), &tpu.machine->evidence);
  return tpu.hosts;
}

std::string base_name(const Context& context) {
  const record::Text& given = context.spec.provisioning.node_pool;
  return usable(given.where) ? given.value : context.plan.name + "-pool";
}

void make_pools(const Context& context, std::int64_t nodes) {
  Plan& plan = context.plan;
  const bool by_policy = plan.tpu.multi_host() && plan.tpu.generation->placement != "topology";
  const bool by_topology = plan.tpu.multi_host() && plan.tpu.generation->placement != "policy";
  if (by_policy) {
    plan.provisioning.policies.push_back({plan.name + "-policy", std::string(plan.cluster.region), plan.tpu.topology.text()});
    context.because("policies.topology",
                    text::format("multi-host {} pools take their shape from a workload policy", plan.tpu.generation->id),
                    &plan.tpu.generation->evidence);
  }
  for (std::int64_t slice = 0; slice < plan.tpu.slices; ++slice) {
    Pool pool;
    pool.name = base_name(context) + (plan.tpu.slices > 1 ? "-" + std::to_string(slice) : "");
    pool.nodes = nodes;
    if (by_topology) pool.tpu_topology = plan.tpu.topology.text();
    if (by_policy) pool.placement_policy = plan.provisioning.policies.front().name;
    plan.provisioning.pools.push_back(std::move(pool));
  }
}

// Google Cloud's labels: lower-case letters, digits, `-` and `_`, at most 63, keys starting with a letter.
bool is_resource_label(std::string_view key, std::string_view value) {
  const auto fits = [](std::string_view text) {
    return text.size() <= 63 && std::all_of(text.begin(), text.end(), [](char c) {
             return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
           });
  };
  return !key.empty() && key.front() >= 'a' && key.front() <= 'z' && fits(key) && fits(value);
}

void label_pools(const Context& context) {
  for (const auto& entry : context.spec.labels.entries) {
    if (!usable(entry.key.where) || !usable(entry.value.where)) continue;
    if (catalog::find_reserved(context.catalog.reserved_labels, entry.key.value) != nullptr) continue;  // an error already
    if (!is_resource_label(entry.key.value, entry.value.value)) {
      context.sink.report<Code::LabelNotOnPool>(entry.key.where.span, entry.key.value);
    }
  }
  for (const auto& [key, value] : context.plan.labels) {
    if (is_resource_label(key, value)) context.plan.provisioning.resource_labels.emplace_back(key, value);
  }
}

// A single-host pool may grow to its most in every zone; a slice has its hosts and no more.
void count_quota(const Context& context) {
  Plan& plan = context.plan;
  std::int64_t nodes = plan.tpu.hosts * plan.tpu.slices;
  std::string zones;
  if (!plan.provisioning.pools.empty() && !plan.tpu.multi_host()) {
    nodes = plan.provisioning.pools.front().nodes;
    const auto count = static_cast<std::int64_t>(plan.provisioning.zones.size());
    if (count > 1) zones = text::format(" * {} zones", count);
    plan.provisioning.quota_chips = nodes * std::max<std::int64_t>(count, 1) * plan.tpu.machine->chips;
  } else {
    plan.provisioning.quota_chips = nodes * plan.tpu.machine->chips;
  }
  context.because("provisioning.quotaChips",
                  text::format("{}{} * {}", text::count(nodes, "node"), zones, text::count(plan.tpu.machine->chips, "chip")));
}

}  // namespace

void resolve_pools(const Context& context) {
  const Plan& plan = context.plan;
  if (plan.tpu.machine == nullptr || context.spec.name.where.bad) return;
  if (!plan.cluster.autopilot) {
    make_pools(context, resolve_nodes(context));
    label_pools(context);
  }
  count_quota(context);
}

}  // namespace flexslice::plan
