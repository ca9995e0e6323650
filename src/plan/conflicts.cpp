#include "plan/conflicts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <utility>

#include "base/text.hpp"
#include "yaml/emit.hpp"

namespace flexslice::plan {

namespace {

constexpr std::string_view pool_kind = "node pool", queue_of_pool = "queue of a node pool",
                           patch_of_queue = "patch of a queue", queue_kind = "queue",
                           team_setting = "setting of a queue",
                           class_kind = "WorkloadPriorityClass", shared_cluster = "cluster",
                           shared_claim = "claim", made_claim = "PersistentVolumeClaim",
                           made_disk = "PersistentVolume", policy_kind = "workload policy",
                           route_kind = "route of Gateway",
                           configuration_kind = "CheckpointConfiguration";

// FNV-1a. No part can hold the byte between them.
std::uint64_t hash_of(std::uint64_t hash, std::initializer_list<std::string_view> parts) {
  for (std::string_view part : parts) {
    for (char c : part) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    hash = (hash ^ 0xffu) * 0x100000001b3;
  }
  return hash;
}

// The values that a patch sets, each with its path.
void add_leaves(const yaml::Node& node, const std::string& path,
                const std::function<void(const std::string& path, const yaml::Node&)>& add) {
  if (node.kind != yaml::Kind::mapping) return add(path, node);
  for (const auto& [key, value] : node.members)
    add_leaves(value, path.empty() ? key.text : path + "." + key.text, add);
}

std::string chips(std::int64_t number) { return text::count(number, "chip"); }

std::string nodes_text(const plan::Plan& plan) {
  return fmt::format(
      "{} {} on {} with {}", plan.tpu.generation,
      plan.provisioning.slicing == nullptr ? plan.tpu.topology : plan.provisioning.pool_topology,
      plan.tpu.machine_type.value, plan.provisioning.model);
}

QuotaShare share_of(const plan::Plan& plan, std::uint64_t cluster, Span where) {
  const spec::WorkloadKind& kind = *plan.workload.of_kind;
  // Kueue admits each replica of workloads that serve separately.
  const bool by_slice = kind.slices == spec::Slices::independent && !kind.ray;
  QuotaShare share{hash_of(cluster, {plan.provisioning.queue, plan.queue->flavor}),
                   plan.queue->quota.value_or(0),
                   by_slice ? plan.tpu.chips : plan.tpu.total_chips,
                   0,
                   0,
                   where};
  if (!plan.provisioning.owner.empty() && !plan.pools.empty()) {
    share.of_spec = plan.provisioning.quota_chips;
    share.available = share.of_spec / std::ssize(plan.pools);
  }
  for (const spec::Patch& patch : plan.patches) {
    if (patch.target.kind.value != "ClusterQueue") continue;
    add_leaves(patch.body().value, {}, [&](const std::string& path, const yaml::Node&) {
      // Other queues may lend chips, and borrow them.
      if (path.find(".cohort") != path.npos) share.admitted = share.available = 0;
    });
  }
  return share;
}

// A platform that the run has is known after the last spec.
std::shared_ptr<const QueueUse> queue_use(const plan::Plan& plan, std::uint64_t cluster,
                                          Span of_priority) {
  QueueUse use{.cluster = cluster,
               .names_cluster = !plan.cluster.name.empty(),
               .spec = plan.name,
               .object = fmt::format("{} `{}`", plan.workload.of_kind->object, plan.name),
               .queue = plan.provisioning.queue,
               .name_space = plan.name_space,
               .flavor = plan.queue ? plan.queue->flavor : std::string(),
               .nodes = nodes_text(plan),
               .teams = {}};
  if (plan.provisioning.reservation) use.reservation = plan.provisioning.reservation->path;
  use.chips = plan.queue ? share_of(plan, cluster, {}).admitted : plan.tpu.total_chips.value;
  use.has_own_pools = !plan.provisioning.owner.empty() && !plan.pools.empty();
  use.priority = plan.provisioning.priority;
  use.makes_priority = plan.provisioning.priority_value.has_value();
  use.of_priority = of_priority;
  if (plan.capacity) use.teams = plan.capacity->queues;
  return std::make_shared<const QueueUse>(std::move(use));
}

// Specs of a run may describe one queue together: what is no amount has to agree.
void add_teams(const plan::Plan& plan, std::uint64_t cluster, Span where,
               std::vector<Resource>& all) {
  all.push_back({.identity = hash_of(cluster, {queue_kind, plan.name, "of teams"}),
                 .kind = std::string(queue_kind),
                 .name = plan.name,
                 .shape = "of teams",
                 .where = where,
                 .use = queue_use(plan, cluster, {})});
  for (const QueueOfTeam& team : plan.capacity->queues) {
    const std::pair<std::string_view, std::string_view> settings[] = {
        {"cohort", team.cohort},
        {"weight", team.weight},
        {"withinClusterQueue", team.within_queue},
        {"reclaimWithinCohort", team.reclaim},
        {"borrowWithinCohort", team.borrow_policy}};
    for (const auto& [setting, value] : settings) {
      if (value.empty()) continue;
      all.push_back({.identity = hash_of(cluster, {team_setting, team.name, setting}),
                     .kind = std::string(team_setting),
                     .name = team.name,
                     .shape = fmt::format("{} `{}`", setting, value),
                     .where = where});
    }
    for (const PriorityLevel& level : team.priorities)
      all.push_back({hash_of(cluster, {class_kind, level.name}), std::string(class_kind),
                     level.name, std::to_string(level.value), where});
  }
}

// Several specs may use it; what is wrong with that is known after the last one.
bool several_may_use(const Resource& resource) {
  return resource.kind == shared_cluster || resource.kind == shared_claim;
}

// Requests that the routes of the spec take from a Gateway: each match is a resource.
void add_routes(std::span<const yaml::Value> objects, std::uint64_t cluster, Span where,
                std::vector<Resource>& all) {
  for (const yaml::Value& object : objects) {
    const yaml::Value* spec = object.find("spec");
    if (object.text_at({"kind"}) != "HTTPRoute" || spec == nullptr) continue;
    const yaml::Value *parents = spec->find("parentRefs"), *rules = spec->find("rules"),
                      *hosts = spec->find("hostnames");
    if (parents == nullptr || rules == nullptr) continue;
    const std::string_view own = object.text_at({"metadata", "namespace"});
    const std::string route = fmt::format("{}/{}", own, object.text_at({"metadata", "name"})),
                      names = hosts == nullptr ? std::string() : yaml::emit_json(*hosts);
    for (const yaml::Value& parent : parents->items) {
      const std::string_view named = parent.text_at({"namespace"}),
                             gateway = parent.text_at({"name"});
      for (const yaml::Value& rule : rules->items) {
        const yaml::Value* matches = rule.find("matches");
        if (matches == nullptr) continue;
        for (const yaml::Value& match : matches->items) {
          const yaml::Value* headers = match.find("headers");
          const bool of_model = headers != nullptr && headers->items.size() == 1;
          all.push_back(
              {.identity = hash_of(cluster, {route_kind, named.empty() ? own : named, gateway,
                                             names, yaml::emit_json(match)}),
               .kind = std::string(route_kind),
               .name = std::string(gateway),
               .shape = route,
               .where = where,
               .requests =
                   of_model
                       ? fmt::format("for model `{}`", headers->items.front().text_at({"value"}))
                       : fmt::format("of path `{}`", match.text_at({"path", "value"}))});
        }
      }
    }
  }
}

}  // namespace

std::vector<Resource> resources(const plan::Plan& plan, std::span<const yaml::Value> objects,
                                const NamePlaces& names) {
  constexpr std::uint64_t hash_seed = 0xcbf29ce484222325;
  const std::uint64_t cluster =
      hash_of(hash_seed, {plan.cluster.project, plan.cluster.location, plan.cluster.name});
  std::vector<Resource> all;
  all.reserve(objects.size() + plan.pools.size());
  // The workload itself comes last; a conflict names it rather than its Service.
  for (auto object = objects.rbegin(); object != objects.rend(); ++object) {
    const std::string_view kind = object->text_at({"kind"}),
                           name_space = object->text_at({"metadata", "namespace"}),
                           name = object->text_at({"metadata", "name"});
    // A node runs the driver of one configuration, which points of a sweep may share.
    const yaml::Value* nodes =
        kind == configuration_kind ? object->at({"spec", "nodeSelector"}) : nullptr;
    all.push_back({nodes == nullptr ? hash_of(cluster, {name_space, kind, name})
                                    : hash_of(cluster, {kind, yaml::emit_json(*nodes)}),
                   std::string(kind), std::string(name),
                   nodes == nullptr ? "" : fmt::format("{} {}", name, yaml::emit_json(*object)),
                   names.workload});
  }
  add_routes(objects, cluster, names.workload, all);
  std::string shape = nodes_text(plan);
  if (plan.provisioning.autoscale && plan.provisioning.by_model->nodes == catalog::FirstNodes::all)
    shape += ", autoscaled";
  // The scripts of a sweep make a pool once, for all of its points.
  if (!plan.sweep.empty() && !plan.provisioning.owner.empty() && !plan.pools.empty()) {
    const plan::NodePool& pool = plan.pools.front();
    for (const std::string& each : {text::count(pool.nodes, "node"), plan.provisioning.zone_list,
                                    pool.max_run_duration.value, plan.provisioning.resource_labels})
      shape += each.empty() ? "" : ", " + each;
    for (const plan::PassedFlag& flag : plan.provisioning.flags) shape += ", " + flag.word;
  }
  for (const plan::NodePool& pool : plan.pools)
    all.push_back({hash_of(cluster, {pool_kind, pool.name}), std::string(pool_kind), pool.name,
                   shape, names.node_pool, !plan.provisioning.owner.empty() && plan.first_on_pools,
                   plan.tpu.multi_host && plan.provisioning.queue.empty()});
  // A policy belongs to a region: pools of one cluster may share it, those of two may not.
  for (const plan::WorkloadPolicy& policy : plan.policies) {
    if (plan.cluster.name.empty()) break;
    all.push_back(
        {hash_of(hash_seed, {plan.cluster.project, policy.region, policy_kind, policy.name}),
         std::string(policy_kind), policy.name,
         fmt::format("of {} in {}", plan.cluster.name, plan.cluster.location), names.node_pool});
  }
  if (!plan.cluster.name.empty())
    all.push_back({hash_of(cluster, {shared_cluster}),
                   std::string(shared_cluster),
                   plan.cluster.name,
                   {},
                   plan.cluster.create ? names.new_cluster : names.workload,
                   plan.cluster.create});
  for (const plan::PodVolume& volume : plan.workload.volumes.items) {
    if (!volume.pvc.usable()) continue;
    const bool is_disk = any_of(plan.made_volumes, [&](const plan::MadeVolume& made) {
      return made.name == volume.pvc.value && made.access == "ReadWriteOnce" &&
             (made.storage_class.empty() || made.storage_class.starts_with("flexslice-"));
    });
    all.push_back({hash_of(cluster, {plan.name_space, shared_claim, volume.pvc.value}),
                   std::string(shared_claim),
                   volume.pvc.value,
                   {},
                   names.workload,
                   is_disk});
  }
  for (const plan::MadeVolume& made : plan.made_volumes) {
    std::string claim = made.size;
    for (const std::string& each : {made.access, made.storage_class, made.disk_type, made.bucket})
      claim += each.empty() ? "" : ", " + each;
    all.push_back({.identity = hash_of(cluster, {plan.name_space, made_claim, made.name, "made"}),
                   .kind = std::string(made_claim),
                   .name = made.name,
                   .shape = std::move(claim),
                   .where = names.workload});
    // It has no namespace.
    if (!made.volume.empty())
      all.push_back({.identity = hash_of(cluster, {made_disk, made.volume}),
                     .kind = std::string(made_disk),
                     .name = made.volume,
                     .shape = fmt::format("of {}/{}", plan.name_space, made.name),
                     .where = names.workload});
  }
  if (plan.capacity) {
    add_teams(plan, cluster, names.queue, all);
    return all;
  }
  const std::string& queue = plan.provisioning.queue;
  if (queue.empty()) return all;
  all.push_back({.identity = hash_of(cluster, {queue_kind, plan.name_space, queue}),
                 .kind = std::string(queue_kind),
                 .name = queue,
                 .shape = plan.provisioning.their_queue ? "somebody else's" : "made by queues.yaml",
                 .where = names.queue,
                 .use = queue_use(plan, cluster, names.priority_name)});
  if (const auto& value = plan.provisioning.priority_value)
    all.push_back({hash_of(cluster, {class_kind, plan.provisioning.priority}),
                   std::string(class_kind), plan.provisioning.priority, std::to_string(*value),
                   names.priority});
  std::optional<QuotaShare> share;
  if (plan.queue) share = share_of(plan, cluster, names.quota);
  const auto add_pool = [&](std::uint64_t identity, const std::string& name) {
    all.push_back(
        {identity, std::string(queue_of_pool), name, queue, names.node_pool, false, false, share});
  };
  for (const plan::NodePool& pool : plan.pools)
    add_pool(hash_of(cluster, {queue_of_pool, pool.name}), pool.name);
  if (plan.pools.empty())
    add_pool(hash_of(cluster, {queue_of_pool, plan.name_space, plan.name}), plan.name);
  for (const spec::Patch& patch : plan.patches) {
    if (patch.target.kind.value != "ClusterQueue") continue;
    add_leaves(patch.body().value, {}, [&](const std::string& path, const yaml::Node& value) {
      const std::string json = yaml::emit_json(yaml::to_value(value));
      all.push_back({hash_of(cluster, {patch_of_queue, queue, path}), std::string(patch_of_queue),
                     path, std::string(text::trim(json)), value.span});
    });
  }
  return all;
}

std::optional<diag::Diagnostic> Defined::add(std::span<const Resource> resources,
                                             std::string_view file, const Source& source) {
  for (const Resource& resource : resources) {
    if (several_may_use(resource)) continue;
    const auto known = definitions_.find(resource.identity);
    if (known != definitions_.end()) {
      const Definition& earlier = known->second;
      if (resource.shape.empty() || shapes_[earlier.shape] != resource.shape ||
          (resource.creates && earlier.creates) || (resource.alone && earlier.alone)) {
        if (resource.kind != queue_of_pool || !shares_by_quotas(resource))
          return conflict(resource, earlier, file, source);
      }
    }
    if (!resource.share) continue;
    if (auto found = quota_conflict(*resource.share)) return found;
  }
  if (files_.empty() || files_.back() != file) files_.push_back(file);
  std::optional<Span> last;
  SpecPlace place{};
  for (const Resource& resource : resources) {
    // Most resources of a spec are at its workload's name.
    if (last != resource.where) place = place_in(source, resource.where.begin);
    last = resource.where;
    if (several_may_use(resource)) {
      add_shared(resource, place, source);
      continue;
    }
    const auto [known, is_new] = definitions_.try_emplace(
        resource.identity, Definition{place, shape_number(resource.shape), false, false});
    if (resource.share) {
      add_share(*resource.share, is_new, source);
      PoolQuotas& quotas = quotas_of_pools_[resource.identity];
      std::int64_t& quota = quotas.of_queues[resource.shape];
      quota = std::max(quota, resource.share->stated);
      quotas.chips = std::max(quotas.chips, resource.share->of_spec);
    }
    if (resource.use)
      platforms_.add(resource.use, resource.where, place.file, place.position, source);
    known->second.creates |= resource.creates;
    known->second.alone |= resource.alone;
  }
  return std::nullopt;
}

bool Defined::shares_by_quotas(const Resource& resource) const {
  const auto known = quotas_of_pools_.find(resource.identity);
  if (!resource.share || known == quotas_of_pools_.end()) return false;
  const QuotaShare& share = *resource.share;
  std::int64_t sum = 0;
  bool all_state = share.stated > 0;
  for (const auto& [queue, quota] : known->second.of_queues) {
    if (queue == resource.shape) continue;
    sum += quota;
    all_state = all_state && quota > 0;
  }
  const std::int64_t chips = std::max(share.of_spec, known->second.chips);
  return all_state && (chips == 0 || sum + share.stated <= chips);
}

std::optional<diag::Diagnostic> Defined::quota_conflict(const QuotaShare& share) const {
  using diag::Code;
  static const FlavorUse none{};
  const auto known = flavors_.find(share.flavor);
  const FlavorUse& use = known == flavors_.end() ? none : known->second;
  diag::Sink sink;
  const auto also = [&](diag::Diagnostic& found, const SpecPlace& place, std::string text) {
    found.also(std::string(files_[place.file]), place.position, std::move(text));
  };
  const std::int64_t stated = share.stated > 0 ? share.stated : use.share.stated,
                     admitted = std::max(share.admitted, use.share.admitted);
  if (use.share.stated > 0 && use.share.stated != stated) {
    also(sink.report<Code::QuotasDiffer>(share.where, chips(stated), chips(use.share.stated))
             .help("write the quota in one of the specs, or the same in all"),
         use.stated, "the other quota");
  } else if (stated > 0 && stated < admitted) {
    diag::Diagnostic& found =
        sink.report<Code::QuotaBelowWorkload>(share.where, chips(stated), chips(admitted))
            .note("Kueue never admits it")
            .help("write `quota: {}` or more, or leave `quota` out", admitted);
    if (share.stated == 0) also(found, use.stated, "the quota");
    if (share.admitted < admitted) also(found, use.admitted, "the workload");
  }
  std::vector<diag::Diagnostic> found = sink.take();
  return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

void Defined::add_share(const QuotaShare& share, bool is_new_pool, const Source& source) {
  FlavorUse& use = flavors_[share.flavor];
  const auto place = [&] { return place_in(source, share.where.begin); };
  if (share.stated > 0 && use.share.stated == 0) {
    use.share.stated = share.stated;
    use.share.where = share.where;
    use.stated = place();
    use.source = source;
  }
  if (share.admitted > use.share.admitted) {
    use.share.admitted = share.admitted;
    use.admitted = place();
  }
  use.any_number |= share.available == 0;
  if (is_new_pool) use.share.available += share.available;
}

// The finding about a cluster is at the spec that creates it, the one about a claim at the second
// that mounts it.
void Defined::add_shared(const Resource& resource, const SpecPlace& place, const Source& source) {
  const bool of_cluster = resource.kind == shared_cluster;
  Shared& shared = (of_cluster ? clusters_ : claims_)[resource.identity];
  shared.name = resource.name;
  const bool is_about = of_cluster ? resource.creates : shared.other.has_value();
  if (is_about && !shared.source) {
    shared.source = source;
    shared.where = resource.where;
  } else if (!shared.other) {
    shared.other = place;
  }
  shared.is_made |= resource.creates;
}

std::vector<std::pair<Source, diag::Diagnostic>> Defined::late_findings() const {
  using diag::Code;
  std::vector<std::pair<Source, diag::Diagnostic>> all;
  add_unreachable_quotas(all);
  for (PlatformFinding& each : platforms_.findings()) {
    each.finding.also(std::string(files_[each.other_file]), each.other, "the queues are here");
    all.emplace_back(std::move(each.source), std::move(each.finding));
  }
  const auto add = [&](const Shared& shared, diag::Sink& sink, std::string text) {
    diag::Diagnostic found = std::move(sink.take().front());
    found.also(std::string(files_[shared.other->file]), shared.other->position, std::move(text));
    all.emplace_back(*shared.source, std::move(found));
  };
  for (const auto& [identity, shared] : clusters_) {
    if (!shared.is_made || !shared.other || !shared.source) continue;
    diag::Sink sink;
    sink.report<Code::ClusterOfSeveral>(shared.where, shared.name)
        .note(
            "cleanup.sh of this spec leaves it while pods or node pools of others are in it, and "
            "`--force` deletes it with them")
        .help(
            "create the cluster without flexslice, or with a spec of its own, and remove `create`");
    add(shared, sink, fmt::format("this workload runs in cluster `{}`", shared.name));
  }
  for (const auto& [identity, shared] : claims_) {
    if (!shared.is_made || !shared.other || !shared.source) continue;
    diag::Sink sink;
    sink.report<Code::DiskOfSeveral>(shared.where, shared.name)
        .note("while pods of one run, those of the other wait for the disk")
        .help(
            "name another claim in one of them, a StorageClass of shared storage such as "
            "Filestore's, or mount a bucket");
    add(shared, sink, fmt::format("this workload mounts claim `{}`, too", shared.name));
  }
  return all;
}

void Defined::add_unreachable_quotas(std::vector<std::pair<Source, diag::Diagnostic>>& all) const {
  for (const auto& [flavor, use] : flavors_) {
    const QuotaShare& share = use.share;
    if (use.any_number || share.stated <= share.available) continue;
    diag::Sink sink;
    sink.report<diag::Code::QuotaAbovePools>(share.where, chips(share.stated),
                                             chips(share.available))
        .note("Kueue would admit workloads that find no nodes")
        .help("write `quota: {}` or less, or compile all specs of the queue in one run",
              share.available);
    all.emplace_back(use.source, std::move(sink.take().front()));
  }
}

Defined::SpecPlace Defined::place_in(const Source& source, std::size_t at) const {
  return {static_cast<std::uint32_t>(files_.size() - 1), position(source, at)};
}

std::uint32_t Defined::shape_number(const std::string& shape) {
  const auto at = std::ranges::find(shapes_, shape) - shapes_.begin();
  if (at == std::ssize(shapes_)) shapes_.push_back(shape);
  return static_cast<std::uint32_t>(at);
}

diag::Diagnostic Defined::conflict(const Resource& resource, const Definition& earlier,
                                   std::string_view file, const Source& source) const {
  using diag::Code;
  diag::Sink sink;
  const SpecPlace& place = earlier.place;
  const bool same_place =
      files_[place.file] == file && place.position == position(source, resource.where.begin);
  const std::string_view another =
      same_place ? "remove `provisioning.nodePool`: points then have pools of their own"
                 : "set a different `provisioning.nodePool` in one of them";
  if (resource.kind == queue_of_pool) {
    sink.report<Code::PoolOfTwoQueues>(resource.where, resource.name, resource.shape,
                                       shapes_[earlier.shape])
        .note(resource.share && resource.share->stated > 0
                  ? "their quotas together are more than its nodes, or one is for all of them"
                  : "each has quota for all nodes of the pool")
        .help("use one queue for both, or set a different `provisioning.nodePool` in one of them");
  } else if (resource.kind == team_setting) {
    sink.report<Code::QueueSettingsDiffer>(resource.where, resource.name, resource.shape,
                                           shapes_[earlier.shape])
        .help("write it in one of the specs, or the same in all");
  } else if (resource.kind == queue_kind) {
    sink.report<Code::QueueOfTwoOwners>(resource.where, resource.name, resource.shape,
                                        shapes_[earlier.shape])
        .help("write `topology: none` in all specs of the queue, or in none");
  } else if (resource.kind == route_kind) {
    sink.report<Code::RoutesOverlap>(resource.where, resource.requests, resource.name)
        .note("Gateway API gives all of them to the older route")
        .help("change `gateway.model` or `gateway.gateway` in one of them");
  } else if (resource.kind == made_claim) {
    sink.report<Code::ClaimsDiffer>(resource.where, resource.name, resource.shape,
                                    shapes_[earlier.shape])
        .help("write the same in both, `pvc: {}` in the one that only mounts it, or name another",
              resource.name);
  } else if (resource.kind == class_kind) {
    sink.report<Code::PrioritiesDiffer>(resource.where, resource.name, resource.shape,
                                        shapes_[earlier.shape])
        .help("write the value in one of the specs, or the same in all");
  } else if (resource.kind == patch_of_queue) {
    sink.report<Code::QueuePatchesDiffer>(resource.where, resource.name, shapes_[earlier.shape],
                                          resource.shape)
        .help("write the patch in one of the specs, or the same in both");
  } else if (resource.kind == configuration_kind) {
    sink.report<Code::DuplicateObject>(resource.where, "CheckpointConfiguration of the nodes of",
                                       resource.name)
        .note("a node runs the driver of one, so the pods of the other cannot start")
        .help("write `checkpoints: {{}}` in one of them, or {}", another);
  } else if (resource.kind == policy_kind) {
    sink.report<Code::DuplicateObject>(resource.where, resource.kind, resource.name)
        .note("a policy belongs to a region, and both clusters are in it")
        .help("set a different `provisioning.nodePool` in one of them: its policy follows");
  } else if (resource.kind == made_disk) {
    sink.report<Code::DuplicateObject>(resource.where, resource.kind, resource.name)
        .note("a PersistentVolume has no namespace, so one would overwrite the other")
        .help("change `name`, `namespace` or the name of the volume in one of them");
  } else if (resource.shape.empty()) {
    diag::Diagnostic& found =
        sink.report<Code::DuplicateObject>(resource.where, resource.kind, resource.name);
    found.note("both specs have the same cluster and namespace, so one would overwrite the other");
    found.help(same_place ? fmt::format("`{}` is compiled twice: name it once", file)
                          : "change `name`, `namespace` or `cluster` in one of them");
  } else if (shapes_[earlier.shape] == resource.shape) {
    const bool both_create = resource.creates && earlier.creates;
    diag::Diagnostic& found =
        both_create ? sink.report<Code::PoolOfSeveral>(resource.where, resource.name)
                    : sink.report<Code::PoolWithoutQueue>(resource.where, resource.name);
    if (both_create) {
      found.note("cleanup.sh of the one that creates it deletes it for both");
      found.help("write `create: false` in all specs of the pool but one");
    }
    if (resource.alone && earlier.alone) {
      found.note(
          "each needs all nodes of the pool: both can wait for ever, each with some of them");
      found.help(
          same_place
              ? std::string("set `provisioning.queue`: one point then starts after the other")
              : fmt::format("{}write the same `provisioning.queue` in both: one then starts after "
                            "the other",
                            both_create ? "also " : ""));
    }
    found.help("or {}", another);
  } else {
    sink.report<Code::PoolConflict>(resource.where, resource.name, resource.shape,
                                    shapes_[earlier.shape])
        .help(another);
  }
  std::vector<diag::Diagnostic> found = sink.take();
  found.front().also(
      std::string(files_[place.file]), place.position,
      resource.kind == configuration_kind
          ? "that of the other spec is here"
          : fmt::format("{} `{}` is first defined here", resource.kind, resource.name));
  return std::move(found.front());
}

}  // namespace flexslice::plan
