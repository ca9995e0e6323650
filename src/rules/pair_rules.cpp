// The parts of a file refer to each other: pods and the node pools that they select, clusters and
// their pools, flavors of Kueue and the pods that they are for.
#include <fmt/core.h>

#include <functional>
#include <set>
#include <type_traits>
#include <utility>

#include "base/slip.hpp"
#include "resolve/workload_names.hpp"
#include "rules/command_rules.hpp"
#include "rules/file_judge.hpp"
#include "rules/object_rules.hpp"
#include "rules/pod_rules.hpp"
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

bool World::on_autopilot() const {
  return !clusters.empty() && std::ranges::all_of(clusters, &NewCluster::is_autopilot);
}

bool World::is_open() const {
  const auto lacks = [](const Text& name, const auto& all) {
    return name.usable() &&
           !any_of(all, [&](const auto& each) { return each.name.value == name.value; });
  };
  return !counted.empty() || !refused.empty() ||
         any_of(identities, [](const NewIdentity& each) { return each.account.where.given; }) ||
         any_of(pools,
                [&](const PoolNodes& pool) {
                  return pool.has.generation != nullptr &&
                         (lacks(pool.cluster, clusters) || lacks(pool.policy, policies) ||
                          (pool.autoscaled && lacks(pool.reservation, reservations)));
                }) ||
         (pools.empty() && clusters.empty() &&
          any_of(pods, [](const PodNodes& each) { return each.wanted.chips > 0; })) ||
         any_of(pods, [&](const PodNodes& each) { return lacks(each.reservation, reservations); });
}

bool World::has_other_cluster() const {
  std::set<std::string_view> with_pools, aliases;
  for (const PoolNodes& pool : pools) {
    if (pool.has.generation == nullptr) continue;
    if (!pool.cluster.usable()) return false;
    with_pools.insert(pool.cluster.value);
  }
  // A slip of the name is the same cluster.
  const auto is_other = [&](const Text& name) {
    return name.usable() && !any_of(with_pools, [&](std::string_view own) {
             return own == name.value || text::is_slip_of_name(name.value, own);
           });
  };
  for (const NamedCluster& each : named_clusters) {
    if (!is_other(each.name)) continue;
    if (!each.is_alias) return true;
    aliases.insert(each.name.value);
  }
  return aliases.size() > with_pools.size() ||
         any_of(clusters, [&](const NewCluster& each) { return is_other(each.name); });
}

void World::open_changed_pools() {
  for (PoolNodes& pool : pools) {
    if (!any_of(changed_pools, [&](const ChangedPool& each) {
          return !each.is_new && (each.name.empty() || each.name == pool.name.value);
        }))
      continue;
    pool.most_nodes.reset();
    pool.labels_known = false;
    pool.taints.clear();
  }
}

void World::add(World other, std::uint32_t file) {
  append_lists(lists(*this), lists(other), [&](auto& each) { each.file = file; });
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

// Zones of nodes say the region too, where nothing says that of the cluster.
const Text& location_of_pool(const PoolNodes& pool) {
  const Text& location = pool.claims.cluster.location;
  const Text* zone = find_where(pool.claims.provisioning.zones.items,
                                [](const Text& each) { return each.usable(); });
  return location.usable() || zone == nullptr ? location : *zone;
}

bool in_other_region(const PoolNodes& pool, const NewPolicy& policy) {
  return in_other_region(location_of_pool(pool), policy.region);
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

class WorldJudge {
 public:
  WorldJudge(const World& world, Between between, const Catalog& catalog, Sink& sink)
      : world_(world), between_(between), catalog_(catalog), sink_(sink) {}

  void judge() {
    judge_autoscalers(world_, between_, sink_);
    judge_identities(world_, between_, sink_);
    judge_placement(world_, between_, catalog_, sink_);
    judge_refused();
    for (const PoolNodes& pool : world_.pools) {
      if (!in_one() && pool.has.generation == nullptr) continue;
      judge_cluster_of(pool);
      judge_policy_of(pool);
      judge_formed_slices_of(pool);
    }
    judge_reservations();
    judge_locations();
  }

 private:
  bool in_one() const { return between_ == Between::parts; }

  // The pods run on Autopilot if nothing else is created. Pages show both kinds of cluster next to
  // each other, and pods of a folder may be for pools of other clusters.
  void judge_refused() {
    if (!world_.on_autopilot() || (!in_one() && !world_.pools.empty())) return;
    for (const RefusedPart& part : world_.refused) {
      Diagnostic& finding = sink_.add(Diagnostic(part.finding));
      if (in_one()) continue;
      finding.level = diag::Level::warning;
      finding.also(world_.clusters.front().where, "an Autopilot cluster is created here");
    }
  }

  // Nothing else judges clusters without TPUs, beside pods that use some.
  void judge_locations() {
    for (const NewCluster& cluster : world_.clusters) {
      const Text& location = cluster.location;
      if (!cluster.is_unjudged || !cluster.is_autopilot || world_.pods.empty() ||
          !location.usable() || !schema::matches(schema::Pattern::zone, location.value))
        continue;
      sink_.report<Code::AutopilotNeedsRegion>(location, location.value)
          .help("write `--location={}`", resolve::region_of(location.value));
    }
  }

  // The reservations that are created here, with the first that grows into each.
  void judge_reservations() {
    for (const NewReservation& reservation : world_.reservations) {
      const auto is_its = [&](const auto& each) {
        return each.reservation.usable() && each.reservation.value == reservation.name.value &&
               (each.file == reservation.file) == in_one();
      };
      const auto pool = std::ranges::find_if(world_.pools, is_its);
      const auto pods = std::ranges::find_if(world_.pods, is_its);
      const bool has_pool = pool != world_.pools.end();
      if (has_pool ? !pool->autoscaled : pods == world_.pods.end()) continue;
      sink_
          .report<Code::ReservationIsNew>(
              has_pool ? pool->reservation : pods->reservation, reservation.name.value,
              has_pool ? fmt::format("node pool `{}`", pool->name.value) : pods->object)
          .also(reservation.where, "the reservation is created here");
    }
  }

  // Finds the object that the pool names. In other files, it is the only one that may be meant.
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
    const auto clusters = named_by(pool, pool.cluster, world_.clusters);
    if (pool.claims.cluster.version.where.given || clusters.size() == 1)
      judge_version_of(pool, clusters.size() == 1 ? clusters[0] : nullptr);
    judge_zones_of(pool, clusters);
    if (clusters.empty()) return;
    const NewCluster& cluster = *clusters.back();
    if (cluster.is_autopilot && (!in_one() || world_.on_autopilot())) {
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

  // In a region a pool has nodes in every zone of the cluster, and a slice is in one. A command may
  // be for a cluster of one zone, which nothing here creates.
  void judge_zones_of(const PoolNodes& pool, const std::vector<const NewCluster*>& clusters) {
    const Text& location = pool.claims.cluster.location;
    const bool is_of_other = pool.block.type.empty() && clusters.empty();
    if (!in_one() || is_of_other || pool.hosts < 2 || !pool.is_known() || !location.usable() ||
        pool.claims.provisioning.zones.where.given ||
        !schema::matches(schema::Pattern::location, location.value) ||
        schema::matches(schema::Pattern::zone, location.value) ||
        any_of(clusters, [](const NewCluster* each) { return each->has_zones; }))
      return;
    Diagnostic& finding =
        sink_.report<Code::FlagRequired>(location, "`--tpu-topology`", "`--node-locations`");
    finding.level = diag::Level::warning;
    finding
        .note(
            "{} is a region, where a pool has nodes in several zones; the hosts of a slice are "
            "in one",
            location.value)
        .help("add `--node-locations=ZONE`");
    view::name_arguments(pool.block, finding);
  }

  // A policy may be older than the file, unless the file creates one that none of its pools names.
  void judge_missing_policy(const PoolNodes& pool) {
    const auto is_called = [&](const Text& name) { return name.value == pool.policy.value; };
    if (!in_one() || !pool.policy.usable() || any_of(world_.policies, [&](const auto& policy) {
          return !policy.name.usable() || is_called(policy.name);
        }))
      return;
    const NewPolicy* unused = find_where(world_.policies, [&](const NewPolicy& policy) {
      return !policy.is_group && !in_other_region(pool, policy) &&
             !any_of(world_.pools, [&](const PoolNodes& each) {
               return each.policy.where.given && each.policy.value == policy.name.value;
             });
    });
    if (unused == nullptr) return;
    sink_.report<Code::QueueObjectMissing>(pool.policy, "workload policy", pool.policy.value)
        .also(unused->where,
              fmt::format("`{}` is created here, and no node pool names it", unused->name.value))
        .help("write `{}`", unused->name.value);
  }

  // The policy of that name.
  void judge_policy_of(const PoolNodes& pool) {
    if (pool.has.generation == nullptr) return;
    const auto policies = named_by(pool, pool.policy, world_.policies);
    if (policies.empty()) return pool.takes_policies ? judge_missing_policy(pool) : void();
    const auto is_near = [&](const NewPolicy* each) { return !in_other_region(pool, *each); };
    const auto near = std::ranges::find_if(policies, is_near);
    const NewPolicy& policy = near == policies.end() ? *policies.back() : **near;
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
    // A policy of another region is refused, whatever it is for.
    if (near == policies.end()) {
      const auto region = resolve::region_of(location_of_pool(pool).value);
      report(policy.region,
             fmt::format("is in {}, and the pool in {}", policy.region.value, region),
             fmt::format("write `--region={}`", region));
    }
    if (!pool.takes_policies) return;
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
  }

  // A pool whose chips are connected when a workload starts: what that demands of its nodes and of
  // the cluster, where both are of this file.
  void judge_formed_slices_of(const PoolNodes& pool) {
    const Generation* generation = pool.has.generation;
    const auto policies = named_by(pool, pool.policy, world_.policies);
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
    // ObjectNames of images look like placeholders.
    const std::string image = text::lower(pool.image.value);
    if (!slicing.image_type.empty() && image.ends_with("_containerd") &&
        image != text::lower(slicing.image_type))
      need(pool.image, fmt::format("`--image-type={}`", slicing.image_type));
    const auto clusters = named_by(pool, pool.cluster, world_.clusters);
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

  const World& world_;
  Between between_;
  const Catalog& catalog_;
  Sink& sink_;
};

}  // namespace

void judge_world(const World& world, Between between, const Catalog& catalog, Sink& sink) {
  WorldJudge(world, between, catalog, sink).judge();
}

namespace {

// The only pool in a cluster that no other command names, where all of the others name one.
void judge_clusters_of_pools(std::span<const PoolNodes> pools, std::span<const ScopeName> clusters,
                             Sink& sink) {
  std::map<std::string_view, std::vector<const Text*>> said;
  for (const ScopeName& each : clusters) {
    if (!each.name.usable()) return;
    said[each.name.value].push_back(&each.name);
  }
  if (said.size() != 2) return;
  for (const PoolNodes& pool : pools) {
    if (!pool.block.type.empty() || !pool.cluster.usable() || !pool.name.usable()) continue;
    const auto own = said.find(pool.cluster.value);
    const auto& [other, places] = own == said.begin() ? *said.rbegin() : *said.begin();
    if (own == said.end() || own->second.size() > 1 || places.size() < 2 ||
        text::is_slip_of_name(pool.cluster.value, other))
      continue;
    sink.report<Code::PoolOfOtherCluster>(pool.cluster, pool.name.value, pool.cluster.value, other)
        .also(places.front()->where.span, "one of them is here")
        .help("write `--cluster={}`", other);
  }
}

}  // namespace

void FileJudge::finish() {
  summary_.world.request_queues = request_queues(summary_.queues);
  summary_.world.open_changed_pools();
  judge_world(summary_.world, Between::parts, catalog_, sink_);
  // The folder does not report it again.
  if (summary_.world.on_autopilot()) summary_.world.refused.clear();
  judge_train_jobs();
  judge_shapes_of_clusters(launches_, sink_);
  judge_successors(launches_, sink_);
  judge_claimed_chips();
  judge_host_identities(summary_.names, sink_);
  // Other files may have the objects that this file lacks.
  summary_.names.references = judge_references(summary_.names.references, summary_.names.made,
                                               "the file", patches(), sink_);
  judge_scopes(clusters_, "cluster", sink_);
  judge_clusters_of_pools(summary_.world.pools, clusters_, sink_);
  judge_scopes(projects_, "project", sink_);
  judge_scopes(accounts_, "service account", sink_);
  judge_programs();
  judge_requests();
  judge_buffers();
  judge_queues();
  summary_.queues.all_flavors = summary_.queues.flavors;
  if (!summary_.queues.flavors.empty()) judge_flavors(summary_.queues, sink_);
  judge_request_configs(summary_.queues, sink_);
  judge_services();
  std::vector<Text> versions;
  for (const NewCluster& cluster : summary_.world.clusters) versions.push_back(cluster.version);
  judge_terms_of_clusters(versions, catalog_, sink_);
  names_.judge(summary_.names.made, sink_);
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

void FileJudge::judge_programs() {
  std::erase_if(summary_.programs, [&](Program& program) {
    bool has_config = false;
    for (const ConfigMap& config : summary_.configs)
      has_config |= add_config(program, config.name, config.name_space, config.values);
    if (has_config) judge_devices(program, sink_);
    return has_config;
  });
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
  std::erase_if(summary_.world.pods, [&](PodNodes& pods) {
    const NodeShape& wanted = pods.wanted;
    const bool is_whole = wanted.generation != nullptr && wanted.topology && wanted.chips > 0;
    // A flavor selects nodes for pods that are not known.
    const bool is_shape = pods.type.usable() && wanted.topology;
    const bool has_label = any_of(pods.selectors.entries, [](const auto& entry) {
      return entry.value.usable() && !resolve::is_set_by_gke(entry.key.value);
    });
    const bool is_judged =
        pods.pool.usable() || pods.reservation.usable() || is_whole || is_shape || has_label;
    if (!is_judged && keeps_all_) summary_.world.other_pods.push_back(std::move(pods));
    return !is_judged;
  });
  // Their pods have shown this already.
  for (view::ClusterQueueClaims& queue : summary_.queues.cluster_queues) {
    if (closed_queues_.contains(queue.name.value)) queue.has_namespaces = true;
  }
  return std::move(summary_);
}

}  // namespace flexslice::rules
