// What the things of one file say of each other: pods and the node pools that they select, flavors
// of Kueue and the pods that they are for.
#include <fmt/core.h>

#include <map>
#include <span>

#include "rules/found.hpp"

namespace flexslice::rules {

using found::Found;
using found::PodClaims;
using found::PoolClaims;

namespace {

NodeShape shape_of(const PoolClaims& pool, const Catalog& catalog) {
  const Facts facts = facts::look_up(pool.claims, catalog);
  NodeShape shape{facts.generation, facts.topology, 0};
  if (facts.claimed == nullptr) return shape;
  shape.chips = facts.claimed->chips;
  // One host that only has one shape needs no flag for it.
  if (!pool.claims.tpu.topology.where.given && facts.claimed->shapes.size() == 1)
    shape.topology = facts.claimed->shapes[0].topology;
  return shape;
}

NodeShape shape_of(const PodClaims& pod, const Catalog& catalog) {
  const Facts facts = facts::look_up(pod.claims, catalog);
  const bool counts = pod.chips_known && pod.chips.usable() && pod.chips.value > 0;
  return {facts.generation, facts.topology, counts ? pod.chips.value : 0};
}

bool creates_pool(const PoolClaims& pool) { return pool.command == "container node-pools create"; }

struct PoolNodes {
  const PoolClaims* pool;
  NodeShape shape;
};

std::vector<PoolNodes> created_pools(const Found& found, const Catalog& catalog) {
  std::vector<PoolNodes> pools;
  for (const PoolClaims& pool : found.pools) {
    if (creates_pool(pool)) pools.push_back({&pool, shape_of(pool, catalog)});
  }
  return pools;
}

// The pool that the pods name, unless one of that name agrees.
void judge_named(const PodClaims& pod, const NodeShape& wanted, std::span<const PoolNodes> pools,
                 Sink& sink) {
  const PoolNodes* other = nullptr;
  for (const PoolNodes& each : pools) {
    const Text& name = each.pool->name;
    if (!name.usable() || name.value != pod.pool.value) continue;
    if (each.shape.agrees(wanted)) return;
    other = &each;
  }
  if (other == nullptr) return;
  sink.report<Code::PoolContradictsPods>(pod.pool, pod.pool.value, other->shape.text(),
                                         wanted.text())
      .also(other->pool->where.span, "the pool is created here");
}

// Pools of the topology that the pods select, none of which has the chips that they request.
void judge_unnamed(const PodClaims& pod, const NodeShape& wanted, std::span<const PoolNodes> pools,
                   Sink& sink) {
  if (!wanted.topology || wanted.generation == nullptr || wanted.chips == 0) return;
  const PoolNodes* other = nullptr;
  for (const PoolNodes& each : pools) {
    if (each.shape.generation != wanted.generation || each.shape.topology != wanted.topology)
      continue;
    if (!each.pool->complete || each.shape.same_chips(wanted)) return;
    other = &each;
  }
  if (other == nullptr) return;
  sink.report<Code::NoFittingPool>(pod.chips, wanted.text())
      .also(other->pool->where.span, fmt::format("this pool has {}", other->shape.text()));
}

void judge_pods_and_pools(const Found& found, const Catalog& catalog, Sink& sink) {
  const std::vector<PoolNodes> pools = created_pools(found, catalog);
  if (pools.empty()) return;
  for (const PodClaims& pod : found.pods) {
    const NodeShape wanted = shape_of(pod, catalog);
    if (pod.pool.usable()) {
      judge_named(pod, wanted, pools, sink);
    } else if (!pod.pool.where.given) {
      judge_unnamed(pod, wanted, pools, sink);
    }
  }
}

// Node pools of a cluster that the file creates as an Autopilot cluster, and as no other.
void judge_autopilot_pools(const Found& found, Sink& sink) {
  if (!found.has_autopilot || found.has_standard) return;
  for (const PoolClaims& pool : found.pools) {
    const Text& cluster = pool.claims.cluster.name;
    if (!creates_pool(pool) || !cluster.usable()) continue;
    const PoolClaims* made = find_where(found.pools, [&](const PoolClaims& other) {
      return !creates_pool(other) && other.name.usable() && other.name.value == cluster.value;
    });
    if (made != nullptr)
      sink.report<Code::AutopilotField>(pool.where.span, "gcloud container node-pools create")
          .also(made->where.span,
                fmt::format("{} is created as an Autopilot cluster", cluster.value))
          .help("remove it: GKE creates the nodes from the pods' selectors");
  }
}

// What the pods of a queue say, and so those of its flavors.
struct QueuePods {
  bool seen = false, tolerate = false;

  void add(const QueuePods& other) {
    seen = seen || other.seen;
    tolerate = tolerate || other.tolerate;
  }
};

std::map<std::string_view, QueuePods> pods_of_flavors(const Found& found) {
  std::map<std::string_view, QueuePods> local_queues, cluster_queues, flavors;
  for (const PodClaims& pod : found.pods) {
    if (pod.queue.usable()) local_queues[pod.queue.value].add({true, pod.tolerates_tpus});
  }
  for (const auto& queue : found.local_queues)
    cluster_queues[queue.cluster_queue.value].add(local_queues[queue.name.value]);
  for (const auto& queue : found.cluster_queues) {
    for (std::string_view flavor : queue.flavors)
      flavors[flavor].add(cluster_queues[queue.name.value]);
  }
  return flavors;
}

}  // namespace

std::string NodeShape::text() const {
  std::vector<std::string> parts;
  if (generation != nullptr) parts.emplace_back(generation->id);
  if (topology) parts.push_back(topology->text());
  if (chips > 0) parts.push_back(fmt::format("{} a node", text::count(chips, "chip")));
  return text::join(parts, ", ");
}

bool NodeShape::agrees(const NodeShape& other) const {
  const bool same_generation =
      generation == nullptr || other.generation == nullptr || generation == other.generation;
  const bool same_topology = !topology || !other.topology || *topology == *other.topology;
  return same_generation && same_topology && same_chips(other);
}

std::vector<NamedNodes> named_pools(const Found& found, const Catalog& catalog) {
  std::vector<NamedNodes> pools;
  for (const PoolClaims& pool : found.pools) {
    if (creates_pool(pool) && pool.name.usable())
      pools.push_back({pool.name.value, shape_of(pool, catalog), pool.name.where.span});
  }
  return pools;
}

std::vector<NamedNodes> named_by_pods(const Found& found, const Catalog& catalog) {
  std::vector<NamedNodes> pods;
  for (const PodClaims& pod : found.pods) {
    if (pod.pool.usable())
      pods.push_back({pod.pool.value, shape_of(pod, catalog), pod.pool.where.span});
  }
  return pods;
}

void judge_pairs(const Found& found, const Catalog& catalog, Sink& sink) {
  judge_pods_and_pools(found, catalog, sink);
  judge_autopilot_pools(found, sink);
}

void judge_queues(const Found& found, Sink& sink) {
  for (const found::ClusterQueueClaims& queue : found.cluster_queues) {
    if (queue.admission_checks.given && queue.version.value == "kueue.x-k8s.io/v1beta2")
      sink.report<Code::NoSuchField>(queue.admission_checks, "ClusterQueue", queue.version.value,
                                     "spec.admissionChecks")
          .note("it became `spec.admissionChecksStrategy`")
          .help("write `admissionChecksStrategy: {admissionChecks: [{name: NAME}]}`");
  }
  if (found.flavors.empty()) return;
  std::map<std::string_view, QueuePods> flavors = pods_of_flavors(found);
  for (const found::FlavorClaims& flavor : found.flavors) {
    if (!flavor.topology_name.where.given || flavor.tolerates_tpus ||
        !flavor.claims.tpu.type.where.given)
      continue;
    const QueuePods& pods = flavors[flavor.name.value];
    if (pods.tolerate) continue;
    Diagnostic& finding =
        sink.report<Code::FlavorNotTolerated>(flavor.topology_name, flavor.name.value);
    if (!pods.seen) finding.level = diag::Level::note;
    finding.note("Topology-Aware Scheduling places pods before GKE adds their toleration")
        .help(
            "add `tolerations: [{key: google.com/tpu, operator: Exists, effect: NoSchedule}]` "
            "to the flavor");
  }
}

}  // namespace flexslice::rules
