// The world of the run has the nodes that a command creates, and the pods of a template.
#include "rules/world.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "catalog/flag_values.hpp"
#include "rules/command_rules.hpp"
#include "rules/file_judge.hpp"
#include "rules/object_rules.hpp"
#include "rules/pod_rules.hpp"
#include "rules/references.hpp"
#include "schema/placeholder.hpp"
#include "spec/derived_keys.hpp"
#include "view/read_commands.hpp"
#include "view/read_objects.hpp"

namespace flexslice::rules {

namespace {

// The name in `projects/P/reservations/R/reservationBlocks/B` is `R`.
Text name_of_reservation(Text reservation) {
  constexpr std::string_view folder = "reservations/";
  std::string& path = reservation.value;
  if (const std::size_t at = path.find(folder); at != path.npos) path.erase(0, at + folder.size());
  path.resize(std::min(path.find('/'), path.size()));
  return reservation;
}

Text selected_label(const view::PodClaims& pod, std::string_view label) {
  for (const auto& [key, value] : pod.claims.workload.node_selector.entries) {
    if (key.value == label) return value;
  }
  return {};
}

// The terms of the node affinity that the pods need, or null.
const Node* node_terms(const Node& spec) {
  return spec.at({"affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution",
                  "nodeSelectorTerms"});
}

// Lists the node pools of which the affinity of the pods names several.
std::vector<Text> named_pools(const Node& spec) {
  const Node* terms = node_terms(spec);
  // Any of several terms may hold.
  if (terms == nullptr || terms->items.size() != 1) return {};
  for (const Node& expression : items(terms->items.front(), "matchExpressions")) {
    const std::span<const Node> values = items(expression, "values");
    if (expression.text_at({"key"}) != resolve::pool_label ||
        expression.text_at({"operator"}) != "In" || values.size() < 2)
      continue;
    std::vector<Text> names;
    for (const Node& value : values) names.push_back(claimed_name(value));
    if (std::ranges::all_of(names, &Text::usable)) return names;
  }
  return {};
}

// The ProvisioningRequest that the pods consume, or none.
std::string request_of(const view::PodClaims& pod) {
  const Node* annotations = pod.metadata == nullptr ? nullptr : pod.metadata->find("annotations");
  if (annotations == nullptr) return {};
  for (const yaml::Member& each : annotations->members) {
    if (each.key.text.ends_with("/consume-provisioning-request")) return each.value.text;
  }
  return {};
}

// Returns whether the file names nobody who makes a ProvisioningRequest for the pods.
bool waits_alone(const view::PodClaims& pod) {
  // A PodTemplate has no pods: a ProvisioningRequest names it.
  return says_all(pod.completeness) && !pod.is_made && !pod.queue.where.given &&
         pod.kind.value != "PodTemplate" && request_of(pod).empty();
}

// The nodes of a pool without a topology are single hosts; a policy may have one.
std::optional<Topology> host_shape(const view::PoolClaims& pool, const Facts& facts) {
  const MachineType* machine = facts.claimed;
  for (std::string_view flag : {"--tpu-topology", "--placement-policy", "--placement-type"}) {
    if (pool.find(flag) != nullptr) return std::nullopt;
  }
  if (machine == nullptr || !pool.complete || !pool.block.open.empty()) return std::nullopt;
  for (const Shape& shape : machine->shapes) {
    if (shape.topology.chips() == machine->chips) return shape.topology;
  }
  return std::nullopt;
}

// Nodes that the pool has at most; nothing: it is not known.
std::optional<std::int64_t> most_nodes(const view::PoolClaims& pool) {
  const auto number = [&](std::string_view flag) -> std::optional<std::int64_t> {
    const Text value = value_of(pool, flag);
    return value.usable() ? text::whole_number(value.value) : std::nullopt;
  };
  if (const auto total = number("--total-max-nodes")) return total;
  const bool is_scaled = pool.find("--enable-autoscaling") != nullptr;
  const auto each = number(is_scaled ? "--max-nodes" : "--num-nodes");
  if (!each) return std::nullopt;
  const auto& zones = pool.claims.provisioning.zones;
  if (zones.where.given)
    return zones.where.usable() ? std::optional(*each * std::ssize(zones.items)) : std::nullopt;
  const Text& location = pool.claims.cluster.location;
  // In a region, there are as many zones as the cluster has.
  return location.usable() && schema::matches(schema::Pattern::zone, location.value) ? each
                                                                                     : std::nullopt;
}

bool has_switch(const view::PoolClaims& pool, std::string_view flag) {
  const view::FlagClaim* claim = pool.find(flag);
  return claim != nullptr && claim->value.value != "false";
}

bool starts_at_zero(const view::PoolClaims& pool) {
  const auto is_zero = [&](std::string_view flag) {
    const Text value = value_of(pool, flag);
    return !value.where.given || value.value == "0";
  };
  return pool.find("--enable-autoscaling") != nullptr && pool.find("--num-nodes") != nullptr &&
         is_zero("--num-nodes") && is_zero("--min-nodes") && is_zero("--total-min-nodes");
}

// Lists the models all of whose flags the command has.
std::vector<const Model*> flag_models(const view::PoolClaims& pool, const Catalog& catalog) {
  std::vector<const Model*> models;
  for (const Model& model : catalog.models) {
    const bool has_all = std::ranges::all_of(view::model_flags, [&](const view::ModelFlag& each) {
      return !(model.*each.means) || has_switch(pool, each.flag);
    });
    if (has_all) models.push_back(&model);
  }
  return models;
}

std::vector<Text> flag_items(const view::PoolClaims& pool, std::string_view name) {
  const view::FlagClaim* flag = pool.find(name);
  return flag == nullptr ? std::vector<Text>() : flag->items();
}

void add_node_labels(const view::PoolClaims& pool, PoolNodes& nodes) {
  const Text labels = value_of(pool, "--node-labels"), taints = value_of(pool, "--node-taints");
  nodes.labels_known =
      (!labels.where.given || labels.usable()) && (!taints.where.given || taints.usable());
  if (!nodes.labels_known) return;
  for (const Text& label : flag_items(pool, "--node-labels")) {
    const std::size_t equals = label.value.find('=');
    if (equals != std::string::npos)
      nodes.labels.emplace_back(label.value.substr(0, equals), label.value.substr(equals + 1));
  }
  for (const Text& taint : flag_items(pool, "--node-taints")) {
    const std::string_view each = taint.value;
    const std::size_t colon = each.rfind(':'), equals = each.find('=');
    if (colon == each.npos) continue;
    const std::string_view effect = each.substr(colon + 1);
    const bool has_value = equals < colon;
    nodes.taints.push_back(
        {std::string(each.substr(0, has_value ? equals : colon)),
         has_value ? std::string(each.substr(equals + 1, colon - equals - 1)) : std::string(),
         effect == "NO_SCHEDULE"  ? "NoSchedule"
         : effect == "NO_EXECUTE" ? "NoExecute"
                                  : std::string(effect)});
  }
}

Text count_claim(const schema::Integer& count) { return {count.where, {}}; }

std::int64_t count_or(const schema::Integer& count, std::int64_t otherwise) {
  return count.usable() && count.value > 0 ? count.value : otherwise;
}

std::int64_t count_at(const Node* node, std::int64_t otherwise) {
  return node == nullptr ? otherwise : text::whole_number(node->text).value_or(0);
}

// A part of the replicas, or a number.
std::int64_t rounded_part(const Node* node, std::int64_t replicas, bool round_up) {
  const std::string_view said = node == nullptr ? "25%" : std::string_view(node->text);
  if (!said.ends_with('%')) return text::whole_number(said).value_or(1);
  const auto percent = text::whole_number(said.substr(0, said.size() - 1)).value_or(0);
  return (percent * replicas + (round_up ? 99 : 0)) / 100;
}

// Pods that a rollout of groups starts before it stops the first; 0: it stops a group first.
std::int64_t surge_of_groups(const Node& object, std::int64_t replicas, std::int64_t pods) {
  const Node* said = object.at({"spec", "rolloutStrategy", "rollingUpdateConfiguration"});
  const Node *surge = said == nullptr ? nullptr : said->find("maxSurge"),
             *unavailable = said == nullptr ? nullptr : said->find("maxUnavailable");
  if (surge == nullptr || unavailable == nullptr || rounded_part(unavailable, replicas, false) > 0)
    return 0;
  return rounded_part(surge, replicas, true) * pods;
}

// Pods that a rollout starts before it stops the first; 0: it stops one first.
std::int64_t surge_of(const view::PodClaims& pod, std::int64_t replicas) {
  if (pod.kind.value != "Deployment" || pod.object == nullptr) return 0;
  const Node* type = pod.object->at({"spec", "strategy", "type"});
  if (type != nullptr && type->text != "RollingUpdate") return 0;
  const auto said = [&](std::string_view field) {
    return pod.object->at({"spec", "strategy", "rollingUpdate", field});
  };
  const std::int64_t surge = rounded_part(said("maxSurge"), replicas, true);
  return rounded_part(said("maxUnavailable"), replicas, false) > 0 ? 0 : surge;
}

schema::Integer number_claim(const Node* node, std::string_view label) {
  const auto number = node == nullptr ? std::nullopt : text::whole_number(node->text);
  if (!number) return {};
  return {{.span = node->span, .given = true, .label = label}, *number};
}

// Each replica of the group is a slice. An autoscaler of Ray makes more of them, and fewer.
void add_ray_counts(const view::PodClaims& pod, PodNodes& nodes) {
  const std::int64_t hosts = count_or(pod.hosts, 1);
  nodes.count = count_claim(pod.hosts);
  nodes.at_once = hosts;
  if (pod.holder == nullptr || pod.object == nullptr) return;
  bool is_scaled = false;
  for (std::initializer_list<std::string_view> path :
       {std::initializer_list<std::string_view>{"spec"},
        {"spec", "rayClusterSpec"},
        {"spec", "rayClusterConfig"}}) {
    const Node* spec = pod.object->at(path);
    const Node* enabled = spec == nullptr ? nullptr : spec->find("enableInTreeAutoscaling");
    is_scaled |= enabled != nullptr && enabled->text != "false";
  }
  if (is_scaled) nodes.most = number_claim(pod.holder->find("maxReplicas"), "maxReplicas");
  const schema::Integer least =
      number_claim(pod.holder->find(is_scaled ? "minReplicas" : "replicas"), "replicas");
  if (count_or(least, 1) == 1) return;
  nodes.count = count_claim(least);
  nodes.at_once = hosts * least.value;
}

void add_counts(const view::PodClaims& pod, std::int64_t hosts, PodNodes& nodes) {
  using view::PodRole;
  nodes.hosts = hosts;
  if (pod.role == PodRole::replicas && pod.kind.value != "DaemonSet") {
    nodes.count = count_claim(pod.replicas);
    nodes.at_once = count_or(pod.replicas, 1);
    nodes.surge = surge_of(pod, nodes.at_once);
  } else if (pod.role == PodRole::job && hosts > 1) {
    const bool has_jobs = count_or(pod.jobs, 1) > 1;
    const schema::Integer& count = pod.parallelism.where.given ? pod.parallelism : pod.completions;
    nodes.count = count_claim(has_jobs ? pod.jobs : count);
    nodes.at_once = count_or(pod.jobs, 1) *
                    std::min(count_or(pod.parallelism, 1), count_or(pod.completions, INT32_MAX));
  } else if ((pod.role == PodRole::lws_worker || pod.role == PodRole::lws_leader) &&
             pod.object != nullptr) {
    const Node* replicas = pod.object->at({"spec", "replicas"});
    const bool is_leader = pod.role == PodRole::lws_leader;
    const std::int64_t size = std::max<std::int64_t>(
        1, pod.holder == nullptr ? 1 : count_at(pod.holder->find("size"), 1));
    const std::int64_t groups = std::max<std::int64_t>(1, count_at(replicas, 1));
    // The workers of a group must be in the node pool of their leader.
    const std::int64_t pods = is_leader && nodes.kept_by != "exclusive topology"
                                  ? 1
                                  : size - (pod.leader_without_tpus ? 1 : 0);
    nodes.at_once = groups * pods;
    if (!is_leader) nodes.surge = surge_of_groups(*pod.object, groups, pods);
    if (replicas != nullptr)
      nodes.count = {{.span = replicas->span, .given = true, .label = "replicas"}, replicas->text};
    else
      nodes.count = count_claim(pod.size);
  } else if (pod.role == PodRole::ray_worker) {
    add_ray_counts(pod, nodes);
  }
  nodes.slices = hosts > 1 ? nodes.at_once / hosts : 1;
}

// The part of the object that has the pods: `the workers`.
std::string part_of(const view::PodClaims& pod) {
  using view::PodRole;
  if (pod.role == PodRole::lws_leader) return "the leaders";
  if (pod.role == PodRole::lws_worker) return pod.leader_apart ? "the workers" : "";
  if (pod.object == nullptr || pod.holder == nullptr) return {};
  if (pod.role == PodRole::ray_worker)
    return fmt::format("worker group `{}`", pod.holder->text_at({"groupName"}));
  if (pod.holder->find("rayStartParams") != nullptr) return "the head";
  const Node* jobs = pod.object->at({"spec", "replicatedJobs"});
  for (const Node& job : jobs == nullptr ? std::span<const Node>() : jobs->items) {
    if (job.at({"template", "spec"}) == pod.holder)
      return fmt::format("replicated job `{}`", job.text_at({"name"}));
  }
  return {};
}

// Counts the pods of the object, as far as all that decides it is said.
std::optional<std::int64_t> counted_pods(const view::PodClaims& pod) {
  using view::PodRole;
  for (const auto* count :
       {&pod.completions, &pod.parallelism, &pod.jobs, &pod.size, &pod.hosts, &pod.replicas}) {
    if (count->where.given && !count->usable()) return std::nullopt;
  }
  if (pod.role == PodRole::job) return pods_in(pod);
  if (pod.role == PodRole::pod) return 1;
  if (pod.role == PodRole::trainer) return pod.hosts.usable() ? pod.hosts.value : 1;
  const bool is_head = pod.holder != nullptr && pod.holder->find("rayStartParams") != nullptr;
  const Node* replicas = pod.role == PodRole::ray_worker ? pod.holder->find("replicas")
                         : pod.object != nullptr         ? pod.object->at({"spec", "replicas"})
                                                         : nullptr;
  const auto number = replicas == nullptr ? 1 : text::whole_number(replicas->text);
  if (pod.role == PodRole::other) return is_head ? std::optional<std::int64_t>(1) : std::nullopt;
  if (!number || pod.kind.value == "DaemonSet") return std::nullopt;
  return *number * pods_in(pod);
}

// The container that requests the most, for what a machine type has too little of.
Span place_of_requests(const Node& spec) {
  const Node* largest = nullptr;
  Quantity most;
  for (const Node& container : items(spec, "containers")) {
    const auto requests = resolve::container_requests(container);
    const auto cpu = requests.find("cpu");
    const Node* resources = container.find("resources");
    if (resources == nullptr ||
        (largest != nullptr && (cpu == requests.end() || cpu->second <= most)))
      continue;
    largest = resources;
    if (cpu != requests.end()) most = cpu->second;
  }
  if (largest == nullptr) return spec.span;
  const Node* requested = largest->find("requests");
  return (requested == nullptr ? largest : requested)->span;
}

// `200GB`, or the number alone; without the flag, what GKE gives nodes.
std::optional<Quantity> boot_disk(const view::PoolClaims& pool, const Catalog& catalog) {
  const auto* row = named(catalog.node_resources, &catalog::NodeResource::resource,
                          std::string_view("ephemeral-storage"));
  const view::FlagClaim* flag = pool.find("--disk-size");
  if (row == nullptr || !pool.complete || !pool.block.open.empty()) return std::nullopt;
  if (flag == nullptr) return parse_quantity(row->capacity);
  if (!flag->value.usable()) return std::nullopt;
  const auto gigabytes = catalog::size_in_gigabytes(
      flag->row == nullptr ? std::string_view() : flag->row->type, flag->value.value);
  if (!gigabytes) return std::nullopt;
  return Quantity{static_cast<Quantity::Nano>(*gigabytes) * Quantity::gibi,
                  Quantity::Suffix::binary};
}

}  // namespace

std::optional<std::string_view> kept_by(const view::PodClaims& pod) {
  using view::PodRole;
  // Their controllers, or GKE's webhook, add an affinity.
  if (pod.role == PodRole::ray_worker || pod.role == PodRole::trainer || pod.role == PodRole::other)
    return "the controller";
  if (pod.is_exclusive) return "exclusive topology";
  if (pod.requests_topology) return "Kueue's topology";
  if (pod.slice_topology.where.given) return "the formation of slices";
  const Node* of_object = pod.object == nullptr ? nullptr : pod.object->find("metadata");
  for (const Node* metadata : {of_object, pod.metadata}) {
    const Node* annotations = metadata == nullptr ? nullptr : metadata->find("annotations");
    if (annotations == nullptr) continue;
    for (const yaml::Member& each : annotations->members) {
      const std::string_view key = each.key.text;
      // Misspelt, it is reported as that.
      const bool is_exclusive = key.ends_with("exclusive-topology");
      if (is_exclusive && each.value.kind == yaml::Kind::scalar &&
          !schema::is_placeholder(each.value.text) && !resolve::separates_pools(each.value.text))
        continue;
      if (is_exclusive || key.starts_with("alpha.jobset.sigs.k8s.io/")) return "exclusive topology";
      if (key.starts_with("kueue.x-k8s.io/podset-")) return "";
    }
  }
  // Several that an affinity names keep nothing together.
  if (pod.pool.where.given) return "the node pool";
  if (pod.queue.where.given || pod.spec == nullptr) return "";
  if (pod.spec->at({"affinity", "podAffinity"}) != nullptr) return "pod affinity";
  for (std::string_view key : {"schedulerName", "schedulingGates", "nodeName"}) {
    if (pod.spec->find(key) != nullptr) return "";
  }
  const Node* terms = node_terms(*pod.spec);
  return terms != nullptr && terms->items.size() > 1 ? std::optional<std::string_view>("")
                                                     : std::nullopt;
}

Text value_of(const view::PoolClaims& pool, std::string_view name) {
  const view::FlagClaim* flag = pool.find(name);
  return flag == nullptr ? Text{} : flag->value;
}

PoolNodes pool_nodes(const view::PoolClaims& pool, const Facts& facts) {
  PoolNodes nodes{pool.name,
                  pool.claims.cluster.name,
                  value_of(pool, "--project"),
                  pool.where.span,
                  {facts.generation, facts.topology, 0},
                  pool.complete,
                  pool.block,
                  pool.claims,
                  value_of(pool, "--placement-policy")};
  if (facts.claimed != nullptr) {
    nodes.has.chips = facts.claimed->chips;
    // One host that only has one shape needs no flag for it.
    if (!pool.claims.tpu.topology.where.given && facts.claimed->shapes.size() == 1)
      nodes.has.topology = facts.claimed->shapes[0].topology;
  }
  nodes.takes_policies = facts.generation != nullptr &&
                         facts.generation->placement == catalog::Placement::policy &&
                         facts.multi_host();
  nodes.by_requests = has_switch(pool, "--enable-queued-provisioning");
  nodes.of_host = host_shape(pool, facts);
  nodes.reservation = name_of_reservation(value_of(pool, "--reservation"));
  nodes.has_none_reserved = has_switch(pool, "--spot") || has_switch(pool, "--flex-start") ||
                            value_of(pool, "--reservation-affinity").value == "none";
  nodes.autoscaled = pool.find("--enable-autoscaling") != nullptr;
  nodes.image = value_of(pool, "--image-type");
  nodes.whole = pool.where.span;
  for (const view::FlagClaim& flag : pool.flags) {
    for (Span part : {flag.name.where.span, flag.value.where.span}) {
      if (part.source != nodes.whole.source || part == Span{}) continue;
      nodes.whole.begin = std::min(nodes.whole.begin, part.begin);
      nodes.whole.end = std::max(nodes.whole.end, part.end);
    }
  }
  nodes.metadata = value_of(pool, "--workload-metadata");
  nodes.models = flag_models(pool, facts.catalog);
  if (starts_at_zero(pool) && !nodes.by_requests) {
    for (const Model* model : nodes.models) {
      if (model->flex_start) nodes.wait_seconds = model->wait_seconds;
    }
  }
  const Text machine = value_of(pool, "--machine-type");
  if (machine.usable()) nodes.machine = machine.value;
  // GKE creates this machine type if nothing names one. A module of Terraform may have its own.
  const bool is_of_module = !pool.block.type.empty() && !pool.block.type.starts_with("google_");
  if (!machine.where.given && pool.command == view::create_pool && !is_of_module && pool.complete)
    nodes.machine = "e2-medium";
  nodes.tpu_machine = facts.claimed;
  nodes.boot_disk = boot_disk(pool, facts.catalog);
  add_node_labels(pool, nodes);
  nodes.hosts = facts.multi_host() ? facts.hosts : 1;
  // A pool of several hosts is one slice.
  nodes.most_nodes = facts.multi_host() ? std::optional(facts.hosts) : most_nodes(pool);
  return nodes;
}

PodNodes pod_nodes(const view::PodClaims& pod, const Facts& facts) {
  const bool counts = pod.requests_chips();
  PodNodes nodes;
  nodes.pool = pod.pool;
  nodes.chips = pod.chips.where.span;
  if (pod.object != nullptr) nodes.whole = pod.object->span;
  nodes.wanted = {facts.generation, facts.topology, counts ? pod.chips.value : 0};
  nodes.object = fmt::format("{} `{}`", pod.kind.value, pod.claims.name.value);
  nodes.kind = pod.kind.value;
  if (waits_alone(pod) && counts) nodes.waiting = nodes.object;
  nodes.reservation = selected_label(pod, "cloud.google.com/reservation-name");
  nodes.zone = selected_label(pod, "topology.kubernetes.io/zone");
  nodes.selectors = pod.claims.workload.node_selector;
  nodes.type = selected_label(pod, resolve::accelerator_label);
  nodes.topology = selected_label(pod, resolve::topology_label);
  nodes.is_whole = says_all(pod.completeness) && !pod.is_made && pod.kind.where.given &&
                   pod.kind.value != "PodTemplate";
  nodes.in_queue = pod.queue.where.given;
  nodes.kept_by = kept_by(pod);
  nodes.part = part_of(pod);
  nodes.number = counted_pods(pod);
  nodes.queue = pod.queue;
  nodes.name_space = pod.name_space;
  nodes.request = request_of(pod);
  nodes.tolerates_tpus = pod.tolerates_tpus;
  nodes.requests_topology = pod.requests_topology;
  const Node* suspend = pod.object == nullptr ? nullptr : pod.object->at({"spec", "suspend"});
  nodes.is_suspended = suspend != nullptr && suspend->text == "true";
  if (pod.spec != nullptr) {
    if (!pod.pool.where.given) nodes.pools = named_pools(*pod.spec);
    nodes.priority = claimed_name(pod.spec->find("priorityClassName"));
    nodes.has_deadline = pod.spec->find("activeDeadlineSeconds") != nullptr;
    nodes.service_account = claimed_name(pod.spec->find("serviceAccountName"));
    nodes.tolerations = view::taint_claims(pod.spec->find("tolerations"));
    nodes.tolerates_all = any_of(nodes.tolerations, [](const view::TaintClaims& each) {
      return each.key.empty() && each.op == "Exists";
    });
    nodes.requests = resolve::pod_requests(*pod.spec);
    nodes.resources = place_of_requests(*pod.spec);
  }
  if (counts) add_counts(pod, hosts_of(pod, facts), nodes);
  if (pod.role == view::PodRole::job && pod.holder != nullptr)
    nodes.job_deadline =
        number_claim(pod.holder->find("activeDeadlineSeconds"), "activeDeadlineSeconds");
  return nodes;
}

}  // namespace flexslice::rules
