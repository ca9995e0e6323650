// What the parts of a file say of each other: pods and the node pools that they select, clusters
// and their pools, flavors of Kueue and the pods that they are for.
#include <fmt/core.h>

#include <utility>

#include "rules/file_rules.hpp"
#include "spec/derived_keys.hpp"
#include "view/read_commands.hpp"

namespace flexslice::rules {

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

void FileJudge::finish() {
  judge_autoscalers();
  if (!pools_.empty()) {
    for (const PodNodes& pods : pods_) {
      if (pods.pool.usable()) {
        judge_named(pods);
      } else if (!pods.pool.where.given) {
        judge_unnamed(pods);
      }
    }
  }
  for (const PoolNodes& pool : pools_) {
    judge_cluster_of(pool);
    judge_policy_of(pool);
    judge_formed_slices_of(pool);
  }
  judge_reservations();
  // Pages show both kinds of cluster next to each other.
  if (has_autopilot_ && !has_standard_) judge_on_autopilot();
  judge_train_jobs();
  judge_claimed_chips();
  judge_queues();
  if (!summary_.queues.flavors.empty()) judge_flavors(summary_.queues, sink_);
  judge_request_configs(summary_.queues, sink_);
  judge_services();
}

// The pool that the pods name, unless one of that name agrees.
void FileJudge::judge_named(const PodNodes& pods) {
  const PoolNodes* other = nullptr;
  for (const PoolNodes& pool : pools_) {
    if (!pool.name.usable() || pool.name.value != pods.pool.value) continue;
    if (pool.shape().agrees(pods.wanted)) {
      if (pool.by_requests && !pods.waiting.empty())
        report_waiting(pods.pool.where.span, pods.pool.value, pods.waiting, sink_)
            .also(pool.where, "the pool is created here");
      return;
    }
    other = &pool;
  }
  if (other == nullptr) return;
  sink_
      .report<Code::PoolContradictsPods>(pods.pool, pods.pool.value, other->shape().text(),
                                         pods.wanted.text())
      .also(other->where, "the pool is created here")
      .level = diag::Level::error;
}

Diagnostic& report_waiting(Span where, std::string_view pool, std::string_view object, Sink& sink) {
  return sink.report<Code::PoolWaitsForRequests>(where, pool, object)
      .note("it has queued provisioning: only ProvisioningRequests make it grow")
      .help(
          "add the label `{}` of a LocalQueue that requests nodes, or create the pool without "
          "queued provisioning",
          resolve::queue_label);
}

// Pools of the shape that the pods select, all of which grow for requests alone.
void FileJudge::judge_waiting(const PodNodes& pods) {
  const PoolNodes* only = nullptr;
  for (const PoolNodes& pool : pools_) {
    const NodeShape shape = pool.shape();
    if (!shape.agrees(pods.wanted)) continue;
    if (!pool.by_requests || shape.topology != pods.wanted.topology) return;
    only = &pool;
  }
  if (only != nullptr && only->name.usable() && !pods.waiting.empty())
    report_waiting(pods.chips, only->name.value, pods.waiting, sink_)
        .also(only->where, "the pool is created here");
}

// Pools of the topology that the pods select, none of which has the chips that they request.
void FileJudge::judge_unnamed(const PodNodes& pods) {
  const NodeShape& wanted = pods.wanted;
  if (!wanted.topology || wanted.generation == nullptr || wanted.chips == 0) return;
  judge_waiting(pods);
  const PoolNodes* other = nullptr;
  for (const PoolNodes& pool : pools_) {
    if (pool.has.generation != wanted.generation || pool.has.topology != wanted.topology) continue;
    if (!pool.complete || pool.has.same_chips(wanted)) return;
    other = &pool;
  }
  if (other == nullptr) return;
  sink_.report<Code::NoFittingPool>(pods.chips, wanted.text())
      .also(other->where, fmt::format("this pool has {}", other->has.text()));
}

// The reservations that the file creates, with the first that grows into each.
void FileJudge::judge_reservations() {
  for (const auto& [name, where] : reservations_) {
    const auto is_its = [&name = name](const auto& each) {
      return each.reservation.usable() && each.reservation.value == name.value;
    };
    const auto pool = std::ranges::find_if(pools_, is_its);
    const auto pods = std::ranges::find_if(pods_, is_its);
    const bool has_pool = pool != pools_.end();
    if (has_pool ? !pool->autoscaled : pods == pods_.end()) continue;
    sink_
        .report<Code::ReservationIsNew>(
            has_pool ? pool->reservation : pods->reservation, name.value,
            has_pool ? fmt::format("node pool `{}`", pool->name.value) : pods->object)
        .also(where, "the reservation is created here");
  }
}

// The cluster that the file creates: its version, and where it is.
void FileJudge::judge_cluster_of(const PoolNodes& pool) {
  std::vector<const NewCluster*> clusters;
  for (const NewCluster& cluster : clusters_) {
    if (cluster.name.usable() && pool.cluster.usable() && cluster.name.value == pool.cluster.value)
      clusters.push_back(&cluster);
  }
  spec::Claims claims = pool.claims;
  if (claims.cluster.version.where.given || clusters.size() == 1) {
    if (!claims.cluster.version.where.given) claims.cluster.version = clusters[0]->version;
    const Facts facts = resolve::look_up(claims, catalog_);
    Sink own;
    for (const Rule rule : found_version_rules()) rule(facts, own);
    for (Diagnostic& finding : own.take()) {
      if (!clusters.empty() && clusters[0]->is_elsewhere &&
          finding.where == clusters[0]->version.where.span) {
        const Span there = std::exchange(finding.where, pool.where);
        finding.also(there, "the cluster's version is here");
      }
      sink_.add(std::move(finding));
    }
  }
  const Text& location = pool.claims.cluster.location;
  if (clusters.empty() || !location.usable()) return;
  // A page shows clusters of one name in several places.
  for (const NewCluster* cluster : clusters) {
    if (!cluster->location.usable() || cluster->location.value == location.value) return;
  }
  const NewCluster& cluster = *clusters.back();
  sink_
      .report<Code::PoolElsewhere>(location, location.value, cluster.name.value,
                                   cluster.location.value)
      .also(cluster.where, "the cluster is created here")
      .help("write {}, and name zones by {}", cluster.location.value,
            pool.block.type.empty() ? "`--node-locations`" : "`node_locations`");
}

// The policy that the pool names and the file creates, or null.
const FileJudge::NewPolicy* FileJudge::policy_of(const PoolNodes& pool) const {
  const NewPolicy* policy = nullptr;
  for (const NewPolicy& each : policies_) {
    if (each.name.usable() && pool.policy.usable() && each.name.value == pool.policy.value)
      policy = &each;
  }
  return policy;
}

void FileJudge::judge_policy_of(const PoolNodes& pool) {
  const NewPolicy* policy = pool.takes_policies ? policy_of(pool) : nullptr;
  if (policy == nullptr) return;
  const std::string topology = pool.has.topology ? pool.has.topology->text() : "";
  const auto report = [&](const Text& where, std::string_view problem, const std::string& help) {
    Diagnostic& finding = sink_.report<Code::PolicyContradictsPool>(
        policy->is_elsewhere ? pool.policy : where, policy->name.value, problem);
    finding
        .also(policy->is_elsewhere ? where.where.span : pool.where,
              policy->is_elsewhere ? "the policy is created here" : "the pool is created here")
        .help(help);
    view::name_arguments(policy->block, finding);
  };
  if (policy->is_group)
    return report(policy->name, "is for groups of VMs, and the pool needs one for workloads",
                  fmt::format("create it with `gcloud compute resource-policies create "
                              "workload-policy NAME --type=HIGH_THROUGHPUT "
                              "--accelerator-topology={} --region=REGION`",
                              topology));
  const Text& shape = policy->topology;
  if (!topology.empty() && !shape.where.given && policy->complete) {
    report(policy->name, "has no topology, and the pool has " + topology,
           fmt::format("add `--accelerator-topology={}`", topology));
  } else if (!topology.empty() && shape.usable() && catalog::parse_topology(shape.value) &&
             shape.value != topology) {
    report(
        shape, fmt::format("is for {}, and the pool has {}", shape.value, topology),
        fmt::format("write `--accelerator-topology={}`, in a policy for each topology", topology));
  }
  const Text& location = pool.claims.cluster.location;
  if (!policy->region.usable() || !location.usable()) return;
  const auto region = resolve::region_of(location.value);
  if (region != policy->region.value &&
      schema::matches(schema::Pattern::location, policy->region.value))
    report(policy->region,
           fmt::format("is in {}, and the pool in {}", policy->region.value, region),
           fmt::format("write `--region={}`", region));
}

// A pool whose chips are connected when a workload starts: what that demands of its nodes and of
// the cluster that the file creates.
void FileJudge::judge_formed_slices_of(const PoolNodes& pool) {
  const NewPolicy* policy = policy_of(pool);
  const Generation* generation = pool.has.generation;
  if (policy == nullptr || generation == nullptr || !generation->slicing.on_demand ||
      text::lower(policy->mode.value) != "provision_only")
    return;
  const Slicing& slicing = generation->slicing;
  const auto need = [&](const Text& where, const std::string& flag) {
    note_source(sink_.report<Code::SlicingNeeds>(where, slicing.title, flag)
                    .note("the workload policy of node pool `{}` has the mode {}", pool.name.value,
                          policy->mode.value),
                slicing.evidence);
  };
  if (!slicing.image_type.empty() && pool.image.usable() &&
      text::lower(pool.image.value) != text::lower(slicing.image_type))
    need(pool.image, fmt::format("`--image-type={}`", slicing.image_type));
  const NewCluster* cluster = nullptr;
  for (const NewCluster& each : clusters_) {
    if (!each.name.usable() || !pool.cluster.usable() || each.name.value != pool.cluster.value)
      continue;
    if (cluster != nullptr) return;
    cluster = &each;
  }
  if (cluster == nullptr) return;
  const std::string channel = text::lower(slicing.release_channel);
  const bool is_other = cluster->channel.usable() && text::lower(cluster->channel.value) != channel;
  if (!channel.empty() && (is_other || (!cluster->channel.where.given && cluster->complete)))
    need(is_other ? cluster->channel : cluster->name,
         fmt::format("`--release-channel={}`", channel));
  const Feature* feature = find_feature(catalog_, slicing.nodes_feature);
  const auto version = cluster->version.usable() ? catalog::parse_version(cluster->version.value)
                                                 : std::optional<catalog::Version>();
  if (feature == nullptr || !version) return;
  for (const Minimum& minimum : feature->minimums) {
    const auto least = catalog::parse_version(minimum.version);
    if (minimum.mode != MinimumMode::standard || !least || *least <= *version) continue;
    Diagnostic& finding = sink_.report<Code::VersionTooOld>(
        cluster->version, feature->title, minimum.version, cluster->version.value);
    finding.judged(minimum.evidence.confidence);
    note_source(finding, minimum.evidence);
  }
}

void FileJudge::judge_on_autopilot() {
  for (Diagnostic& finding : on_autopilot_) sink_.add(std::move(finding));
  for (const PoolNodes& pool : pools_) {
    if (!pool.cluster.usable()) continue;
    const NewCluster* made = find_where(clusters_, [&](const NewCluster& cluster) {
      return cluster.name.usable() && cluster.name.value == pool.cluster.value;
    });
    if (made == nullptr) continue;
    Diagnostic& finding =
        sink_.report<Code::AutopilotField>(pool.where, "gcloud container node-pools create");
    finding
        .also(made->where, fmt::format("{} is created as an Autopilot cluster", pool.cluster.value))
        .help("remove it: GKE creates the nodes from the pods' selectors");
    view::name_arguments(pool.block, finding);
  }
}

std::map<std::string_view, Queues::Pods> Queues::pods_of_flavors() const {
  std::map<std::string_view, Pods> of_cluster_queues, of_flavors;
  for (const auto& queue : local_queues) {
    const auto own = pods.find(queue.name.value);
    if (own != pods.end()) of_cluster_queues[queue.cluster_queue.value].add(own->second);
  }
  for (const auto& queue : cluster_queues) {
    for (std::string_view flavor : queue.flavors)
      of_flavors[flavor].add(of_cluster_queues[queue.name.value]);
  }
  return of_flavors;
}

void judge_flavors(Queues& queues, Sink& sink) {
  auto pods = queues.pods_of_flavors();
  std::erase_if(queues.flavors, [&](const view::FlavorClaims& flavor) {
    const bool needs_tolerations = flavor.topology_name.where.given && !flavor.tolerates_tpus &&
                                   flavor.claims.tpu.type.where.given;
    const Queues::Pods& own = pods[flavor.name.value];
    if (needs_tolerations && own.seen && !own.tolerate) report_flavor(flavor, sink);
    return !needs_tolerations || own.seen;
  });
}

Diagnostic& report_flavor(const view::FlavorClaims& flavor, Sink& sink) {
  return sink.report<Code::FlavorNotTolerated>(flavor.topology_name, flavor.name.value)
      .note("Topology-Aware Scheduling places pods before GKE adds their toleration")
      .help(
          "add `tolerations: [{key: google.com/tpu, operator: Exists, effect: NoSchedule}]` "
          "to the flavor");
}

void judge_request_configs(const Queues& queues, Sink& sink) {
  for (const view::RequestConfigClaims& config : queues.request_configs) {
    if (config.resources.empty()) continue;
    for (const view::ClusterQueueClaims& queue : queues.cluster_queues) {
      const bool is_used = any_of(queues.admission_checks, [&](const auto& check) {
        return check.config.value == config.name.value && contains(queue.checks, check.name.value);
      });
      const bool is_managed = any_of(
          config.resources, [&](const auto& name) { return contains(queue.resources, name); });
      if (!is_used || is_managed || !contains(queue.resources, spec::tpu_resource)) continue;
      sink.report<Code::RequestWithoutTpus>(config.where, queue.name.value, config.name.value)
          .help("add `{}` to `managedResources`", spec::tpu_resource);
      break;
    }
  }
}

FileSummary FileJudge::summary() {
  for (const PoolNodes& pool : pools_) {
    if (pool.name.usable())
      summary_.pools.push_back(
          {pool.name.value, pool.shape(), pool.name.where.span, pool.by_requests});
  }
  for (const PodNodes& pods : pods_) {
    if (pods.pool.usable())
      summary_.pods.push_back(
          {pods.pool.value, pods.wanted, pods.pool.where.span, false, pods.waiting});
  }
  // Their pods have shown this already.
  for (view::ClusterQueueClaims& queue : summary_.queues.cluster_queues) {
    if (closed_queues_.contains(queue.name.value)) queue.has_namespaces = true;
  }
  return std::move(summary_);
}

}  // namespace flexslice::rules
