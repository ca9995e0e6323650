// What the things of one file say of each other: pods and the node pools that they select, flavors
// of Kueue and the pods that they are for.
#include <fmt/core.h>

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

void judge_named(const Found& found, const Catalog& catalog, Sink& sink) {
  for (const PodClaims& pod : found.pods) {
    if (!pod.pool.usable()) continue;
    const NodeShape wanted = shape_of(pod, catalog);
    const PoolClaims* other = nullptr;
    bool agreed = false;
    for (const PoolClaims& pool : found.pools) {
      if (!creates_pool(pool) || !pool.name.usable() || pool.name.value != pod.pool.value) continue;
      agreed = agreed || shape_of(pool, catalog).agrees(wanted);
      other = &pool;
    }
    if (other == nullptr || agreed) continue;
    sink.report<Code::PoolContradictsPods>(pod.pool, pod.pool.value,
                                           shape_of(*other, catalog).text(), wanted.text())
        .also(other->where.span, "the pool is created here");
  }
}

// Pools of the topology that the pods select, none of which has the chips that they request.
void judge_unnamed(const Found& found, const Catalog& catalog, Sink& sink) {
  for (const PodClaims& pod : found.pods) {
    const NodeShape wanted = shape_of(pod, catalog);
    if (pod.pool.where.given || !wanted.topology || wanted.generation == nullptr ||
        wanted.chips == 0)
      continue;
    const PoolClaims* other = nullptr;
    bool agreed = false;
    for (const PoolClaims& pool : found.pools) {
      const NodeShape has = shape_of(pool, catalog);
      if (!creates_pool(pool) || has.generation != wanted.generation ||
          has.topology != wanted.topology)
        continue;
      agreed = agreed || !pool.complete || has.same_chips(wanted);
      other = &pool;
    }
    if (other == nullptr || agreed) continue;
    sink.report<Code::NoFittingPool>(pod.chips, wanted.text())
        .also(other->where.span, fmt::format("this pool has {}", shape_of(*other, catalog).text()));
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

bool has_flavor(const Found& found, const PodClaims& pod, std::string_view flavor) {
  if (!pod.queue.usable()) return false;
  for (const found::LocalQueueClaims& local : found.local_queues) {
    if (local.name.value != pod.queue.value) continue;
    for (const found::ClusterQueueClaims& queue : found.cluster_queues) {
      if (queue.name.value == local.cluster_queue.value && contains(queue.flavors, flavor))
        return true;
    }
  }
  return false;
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
  judge_named(found, catalog, sink);
  judge_unnamed(found, catalog, sink);
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
  for (const found::FlavorClaims& flavor : found.flavors) {
    if (!flavor.topology_name.where.given || flavor.tolerates_tpus ||
        !flavor.claims.tpu.type.where.given)
      continue;
    bool seen = false, tolerated = false;
    for (const PodClaims& pod : found.pods) {
      if (!has_flavor(found, pod, flavor.name.value)) continue;
      seen = true;
      tolerated = tolerated || pod.tolerates_tpus;
    }
    if (tolerated) continue;
    Diagnostic& finding =
        sink.report<Code::FlavorNotTolerated>(flavor.topology_name, flavor.name.value);
    if (!seen) finding.level = diag::Level::note;
    finding.note("Topology-Aware Scheduling places pods before GKE adds their toleration")
        .help(
            "add `tolerations: [{key: google.com/tpu, operator: Exists, effect: NoSchedule}]` "
            "to the flavor");
  }
}

}  // namespace flexslice::rules
