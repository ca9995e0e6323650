// What the parts of a file say of each other: pods and the node pools that they select, clusters
// and their pools, flavors of Kueue and the pods that they are for.
#include <fmt/core.h>

#include <functional>
#include <set>
#include <type_traits>
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

bool Nodes::on_autopilot() const {
  return !clusters.empty() && std::ranges::all_of(clusters, &NewCluster::is_autopilot);
}

bool Nodes::empty() const {
  return pods.empty() && pools.empty() && clusters.empty() && policies.empty() &&
         reservations.empty() && rooms.empty() && counted.empty() && autoscalers.empty() &&
         refused.empty();
}

bool Nodes::is_open() const {
  const auto lacks = [](const Text& name, const auto& all) {
    return name.usable() &&
           !any_of(all, [&](const auto& each) { return each.name.value == name.value; });
  };
  return !counted.empty() || !refused.empty() || any_of(pools, [&](const PoolNodes& pool) {
    return pool.has.generation != nullptr &&
           (lacks(pool.cluster, clusters) || lacks(pool.policy, policies) ||
            (pool.autoscaled && lacks(pool.reservation, reservations)));
  }) || any_of(pods, [&](const PodNodes& each) { return lacks(each.reservation, reservations); });
}

void Nodes::add(Nodes other, std::uint32_t file) {
  const auto move = [&](auto& all, auto& more) {
    for (auto& each : more) {
      each.file = file;
      all.push_back(std::move(each));
    }
  };
  move(pods, other.pods);
  move(pools, other.pools);
  move(clusters, other.clusters);
  move(policies, other.policies);
  move(reservations, other.reservations);
  move(rooms, other.rooms);
  move(counted, other.counted);
  move(autoscalers, other.autoscalers);
  move(refused, other.refused);
}

std::vector<std::pair<Code, Span>> Nodes::later_findings() const {
  std::vector<std::pair<Code, Span>> all;
  for (const PodNodes& each : pods) {
    all.emplace_back(Code::PoolContradictsPods, each.pool.where.span);
    all.emplace_back(Code::PoolWaitsForRequests, each.pool.where.span);
    all.emplace_back(Code::PoolWaitsForRequests, each.chips);
    all.emplace_back(Code::NoFittingPool, each.chips);
    all.emplace_back(Code::ReservationIsNew, each.reservation.where.span);
    all.emplace_back(Code::SelectorWithoutNodes, each.zone.where.span);
  }
  for (const RefusedPart& each : refused) all.emplace_back(each.finding.code, each.finding.where);
  for (const PoolNodes& each : pools) {
    all.emplace_back(Code::VersionTooOld, each.where);
    all.emplace_back(Code::AutopilotField, each.where);
    all.emplace_back(Code::PoolElsewhere, each.claims.cluster.location.where.span);
    all.emplace_back(Code::PolicyContradictsPool, each.policy.where.span);
    all.emplace_back(Code::ReservationIsNew, each.reservation.where.span);
  }
  for (const CountedPods& each : counted)
    all.emplace_back(Code::ReplicasBesideAutoscaler, each.replicas.where.span);
  for (const Autoscaler& each : autoscalers)
    all.emplace_back(Code::AutoscalerAbovePools, each.claims.most.where.span);
  std::erase_if(all, [](const auto& each) { return each.second == Span{}; });
  return all;
}

Diagnostic& report_waiting(Span where, std::string_view pool, std::string_view object, Sink& sink) {
  return sink.report<Code::PoolWaitsForRequests>(where, pool, object)
      .note("it has queued provisioning: only ProvisioningRequests make it grow")
      .help(
          "add the label `{}` of a LocalQueue that requests nodes, or create the pool without "
          "queued provisioning",
          resolve::queue_label);
}

namespace {

bool contradict(const Text& one, const Text& other) {
  return one.usable() && other.usable() && one.value != other.value;
}

bool in_other_region(const Text& one, const Text& other) {
  using schema::Pattern;
  return one.usable() && other.usable() && schema::matches(Pattern::location, one.value) &&
         schema::matches(Pattern::location, other.value) &&
         resolve::region_of(one.value) != resolve::region_of(other.value);
}

bool in_other_region(const PoolNodes& pool, const NewCluster& cluster) {
  return in_other_region(pool.claims.cluster.location, cluster.location);
}
bool in_other_region(const PoolNodes& pool, const NewPolicy& policy) {
  return in_other_region(pool.claims.cluster.location, policy.region);
}

Diagnostic& report_pool_of_autopilot(const PoolNodes& pool, const NewCluster& cluster, Sink& sink) {
  Diagnostic& finding =
      sink.report<Code::AutopilotField>(pool.where, "gcloud container node-pools create");
  finding
      .also(cluster.where, fmt::format("{} is created as an Autopilot cluster", pool.cluster.value))
      .help("remove it: GKE creates the nodes from the pods' selectors");
  view::name_arguments(pool.block, finding);
  return finding;
}

bool are_of_module(const PoolNodes& pool, const NewCluster& cluster) {
  return !pool.block.type.empty() && cluster.in_terraform;
}
bool are_of_module(const PoolNodes& pool, const NewPolicy& policy) {
  return !pool.block.type.empty() && !policy.block.type.empty();
}

class NodesJudge {
 public:
  NodesJudge(const Nodes& nodes, Between between, const Catalog& catalog, Sink& sink)
      : nodes_(nodes), between_(between), catalog_(catalog), sink_(sink) {
    if (!in_one()) {
      for (const PoolNodes& pool : nodes.pools) with_pools_.insert(pool.file);
    }
  }

  void judge() {
    judge_autoscalers(nodes_, between_, sink_);
    if (!nodes_.pools.empty()) {
      for (const PodNodes& pods : nodes_.pods) {
        if (pods.pool.usable()) {
          judge_named(pods);
        } else if (!pods.pool.where.given && !with_pools_.contains(pods.file)) {
          judge_unnamed(pods);
        }
        judge_zone(pods);
      }
    }
    judge_refused();
    for (const PoolNodes& pool : nodes_.pools) {
      if (!in_one() && pool.has.generation == nullptr) continue;
      judge_cluster_of(pool);
      judge_policy_of(pool);
      judge_formed_slices_of(pool);
    }
    judge_reservations();
  }

 private:
  bool in_one() const { return between_ == Between::parts; }

  // The pool that the pods name, unless one of that name agrees.
  void judge_named(const PodNodes& pods) {
    const PoolNodes* other = nullptr;
    for (const PoolNodes& pool : nodes_.pools) {
      if (!pool.name.usable() || pool.name.value != pods.pool.value) continue;
      if (!in_one() && pool.file == pods.file) return;
      if (other != nullptr && other->shape().agrees(pods.wanted)) continue;
      other = &pool;
    }
    if (other == nullptr) return;
    if (other->shape().agrees(pods.wanted)) {
      if (other->by_requests && !pods.waiting.empty())
        report_waiting(pods.pool.where.span, pods.pool.value, pods.waiting, sink_)
            .also(other->where, "the pool is created here");
      return;
    }
    sink_
        .report<Code::PoolContradictsPods>(pods.pool, pods.pool.value, other->shape().text(),
                                           pods.wanted.text())
        .also(other->where, "the pool is created here")
        .level = in_one() ? diag::Level::error : diag::Level::warning;
  }

  // Pools of the shape that the pods select, all of which grow for requests alone.
  void judge_waiting(const PodNodes& pods) {
    const PoolNodes* only = nullptr;
    for (const PoolNodes& pool : nodes_.pools) {
      const NodeShape shape = pool.shape();
      if (!shape.agrees(pods.wanted)) continue;
      if (!pool.by_requests || shape.topology != pods.wanted.topology) return;
      if (!in_one() && only != nullptr) return;
      only = &pool;
    }
    if (only != nullptr && only->name.usable() && !pods.waiting.empty())
      report_waiting(pods.chips, only->name.value, pods.waiting, sink_)
          .also(only->where, "the pool is created here");
  }

  // Pools of the topology that the pods select, none of which has the chips that they request.
  void judge_unnamed(const PodNodes& pods) {
    const NodeShape& wanted = pods.wanted;
    if (!wanted.topology || wanted.generation == nullptr || wanted.chips == 0) return;
    judge_waiting(pods);
    const PoolNodes* other = nullptr;
    for (const PoolNodes& pool : nodes_.pools) {
      if (pool.has.generation != wanted.generation || pool.has.topology != wanted.topology)
        continue;
      if (!pool.complete || pool.has.same_chips(wanted) || (!in_one() && other != nullptr)) return;
      other = &pool;
    }
    if (other == nullptr) return;
    sink_.report<Code::NoFittingPool>(pods.chips, wanted.text())
        .also(other->where, fmt::format("this pool has {}", other->has.text()));
  }

  // The pools that the pods may get nodes of, all of which are in other zones.
  void judge_zone(const PodNodes& pods) {
    if (!pods.zone.usable()) return;
    std::vector<std::string_view> zones;
    const PoolNodes* first = nullptr;
    for (const PoolNodes& pool : nodes_.pools) {
      const bool is_named = pods.pool.usable() && pool.name.usable();
      if (pods.pool.where.given
              ? !is_named || pool.name.value != pods.pool.value
              : pool.has.generation == nullptr || !pool.shape().agrees(pods.wanted))
        continue;
      // Beside the pools of its own file, those of others are meant apart.
      if (!in_one() && (first != nullptr || with_pools_.contains(pods.file))) return;
      const auto& its = pool.claims.provisioning.zones;
      const bool is_known = its.where.usable() && std::ranges::all_of(its.items, &Text::usable);
      if (!is_known) return;
      for (const Text& zone : its.items) {
        if (!contains(zones, zone.value)) zones.emplace_back(zone.value);
      }
      if (first == nullptr) first = &pool;
    }
    if (first == nullptr || contains(zones, pods.zone.value)) return;
    Diagnostic& finding =
        sink_
            .report<Code::SelectorWithoutNodes>(
                pods.zone, fmt::format("topology.kubernetes.io/zone: {}", pods.zone.value))
            .note("the nodes are in {}", text::join(zones, ", "))
            .also(first->where, "the pool is created here")
            .help("remove it, or create the pool in this zone");
    if (!in_one() || !pods.pool.usable()) finding.level = diag::Level::warning;
  }

  // The pods run on Autopilot if nothing else is created. Pages show both kinds of cluster next to
  // each other, and pods of a folder may be for pools of other clusters.
  void judge_refused() {
    if (!nodes_.on_autopilot() || (!in_one() && !nodes_.pools.empty())) return;
    for (const RefusedPart& part : nodes_.refused) {
      Diagnostic& finding = sink_.add(Diagnostic(part.finding));
      if (in_one()) continue;
      finding.level = diag::Level::warning;
      finding.also(nodes_.clusters.front().where, "an Autopilot cluster is created here");
    }
  }

  // The reservations that are created here, with the first that grows into each.
  void judge_reservations() {
    for (const NewReservation& reservation : nodes_.reservations) {
      const auto is_its = [&](const auto& each) {
        return each.reservation.usable() && each.reservation.value == reservation.name.value &&
               (each.file == reservation.file) == in_one();
      };
      const auto pool = std::ranges::find_if(nodes_.pools, is_its);
      const auto pods = std::ranges::find_if(nodes_.pods, is_its);
      const bool has_pool = pool != nodes_.pools.end();
      if (has_pool ? !pool->autoscaled : pods == nodes_.pods.end()) continue;
      sink_
          .report<Code::ReservationIsNew>(
              has_pool ? pool->reservation : pods->reservation, reservation.name.value,
              has_pool ? fmt::format("node pool `{}`", pool->name.value) : pods->object)
          .also(reservation.where, "the reservation is created here");
    }
  }

  // What the pool names. Of other files, it is the only one that may be meant.
  template <class Made>
  std::vector<const Made*> named_by(const PoolNodes& pool, const Text& name,
                                    const std::vector<Made>& all) const {
    std::vector<const Made*> found;
    if (!name.usable()) return found;
    for (const Made& each : all) {
      if (!each.name.usable() || each.name.value != name.value) continue;
      if (!in_one() && each.file == pool.file) return {};
      if (in_one() || !contradict(each.project, pool.project)) found.push_back(&each);
    }
    if (in_one()) return found;
    const auto is_near = [&](const Made* each) { return are_of_module(pool, *each); };
    if (any_of(found, is_near)) std::erase_if(found, std::not_fn(is_near));
    // Policies of several regions may have one name, and a module has one cluster of a name.
    const bool by_region = std::is_same_v<Made, NewPolicy>
                               ? found.size() > 1
                               : found.size() == 1 && !are_of_module(pool, *found[0]);
    if (by_region)
      std::erase_if(found, [&](const Made* each) { return in_other_region(pool, *each); });
    if (found.size() > 1) found.clear();
    return found;
  }

  // A module of Terraform is one configuration, and other files may be meant apart.
  template <class Made>
  void of_files(Diagnostic& finding, const PoolNodes& pool, const Made& made) const {
    if (!in_one() && !are_of_module(pool, made) && finding.level != diag::Level::note)
      finding.level = diag::Level::warning;
  }

  void judge_version_of(const PoolNodes& pool, const NewCluster* cluster) {
    spec::Claims claims = pool.claims;
    if (claims.cluster.version.where.given) {
      if (!in_one()) return;
    } else if (cluster != nullptr) {
      claims.cluster.version = cluster->version;
    }
    const Facts facts = resolve::look_up(claims, catalog_);
    Sink own;
    for (const Rule rule : found_version_rules()) rule(facts, own);
    for (Diagnostic& finding : own.take()) {
      if (!in_one()) {
        finding.where = pool.where;
        finding.also(cluster->version.where.span, "the cluster's version is here");
        of_files(finding, pool, *cluster);
      }
      sink_.add(std::move(finding));
    }
  }

  // The cluster that the pool names: its version, and where it is.
  void judge_cluster_of(const PoolNodes& pool) {
    const auto clusters = named_by(pool, pool.cluster, nodes_.clusters);
    if (pool.claims.cluster.version.where.given || clusters.size() == 1)
      judge_version_of(pool, clusters.size() == 1 ? clusters[0] : nullptr);
    if (clusters.empty()) return;
    const NewCluster& cluster = *clusters.back();
    if (cluster.is_autopilot && (!in_one() || nodes_.on_autopilot())) {
      of_files(report_pool_of_autopilot(pool, *clusters.front(), sink_), pool, cluster);
      if (!in_one()) return;
    }
    const Text& location = pool.claims.cluster.location;
    if (!location.usable()) return;
    // A page shows clusters of one name in several places.
    for (const NewCluster* each : clusters) {
      if (!each->location.usable() || each->location.value == location.value) return;
    }
    Diagnostic& finding =
        sink_
            .report<Code::PoolElsewhere>(location, location.value, cluster.name.value,
                                         cluster.location.value)
            .also(cluster.where, "the cluster is created here")
            .help("write {}, and name zones by {}", cluster.location.value,
                  pool.block.type.empty() ? "`--node-locations`" : "`node_locations`");
    of_files(finding, pool, cluster);
  }

  // The policy of that name.
  void judge_policy_of(const PoolNodes& pool) {
    if (!pool.takes_policies) return;
    const auto policies = named_by(pool, pool.policy, nodes_.policies);
    if (policies.empty()) return;
    const NewPolicy& policy = *policies.back();
    const std::string topology = pool.has.topology ? pool.has.topology->text() : "";
    const auto report = [&](const Text& where, std::string_view problem, const std::string& help) {
      Diagnostic& finding = sink_.report<Code::PolicyContradictsPool>(
          in_one() ? where : pool.policy, policy.name.value, problem);
      finding
          .also(in_one() ? pool.where : where.where.span,
                in_one() ? "the pool is created here" : "the policy is created here")
          .help(help);
      view::name_arguments(policy.block, finding);
      of_files(finding, pool, policy);
    };
    if (policy.is_group)
      return report(policy.name, "is for groups of VMs, and the pool needs one for workloads",
                    fmt::format("create it with `gcloud compute resource-policies create "
                                "workload-policy NAME --type=HIGH_THROUGHPUT "
                                "--accelerator-topology={} --region=REGION`",
                                topology));
    const Text& shape = policy.topology;
    if (!topology.empty() && !shape.where.given && policy.complete) {
      report(policy.name, "has no topology, and the pool has " + topology,
             fmt::format("add `--accelerator-topology={}`", topology));
    } else if (!topology.empty() && shape.usable() && catalog::parse_topology(shape.value) &&
               shape.value != topology) {
      report(shape, fmt::format("is for {}, and the pool has {}", shape.value, topology),
             fmt::format("write `--accelerator-topology={}`, in a policy for each topology",
                         topology));
    }
    const Text& location = pool.claims.cluster.location;
    if (!policy.region.usable() || !location.usable()) return;
    const auto region = resolve::region_of(location.value);
    if (region != policy.region.value &&
        schema::matches(schema::Pattern::location, policy.region.value))
      report(policy.region,
             fmt::format("is in {}, and the pool in {}", policy.region.value, region),
             fmt::format("write `--region={}`", region));
  }

  // A pool whose chips are connected when a workload starts: what that demands of its nodes and of
  // the cluster, where both are of this file.
  void judge_formed_slices_of(const PoolNodes& pool) {
    const Generation* generation = pool.has.generation;
    const auto policies = named_by(pool, pool.policy, nodes_.policies);
    if (!in_one() || policies.empty() || generation == nullptr || !generation->slicing.on_demand ||
        text::lower(policies.back()->mode.value) != "provision_only")
      return;
    const Slicing& slicing = generation->slicing;
    const auto need = [&](const Text& where, const std::string& flag) {
      note_source(sink_.report<Code::SlicingNeeds>(where, slicing.title, flag)
                      .note("the workload policy of node pool `{}` has the mode {}",
                            pool.name.value, policies.back()->mode.value),
                  slicing.evidence);
    };
    // Names of images look like placeholders.
    const std::string image = text::lower(pool.image.value);
    if (!slicing.image_type.empty() && image.ends_with("_containerd") &&
        image != text::lower(slicing.image_type))
      need(pool.image, fmt::format("`--image-type={}`", slicing.image_type));
    const auto clusters = named_by(pool, pool.cluster, nodes_.clusters);
    if (clusters.size() != 1) return;
    const NewCluster& cluster = *clusters.front();
    const std::string channel = text::lower(slicing.release_channel);
    const bool is_other = cluster.channel.usable() && text::lower(cluster.channel.value) != channel;
    if (!channel.empty() && (is_other || (!cluster.channel.where.given && cluster.complete)))
      need(is_other ? cluster.channel : cluster.name,
           fmt::format("`--release-channel={}`", channel));
    const Feature* feature = find_feature(catalog_, slicing.nodes_feature);
    const auto version = cluster.version.usable() ? catalog::parse_version(cluster.version.value)
                                                  : std::optional<catalog::Version>();
    if (feature == nullptr || !version) return;
    for (const Minimum& minimum : feature->minimums) {
      const auto least = catalog::parse_version(minimum.version);
      if (minimum.mode != MinimumMode::standard || !least || *least <= *version) continue;
      Diagnostic& finding = sink_.report<Code::VersionTooOld>(
          cluster.version, feature->title, minimum.version, cluster.version.value);
      finding.judged(minimum.evidence.confidence);
      note_source(finding, minimum.evidence);
    }
  }

  const Nodes& nodes_;
  Between between_;
  const Catalog& catalog_;
  Sink& sink_;
  std::set<std::uint32_t> with_pools_;  // files of the folder, whose pods they have judged
};

}  // namespace

void judge_nodes(const Nodes& nodes, Between between, const Catalog& catalog, Sink& sink) {
  NodesJudge(nodes, between, catalog, sink).judge();
}

void FileJudge::finish() {
  judge_nodes(summary_.nodes, Between::parts, catalog_, sink_);
  // The folder does not report it again.
  if (summary_.nodes.on_autopilot()) summary_.nodes.refused.clear();
  judge_train_jobs();
  judge_shapes_of_clusters(launches_, sink_);
  judge_claimed_chips();
  judge_queues();
  summary_.queues.all_flavors = summary_.queues.flavors;
  if (!summary_.queues.flavors.empty()) judge_flavors(summary_.queues, sink_);
  judge_request_configs(summary_.queues, sink_);
  judge_services();
  std::vector<Text> versions;
  for (const NewCluster& cluster : summary_.nodes.clusters) versions.push_back(cluster.version);
  judge_terms_of_clusters(versions, catalog_, sink_);
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

std::vector<std::pair<Code, Span>> FileSummary::later_findings() const {
  auto all = nodes.later_findings();
  for (const DroppedVersion& each : dropped)
    all.emplace_back(Code::OldApiVersion, each.version.where.span);
  return all;
}

FileSummary FileJudge::summary() {
  std::erase_if(summary_.nodes.pods, [](const PodNodes& pods) {
    const NodeShape& wanted = pods.wanted;
    const bool is_whole = wanted.generation != nullptr && wanted.topology && wanted.chips > 0;
    return !pods.pool.usable() && !pods.reservation.usable() && !is_whole;
  });
  // Their pods have shown this already.
  for (view::ClusterQueueClaims& queue : summary_.queues.cluster_queues) {
    if (closed_queues_.contains(queue.name.value)) queue.has_namespaces = true;
  }
  return std::move(summary_);
}

}  // namespace flexslice::rules
