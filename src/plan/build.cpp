#include "plan/build.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/lists.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"
#include "plan/capacity.hpp"
#include "plan/cost.hpp"
#include "resolve/labels.hpp"
#include "resolve/pool_flags.hpp"
#include "resolve/workload_names.hpp"
#include "schema/pattern.hpp"
#include "schema/read.hpp"
#include "spec/derived_keys.hpp"

namespace flexslice::plan {

using catalog::MachineType;

Pairs sorted_pairs(const schema::Map<schema::Text>& map) {
  Pairs pairs;
  for (const auto& [key, value] : map.entries) pairs.emplace_back(key.value, value.value);
  std::ranges::sort(pairs);
  return pairs;
}

namespace {

// `a=1,b=2`, as gcloud takes it.
std::string comma_list(const Pairs& pairs) {
  std::vector<std::string> list;
  for (const auto& [key, value] : pairs) list.push_back(fmt::format("{}={}", key, value));
  return text::join(list, ",");
}

Reservation build_reservation(const std::string& path) {
  Reservation reservation;
  reservation.path = path;
  const auto parts = text::split(path, '/');
  const bool shared = parts.front() == "projects";
  const std::size_t name = shared ? 3 : 0;
  if (shared) reservation.project = parts[1];
  reservation.name = parts[name];
  // Behind `projects/NAME/reservations/`.
  reservation.in_project = text::join(std::span(parts).subspan(name), "/");
  if (parts.size() > name + 2) reservation.block = parts[name + 2];
  if (parts.size() > name + 4) reservation.sub_block = parts[name + 4];
  return reservation;
}

// Slices that are not node pools have queue objects with these.
constexpr std::string_view parts_suffix = "-parts", host_label = "kubernetes.io/hostname";

Pairs pairs_of(catalog::List<catalog::Label> labels) {
  Pairs pairs;
  for (const catalog::Label& label : labels) pairs.emplace_back(label.key, label.value);
  return pairs;
}

// gcloud has this mode for pools whose chips are connected when a workload starts; nodes have it as
// a label.
constexpr std::string_view provision_only = "PROVISION_ONLY";

// Each part reads what the parts before it have put into the plan.
class Builder {
 public:
  explicit Builder(const Complete& complete) : in_(complete) {}

  Plan build(std::string_view source) {
    const spec::Claims& claims = in_.claims;
    plan_.name = claims.name.value;
    plan_.sweep = claims.sweep.name;
    plan_.place = claims.place;
    plan_.owner = plan_.sweep.empty() ? plan_.name : plan_.sweep;
    plan_.first_on_pools = claims.sweep.first;
    plan_.name_space = claims.name_space.value;
    plan_.labels = sorted_pairs(claims.labels);
    plan_.annotations = sorted_pairs(claims.annotations);
    plan_.added_pods = added_pods();
    build_made_volumes();
    plan_.cluster = build_cluster();
    plan_.tpu = build_tpu();
    plan_.provisioning = build_provisioning();
    if (in_.facts.creates_pools || in_.facts.by_class()) build_policies();
    if (!in_.facts.nodes_by_gke()) build_pools();
    plan_.provisioning.quota_chips = quota_chips();
    if (!plan_.sweep.empty() && !plan_.provisioning.queue.empty() && !plan_.pools.empty())
      plan_.points_at_once = plan_.provisioning.quota_chips / plan_.tpu.total_chips;
    plan_.has_workload = !in_.facts.is_capacity();
    if (plan_.has_workload) {
      plan_.workload = build_workload(in_);
    } else {
      plan_.workload.of_kind = &in_.kind;
      plan_.workload.kind = in_.kind.word;
      plan_.workload.ports.where.given = true;
      plan_.capacity = build_capacity(claims);
    }
    plan_.autoscaling = build_autoscaling(in_, plan_.workload);
    plan_.pathways = build_pathways(in_);
    if (plan_.pathways)
      plan_.pathways->head_machine =
          plan_.cluster.create ? plan_.cluster.machine_type : ordinary_machine();
    if (in_.facts.by_class()) plan_.compute_class = build_class();
    plan_.cost = plan_.compute_class ? dearest(plan_.compute_class->steps)
                                     : cost(in_.facts, plan_, in_.model);
    plan_.leader = build_leader(in_, plan_.workload);
    if (plan_.pathways) make_pathways_workers(in_, plan_.workload);
    plan_.ordinary_pods = in_.facts.ordinary_pods();
    if (in_.kind.leads) plan_.group = build_group();
    plan_.ray = build_ray(in_);
    const bool has_teams = plan_.capacity && !plan_.capacity->queues.empty();
    if (has_teams || (!plan_.provisioning.queue.empty() && !plan_.provisioning.their_queue))
      plan_.queue = build_queue();
    plan_.placement = build_placement();
    if (claims.workload.checkpoints.where.given) plan_.checkpoints = build_checkpoints();
    if (in_.facts.warm_nodes() > 0) plan_.warm = build_warm();
    if (in_.kind.has_clients) plan_.rollout = build_rollout();
    if (in_.kind.has_clients) plan_.client_selector = client_selector(in_);
    plan_.gateway = build_gateway(in_, plan_.workload);
    plan_.patches = claims.patches.items;
    plan_.needs = in_.facts.needs;
    plan_.controllers = needed_controllers();
    plan_.summary = summary();
    plan_.creates = plan_.cluster.create || (in_.facts.creates_pools && !plan_.pools.empty());
    plan_.source = source;
    plan_.where = claims.where.span;
    return std::move(plan_);
  }

 private:
  // Some regions are made for TPUs and lack the machines of gcloud's default.
  Derived<std::string_view> own_machine_type() const {
    const std::string_view region = in_.facts.region;
    for (const catalog::Generation& generation : in_.catalog.generations) {
      for (const catalog::Zone& zone : generation.zones) {
        if (!zone.cluster_machine_type.empty() && resolve::region_of(zone.name) == region)
          return {zone.cluster_machine_type,
                  fmt::format("{} lacks gcloud's default for a cluster's own nodes", region),
                  &zone.evidence};
      }
    }
    return {};
  }

  // The shape of a node pool.
  std::string pool_shape() const { return in_.facts.pool_topology.value_or(in_.topology).text(); }

  // The labels that the pods select on Standard, where the pools must be given them.
  Pairs own_node_labels() const {
    if (in_.facts.autopilot() && !in_.facts.by_class()) return {};
    Pairs pairs = sorted_pairs(in_.claims.workload.node_selector);
    std::erase_if(pairs, [](const auto& pair) { return resolve::is_set_by_gke(pair.first); });
    if (in_.claims.workload.checkpoints.bucket.where.given && has_labelled_pools())
      pairs.emplace_back("flexslice/workload", pool_label());
    return pairs;
  }

  // Several pools have a label in common for the webhook of Ray, which replaces affinities, and for
  // a CheckpointConfiguration, which has none.
  bool has_labelled_pools() const {
    const bool sets_up_nodes = in_.claims.workload.checkpoints.bucket.where.given;
    return in_.facts.pools() > 1 && (in_.kind.ray || (sets_up_nodes && in_.facts.creates_pools));
  }

  std::vector<const catalog::AddedPod*> added_pods() const {
    std::vector<const catalog::AddedPod*> pods;
    for (const catalog::Controller& controller : in_.catalog.controllers) {
      for (const catalog::AddedPod& pod : controller.added_pods) {
        if (pod.kind == in_.kind.object) pods.push_back(&pod);
      }
    }
    return pods;
  }

  // The first machine type with room for one of the pods without chips, and for what a controller
  // adds.
  Derived<std::string_view> ordinary_machine() const {
    const spec::Workload& said = in_.claims.workload;
    const bool ray = in_.kind.ray;
    const catalog::Pathways& pathways = in_.catalog.pathways;
    const auto amount = [&](const schema::Text& given, std::string_view otherwise) {
      const auto quantity = parse_quantity(given.usable() ? given.value : otherwise);
      return quantity.value_or(Quantity{});
    };
    Quantity cpu = amount(ray ? said.ray.head.cpu : said.leader.resources.cpu, ray ? "2" : "1");
    Quantity memory =
        amount(ray ? said.ray.head.memory : said.leader.resources.memory, ray ? "8Gi" : "4Gi");
    if (in_.kind.pathways) {
      const bool headless = in_.facts.is_headless();
      cpu = headless ? Quantity{} : amount(said.resources.cpu, pathways.user_cpu);
      memory = headless ? Quantity{} : amount(said.resources.memory, pathways.user_memory);
      for (const catalog::PathwaysContainer& container : pathways.containers) {
        if (container.cpu.empty()) continue;
        cpu = cpu + *parse_quantity(container.cpu);
        memory = memory + *parse_quantity(container.memory);
      }
    }
    for (const catalog::AddedPod* added : plan_.added_pods) {
      cpu = cpu + *parse_quantity(added->cpu);
      memory = memory + *parse_quantity(added->memory);
    }
    for (const catalog::OrdinaryMachine& machine : in_.catalog.ordinary_machines) {
      if (*parse_quantity(machine.cpu) < cpu || *parse_quantity(machine.memory) < memory) continue;
      return {machine.name,
              fmt::format("room for {} with {} CPUs and {}",
                          plan_.added_pods.empty() ? "a pod" : "pods", cpu.text(), memory.text()),
              &machine.evidence};
    }
    return {};
  }

  void size_default_pool(GkeCluster& cluster) const {
    const std::int64_t pods = in_.facts.ordinary_pods();
    if (pods == 0) return;
    if (cluster.machine_type.value.empty()) cluster.machine_type = ordinary_machine();
    // A regional cluster has such nodes in three zones. The head of Pathways is large, and best in
    // the zone of the slices.
    const bool regional = in_.facts.region == cluster.location;
    if (in_.kind.pathways && regional && !in_.facts.zones.empty())
      cluster.node_zone = {std::string(in_.facts.zones.front()),
                           "the head of Pathways is best in the zone of the slices",
                           &in_.catalog.pathways.evidence};
    const std::int64_t zones = regional && cluster.node_zone.value.empty() ? 3 : 1;
    cluster.nodes = {(pods + zones - 1) / zones,
                     fmt::format("{} without chips", text::count(pods, "pod"))};
  }

  Group build_group() const {
    Group group{in_.facts.group_size(), in_.facts.leader_apart()};
    group.size.reason = {group.leader_apart ? fmt::format("{} + a leader without chips",
                                                          text::count(in_.facts.hosts, "host"))
                                            : resolve::hosts_sum(in_.topology, in_.machine),
                         &in_.machine.evidence};
    return group;
  }

  GkeCluster build_cluster() const {
    const spec::Cluster& said = in_.claims.cluster;
    GkeCluster cluster;
    cluster.name = said.name.value;
    cluster.location = said.location.value;
    cluster.region = resolve::region_of(cluster.location);
    cluster.zonal = cluster.region != cluster.location;
    cluster.project = said.project.value;
    cluster.version = said.version.value;
    for (const catalog::Controller& known : in_.catalog.controllers) {
      const schema::Text* stated = spec::stated_release(said, known.word);
      if (stated != nullptr && !stated->value.empty())
        cluster.controllers.emplace_back(known.word, stated->value);
      if (known.word == "kueue" && stated != nullptr) cluster.kueue = stated->value;
      for (const catalog::ControllerMinimum& minimum : known.minimums) {
        if (minimum.feature == "group-name" && stated != nullptr)
          cluster.group_names = catalog::has_release(minimum, stated->value);
      }
    }
    cluster.autopilot = in_.facts.autopilot();
    cluster.standard = !cluster.autopilot;
    cluster.create = said.create.value;
    if (cluster.autopilot) cluster.ray_operator = cluster.create && in_.kind.ray;
    if (!cluster.create || cluster.autopilot) return cluster;
    cluster.machine_type = own_machine_type();
    cluster.ray_operator = in_.kind.ray;
    cluster.gateway_api = in_.claims.workload.gateway.where.given;
    size_default_pool(cluster);
    const auto is_bucket = [](const spec::Volume& volume) { return volume.gcs.where.given; };
    cluster.checkpoints = in_.claims.workload.checkpoints.where.given;
    cluster.gcs_fuse =
        cluster.checkpoints || std::ranges::any_of(in_.claims.workload.volumes.items, is_bucket);
    cluster.addons = addons_of(cluster);
    // Pods with an account of their own mostly are somebody to Google Cloud by it.
    const bool has_account = in_.claims.workload.service_account.where.given;
    if ((cluster.gcs_fuse || has_account) && !cluster.project.empty())
      cluster.workload_pool = cluster.project + ".svc.id.goog";
    return cluster;
  }

  // gcloud switches off what the list does not name, the two that it would have by default
  // included.
  static std::string addons_of(const GkeCluster& cluster) {
    constexpr struct {
      bool GkeCluster::*is_needed;
      std::string_view name;
    } addons[] = {{&GkeCluster::gcs_fuse, ",GcsFuseCsiDriver"},
                  {&GkeCluster::checkpoints, ",HighScaleCheckpointing"},
                  {&GkeCluster::ray_operator, ",RayOperator"}};
    std::string needed;
    for (const auto& addon : addons) {
      if (cluster.*addon.is_needed) needed += addon.name;
    }
    return needed.empty() ? needed : "HttpLoadBalancing,HorizontalPodAutoscaling" + needed;
  }

  TpuSlices build_tpu() const {
    const MachineType& machine = in_.machine;
    const catalog::Topology& shape = in_.topology;
    TpuSlices tpu;
    tpu.in_generation = &in_.generation;
    tpu.machine = &machine;
    tpu.generation = in_.generation.id;
    tpu.accelerator = std::string_view(machine.accelerator);
    tpu.topology = shape.text();
    tpu.machine_type = std::string_view(machine.name);
    if (!in_.claims.tpu.machine_type.where.given)
      tpu.machine_type.reason = {
          fmt::format("the only {} machine type for {}", tpu.generation, tpu.topology),
          &machine.evidence};

    const std::int64_t chips = shape.chips();
    tpu.chips = {chips,
                 fmt::format("{} = {}", text::join(text::split(tpu.topology, 'x'), " * "), chips)};
    tpu.chips_per_host = {machine.chips, fmt::format("chips of a {} node", machine.name),
                          &machine.evidence};
    // Kubernetes compares quantities as text when it applies; a bare number would make every apply
    // a change.
    const std::int64_t containers = in_.facts.containers;
    tpu.request = {std::to_string(machine.chips / containers),
                   containers == 1
                       ? fmt::format("all chips of a {} node", machine.name)
                       : fmt::format("{} of a {} node / {} containers",
                                     text::count(machine.chips, "chip"), machine.name, containers),
                   &machine.evidence};
    tpu.hosts = in_.facts.hosts;
    tpu.multi_host = in_.facts.multi_host();
    if (tpu.multi_host) tpu.hosts.reason = {resolve::hosts_sum(shape, machine), &machine.evidence};
    tpu.slices = in_.facts.slices;
    tpu.multislice = tpu.slices > 1;
    tpu.total_chips = chips * tpu.slices;
    tpu.total_hosts = tpu.hosts * tpu.slices;
    if (tpu.multislice) {
      const std::string slices = text::count(tpu.slices, "slice");
      tpu.total_chips.reason = {fmt::format("{} * {}", slices, text::count(chips, "chip"))};
      tpu.total_hosts.reason = {
          fmt::format("{} * {}", slices, text::count(tpu.hosts.value, "host"))};
    }
    tpu.devices =
        (in_.facts.multislice() ? tpu.total_chips.value : chips) * in_.generation.devices_per_chip;
    return tpu;
  }

  std::string idle(const catalog::Model& model) const {
    const spec::Provisioning& said = in_.claims.provisioning;
    if (in_.facts.nodes_by_gke())
      return std::string(model.autopilot_idle.empty() ? model.idle : model.autopilot_idle);
    if (!in_.facts.wants_autoscale() || model.scaled_idle.empty()) return std::string(model.idle);
    if (const std::int64_t warm = in_.facts.warm_nodes(); warm > said.min_nodes.value)
      return fmt::format("{}, as `provisioning.warm` says, until the CapacityBuffer is deleted.",
                         text::count(warm, "node"));
    if (!said.min_nodes.usable() || said.min_nodes.value == 0)
      return std::string(model.scaled_idle);
    const std::string nodes = text::count(said.min_nodes.value, "node");
    return fmt::format(
        "{} in each zone, as `provisioning.minNodes` says, until the pool is deleted.", nodes);
  }

  NodeProvisioning build_provisioning() const {
    const catalog::Model& model = in_.model;
    const spec::Provisioning& said = in_.claims.provisioning;
    const bool by_gke = in_.facts.nodes_by_gke();
    NodeProvisioning provisioning;
    provisioning.by_model = &model;
    provisioning.reclaiming = in_.facts.model_that(&catalog::Model::reclaims_nodes);
    provisioning.by_scripts = in_.facts.by_scripts();
    provisioning.create = in_.facts.creates_pools && provisioning.by_scripts;
    if (in_.kind.pathways)
      provisioning.scopes = {"cloud-platform",
                             "Pathways writes to gcsLocation with the account of the nodes",
                             &in_.catalog.pathways.evidence};
    if (in_.facts.creates_pools || in_.claims.cluster.create.value) {
      provisioning.owner = word(said.owner.value);
      provisioning.owner_command = spec::command_of(said.owner.value);
    }
    provisioning.model = model.name;
    provisioning.title = model.title;
    provisioning.autoscale = in_.facts.autoscales() && !by_gke;
    if (said.min_nodes.usable()) provisioning.min_nodes = said.min_nodes.value;
    provisioning.warm = in_.facts.warm_nodes();
    provisioning.idle = idle(model);
    const bool follows_pods = by_gke || in_.facts.wants_autoscale();
    provisioning.lifetime = follows_pods && !model.autopilot_lifetime.empty()
                                ? model.autopilot_lifetime
                                : model.lifetime;
    if (!in_.kind.ends) provisioning.serving = model.serving;
    provisioning.quota = model.quota;
    if (const catalog::Quota* quota = catalog::find_quota(in_.generation, model.quota))
      provisioning.quota_name = quota->name;
    std::vector<std::string>& zones = provisioning.zones.value;
    zones.assign(in_.facts.zones.begin(), in_.facts.zones.end());
    if (!zones.empty() && !said.zones.where.given)
      provisioning.zones.reason = {"the cluster's own zone"};
    provisioning.zone_list = text::join(zones, ",");
    if (zones.size() == 1) provisioning.zone = zones.front();
    if (const std::int64_t seconds = resolve::run_seconds(in_.claims, model); seconds > 0) {
      provisioning.max_run_seconds = {std::to_string(seconds),
                                      fmt::format("{} in seconds", said.max_run_duration.value),
                                      &model.evidence};
      // Without a node pool of one's own the pods ask for the lifetime, or a ComputeClass does.
      if (in_.facts.autopilot() && !in_.facts.by_class())
        provisioning.autopilot_run_seconds = provisioning.max_run_seconds.value;
    }
    if (said.reservation.where.usable())
      provisioning.reservation = build_reservation(said.reservation.value);
    provisioning.takes_reservation = model.takes_reservation;
    provisioning.queue = said.queue.name.value;
    provisioning.their_queue = in_.facts.has_their_queue();
    provisioning.requests_nodes = model.needs_queue;
    provisioning.priority = said.priority.name.value;
    if (said.priority.value.usable()) provisioning.priority_value = said.priority.value.value;
    provisioning.slicing = in_.facts.slicing;
    if (const catalog::Slicing* slicing = in_.facts.slicing) {
      provisioning.pool_topology = pool_shape();
      provisioning.release_channel = slicing->release_channel;
      provisioning.image_type = slicing->image_type;
    }
    provisioning.node_labels = comma_list(own_node_labels());
    if (in_.facts.creates_pools || in_.facts.by_class()) pass_on(provisioning);
    if (in_.facts.by_class()) {
      provisioning.node_selector = {
          {std::string(resolve::class_label), resolve::class_name(plan_.name, plan_.name_space)}};
      return provisioning;
    }
    provisioning.node_selector = pairs_of(model.node_selector);
    for (const catalog::Taint& taint : model.taints)
      provisioning.tolerations.push_back({{.given = true},
                                          schema::derived_text(std::string(taint.key)),
                                          schema::derived_text("Equal"),
                                          schema::derived_text(std::string(taint.value)),
                                          schema::derived_text(std::string(word(taint.effect))),
                                          {}});
    return provisioning;
  }

  void pass_on(NodeProvisioning& provisioning) const {
    provisioning.passed = yaml::Value::mapping();
    for (const auto& [row, where, said] :
         resolve::passed_fields(in_.claims.provisioning, in_.catalog)) {
      yaml::Value value = schema::encode(said);
      provisioning.passed.add(row->field, value);
      const bool is_switch = said.type->category == schema::Category::flag;
      const auto size = row->gigabytes ? parse_quantity(value.text) : std::nullopt;
      if (size) value = yaml::Value::number(size->whole_gibibytes());
      std::string word(row->flag), is = is_switch ? "True" : value.text;
      if (!is_switch) word += fmt::format("={}{}", value.text, size ? "GB" : "");
      provisioning.flags.push_back({std::move(word), std::move(value), std::move(is), row->field,
                                    row->title, row->api, row->terraform, row->config_connector,
                                    row->toolkit, row->compute_class});
    }
  }

  Derived<std::int64_t> node_count() const {
    const schema::Integer& given = in_.claims.provisioning.max_nodes;
    if (plan_.provisioning.slicing != nullptr)
      return {in_.facts.pool_hosts(), resolve::hosts_sum(*in_.facts.pool_topology, in_.machine),
              &in_.machine.evidence};
    if (plan_.tpu.multi_host) return plan_.tpu.hosts;
    if (given.where.usable()) return {given.value, "provisioning.maxNodes, for each zone"};
    const std::int64_t slices = plan_.tpu.slices, points = in_.claims.sweep.together,
                       warm = in_.facts.warm_nodes();
    const auto zones = std::max<std::int64_t>(1, std::ssize(plan_.provisioning.zones.value));
    if (points > 1)
      return {(slices * points + warm + zones - 1) / zones,
              fmt::format("all {} points at once, {} each{}", points, text::count(slices, "host"),
                          warm > 0 ? fmt::format(", and {} warm", warm) : "")};
    if (warm > 0)
      return {std::max(resolve::nodes_per_zone(in_.facts), plan_.provisioning.min_nodes),
              fmt::format("{} and {} warm, in {}", text::count(slices, "host"), warm,
                          text::count(zones, "zone"))};
    const std::int64_t least = plan_.provisioning.min_nodes;
    if (least > (slices + zones - 1) / zones && points <= 1)
      return {least, "as many as provisioning.minNodes, for each zone"};
    if (slices == 1) return {1, "one pod, one host"};
    return {resolve::nodes_per_zone(in_.facts),
            zones == 1 ? "one for each slice"
            : in_.model.needs_queue
                ? "one for each slice: a request gets all nodes in one zone"
                : fmt::format("{} slices / {} zones, rounded up", slices, zones)};
  }

  // All but its name, which the pools of several slices differ in.
  NodePool build_pool(const catalog::Model& model) const {
    NodePool pool;
    pool.nodes = node_count();
    pool.nodes_certain = in_.facts.creates_pools || in_.facts.pool_hosts() > 1 ||
                         in_.claims.provisioning.max_nodes.where.usable();
    pool.nodes_by_topology = !in_.facts.creates_pools && in_.facts.pool_hosts() > 1;
    if (resolve::shaped_by_topology(in_.facts)) pool.tpu_topology = pool_shape();
    if (!plan_.policies.empty()) pool.placement_policy = plan_.policies.front().name;
    if (const auto size = parse_quantity(in_.claims.provisioning.disk_size.value)) {
      pool.disk_gigabytes = size->whole_gibibytes();
      pool.disk_size = fmt::format("{}GB", *pool.disk_gigabytes);
    }
    pool.flex_start = model.flex_start;
    pool.spot = model.spot;
    const std::int64_t least = plan_.provisioning.min_nodes;
    pool.scaling = {model.nodes == catalog::FirstNodes::none || plan_.provisioning.autoscale,
                    model.needs_queue, least, least > 0};
    if (pool.scaling.from_zero)
      pool.initial_nodes = least;
    else
      pool.initial_nodes = pool.nodes;
    pool.auto_repair = model.auto_repair;
    pool.reservation_affinity = model.reservation_affinity;
    pool.location_policy = model.location_policy;
    if (const auto& seconds = plan_.provisioning.max_run_seconds;
        !seconds.value.empty() && !model.needs_queue) {
      pool.max_run_duration = seconds;
      pool.max_run_duration.value += 's';
    }
    pool.labels = pairs_of(model.node_labels);
    if (in_.kind.ray && has_labelled_pools())
      pool.labels.emplace_back("flexslice/workload", pool_label());
    std::ranges::move(own_node_labels(), std::back_inserter(pool.labels));
    for (const auto& [key, value] : pool.labels) pool.label_list.push_back({key, value});
    return pool;
  }

  // A single-host pool may grow to its most in every zone; a slice has its hosts and no more.
  Derived<std::int64_t> quota_chips() const {
    const std::int64_t chips = in_.machine.chips;
    std::int64_t nodes = plan_.tpu.total_hosts;
    std::int64_t zones = 1;
    if (plan_.provisioning.slicing != nullptr) {
      nodes = in_.facts.pools() * in_.facts.pool_hosts();
    } else if (!plan_.pools.empty() && !plan_.tpu.multi_host) {
      nodes = plan_.pools.front().nodes;
      zones = std::max<std::int64_t>(1, std::ssize(plan_.provisioning.zones.value));
    }
    const std::string in_zones = zones > 1 ? fmt::format(" * {} zones", zones) : std::string();
    return {nodes * zones * chips, fmt::format("{}{} * {}", text::count(nodes, "node"), in_zones,
                                               text::count(chips, "chip"))};
  }

  void build_policies() {
    if (!resolve::shaped_by_policy(in_.facts)) return;
    const bool on_demand = in_.facts.slicing != nullptr && in_.facts.slicing->on_demand;
    plan_.policies.push_back(
        {resolve::policy_name(in_.facts),
         plan_.cluster.region,
         {pool_shape(),
          fmt::format("multi-host {} pools get their topology from a workload policy",
                      plan_.tpu.generation),
          &in_.generation.evidence},
         on_demand ? provision_only : std::string_view()});
  }

  ComputeClass build_class() const {
    ComputeClass result{resolve::class_name(plan_.name, plan_.name_space), {}};
    for (const catalog::Model* model : in_.facts.models()) {
      ClassStep step;
      step.model = model->name;
      step.title = model->title;
      step.rank = result.steps.empty() ? "first" : "then";
      step.pool = build_pool(*model);
      if (model->takes_reservation) step.reservation = plan_.provisioning.reservation;
      if (const std::int64_t seconds = resolve::run_seconds(in_.claims, *model); seconds > 0)
        step.run_seconds = seconds;
      step.cost = cost(in_.facts, plan_, *model);
      step.per_hour = step.cost.per_hour.value;
      result.steps.push_back(std::move(step));
    }
    return result;
  }

  void build_pools() {
    NodePool pool = build_pool(in_.model);
    if (!in_.facts.creates_pools && !in_.claims.provisioning.node_pools.where.usable()) {
      plan_.any_pools.push_back(std::move(pool));
      return;
    }
    for (std::string& name : resolve::pool_names(in_.facts)) {
      pool.name = std::move(name);
      plan_.pools.push_back(pool);
    }
    Pairs labels = plan_.labels;
    std::erase_if(labels, [](const auto& pair) {
      return !resolve::is_resource_label(pair.first, pair.second);
    });
    plan_.provisioning.resource_labels = comma_list(labels);
    plan_.provisioning.resource_label_map = std::move(labels);
  }

  // Two flavors with one name would overwrite each other, so all that makes the nodes of one
  // different is in its name.
  std::string flavor_name(bool by_webhook) const {
    // Workloads on slices of any shape share the nodes, which Kueue counts by flavor.
    const catalog::Slicing* slicing = plan_.provisioning.slicing;
    std::string name = fmt::format("{}-{}", plan_.tpu.generation, pool_shape());
    if (slicing != nullptr) name += parts_suffix;
    if (slicing != nullptr && slicing->on_demand) return name;
    const auto machines = catalog::machine_types_for(in_.generation, in_.topology);
    const std::string_view machine = in_.machine.name;
    if (machines.size() > 1 || machines.front() != &in_.machine)
      name += machine.substr(machine.rfind('-'));
    name += fmt::format("-{}", plan_.provisioning.model);
    // Pools that exist have a topology.
    const bool has_no_topology = plan_.provisioning.autoscale && in_.facts.pool_hosts() > 1 &&
                                 in_.model.nodes == catalog::FirstNodes::all;
    if (has_no_topology) name += "-autoscaled";
    if (by_webhook) name += "-ray";
    if (const auto& reservation = plan_.provisioning.reservation) {
      name += "-" + reservation->name;
      if (reservation->path != reservation->name)
        name += "-" + text::fingerprint(reservation->path);
    }
    // On Standard the lifetime belongs to the pool; on Autopilot the flavor selects it.
    if (const std::string& seconds = plan_.provisioning.autopilot_run_seconds; !seconds.empty())
      name += fmt::format("-{}s", seconds);
    return resolve::fit_label(std::move(name));
  }

  // From what all nodes of a slice share down to one node.
  std::vector<std::string> levels() const {
    const catalog::Slicing* slicing = plan_.provisioning.slicing;
    if (slicing == nullptr) return {std::string(resolve::pool_label), std::string(host_label)};
    std::vector<std::string> levels{std::string(slicing->outer_label)};
    if (slicing->joins) levels.push_back(part_label(*slicing, *in_.facts.pool_topology));
    for (const catalog::Topology& part : parts_of(*slicing, *in_.facts.pool_topology))
      levels.push_back(part_label(*slicing, part));
    levels.emplace_back(host_label);
    return levels;
  }

  KueueQueue build_queue() const {
    KueueQueue queue;
    // Kueue places pods on nodes that exist, or that it has requested. A pool that the autoscaler
    // fills has none when it decides, and Autopilot creates nodes only for pods that exist.
    const bool nodes_known =
        (!in_.facts.autoscales() && !plan_.cluster.autopilot) || in_.model.needs_queue;
    const catalog::Slicing* slicing = plan_.provisioning.slicing;
    const bool is_placed = nodes_known && in_.facts.pool_hosts() > 1;
    // Kueue cannot tell which pods of a Ray cluster form a slice, and would assign some of them to
    // another node pool than the TPU webhook, which keeps a slice together by affinities.
    const bool by_webhook = is_placed && in_.kind.ray && in_.facts.pools() > 1;
    queue.flavor = flavor_name(by_webhook);
    if (is_placed && !by_webhook) {
      queue.topology = slicing == nullptr ? "tpu-slices"
                                          : fmt::format("{}-{}{}", plan_.tpu.generation,
                                                        pool_shape(), parts_suffix);
      queue.levels = levels();
    }
    if (queue.topology.empty() && plan_.has_workload) queue.pools = pools_value();
    queue.requests_nodes = in_.model.needs_queue;
    if (in_.model.needs_queue) queue.controller = "kueue.x-k8s.io/provisioning-request";
    if (slicing != nullptr) queue.controller = slicing->check;
    if (!queue.controller.empty())
      queue.check = fmt::format("{}{}", plan_.provisioning.queue,
                                slicing == nullptr ? resolve::check_suffix : parts_suffix);
    if (const auto& quota = in_.claims.provisioning.quota; quota.usable())
      queue.quota = quota.value;
    return queue;
  }

  // Equal for workloads on the same pools, in whatever order they are listed.
  std::string pools_value() const {
    std::vector<std::string> names =
        texts(plan_.pools, [](const NodePool& pool) { return pool.name; });
    std::ranges::sort(names);
    return resolve::fit_label(text::join(names, "."));
  }

  // A pool of a multi-host slice that other workloads of a queue may run on as well. One that has
  // the name of compile's own was made for this workload.
  bool has_shared_pool() const {
    if (!plan_.tpu.multi_host || plan_.pools.size() != 1 || plan_.provisioning.slicing != nullptr)
      return false;
    const bool is_own =
        !in_.facts.creates_pools &&
        plan_.pools.front().name == fmt::format("{}{}", plan_.name, resolve::pool_suffix);
    return plan_.provisioning.their_queue ||
           (plan_.queue && ((in_.claims.provisioning.node_pools.where.usable() && !is_own) ||
                            !plan_.sweep.empty()));
  }

  // Flavors of somebody else may have the taint of TPU nodes.
  bool needs_toleration() const {
    return plan_.provisioning.their_queue &&
           !any_of(plan_.workload.said.tolerations.items, [](const spec::Toleration& toleration) {
             return toleration.key.value == spec::tpu_resource;
           });
  }

  // Workloads that share node pools select them by one label.
  std::string pool_label() const {
    const auto& pools = in_.claims.provisioning.node_pools;
    return in_.facts.creates_pools && pools.where.usable()
               ? pools.items.front().value
               : std::string(resolve::pool_owner(in_.claims));
  }

  PodPlacement build_placement() const {
    PodPlacement placement;
    const catalog::Slicing* slicing = plan_.provisioning.slicing;
    const bool on_demand = slicing != nullptr && slicing->on_demand;
    if (!on_demand) placement.topology = pool_shape();
    placement.level = resolve::pool_label;
    if (slicing != nullptr) placement.slice_topology = plan_.tpu.topology;
    if (on_demand) {
      // The controllers of slices choose among all nodes of this mode, and tell Kueue what fits.
      placement.mode = provision_only;
      placement.pools = in_.facts.pools();
      placement.by_queue = placement.tolerates_tpus = true;
      return placement;
    }
    if (slicing != nullptr) placement.level = part_label(*slicing, in_.topology);
    if (plan_.pools.size() == 1) {
      placement.node_pool = plan_.pools.front().name;
    } else if (!in_.kind.ray && !has_labelled_pools()) {
      for (const NodePool& pool : plan_.pools) placement.node_pools.push_back(pool.name);
    } else if (!plan_.pools.empty()) {
      placement.pool_label = pool_label();
    }
    placement.pools = in_.facts.pools();
    const bool several = slicing == nullptr ? placement.pools > 1 : plan_.tpu.multislice;
    const bool by_queue = plan_.queue && !plan_.queue->topology.empty();
    const bool by_controller = in_.kind.exclusive_topology;
    const bool unknown_pool = plan_.pools.empty() && plan_.tpu.multi_host;
    if (!plan_.any_pools.empty() &&
        catalog::machine_types_for(in_.generation, in_.topology).size() > 1)
      placement.machine_type = in_.machine.name;
    // Quota may let in two workloads for one pool: somebody raised it, or the queue is for more.
    const bool by_pods = !by_controller && !by_queue && !in_.kind.ray;
    placement.together = by_pods && unknown_pool;
    // Runs of one schedule are several Jobs.
    const bool several_jobs = in_.kind.scheduled && plan_.tpu.multi_host;
    placement.apart = by_pods && (unknown_pool || has_shared_pool() || several_jobs);
    placement.own_label = in_.kind.pod_label;
    if (placement.apart && !plan_.name_space.empty())
      placement.identity = resolve::fit_label(fmt::format("{}.{}", plan_.name_space, plan_.name));
    placement.exclusive =
        by_controller && !by_queue && (several || unknown_pool || has_shared_pool());
    placement.by_queue = by_queue;
    placement.tolerates_tpus = by_queue || needs_toleration();
    placement.slices_in_one = by_queue && (!several || in_.kind.admits_slices);
    placement.slices_apart = by_queue && !placement.slices_in_one && plan_.has_workload;
    if (placement.slices_apart) placement.slice_size = std::to_string(plan_.tpu.hosts.value);
    return placement;
  }

  // Nodes that no replica has. Where it is not known what a pool has, none.
  std::int64_t spare_nodes() const {
    if (plan_.tpu.multi_host || plan_.pools.empty() || !plan_.pools.front().nodes_certain) return 0;
    const auto zones = std::max<std::int64_t>(1, std::ssize(plan_.provisioning.zones.value));
    return plan_.pools.front().nodes * zones - plan_.tpu.slices;
  }

  // A class of disks that the nodes attach, where the default one's are not among them.
  std::string attachable_type() const {
    const auto& attachable = in_.generation.attachable_disks;
    const auto* own = find_where(in_.catalog.storage_classes,
                                 [](const catalog::StorageClass& each) { return each.is_default; });
    const bool fits = attachable.empty() || own == nullptr || contains(attachable, own->disk_type);
    return fits ? std::string() : std::string(attachable.front());
  }

  void build_made_volumes() {
    const std::string name_space = plan_.name_space.empty() ? "" : plan_.name_space + "-";
    std::vector<std::string> types;
    for (const spec::Volume& said : in_.claims.workload.volumes.items) {
      MadeVolume made;
      const spec::GcsVolume& gcs = said.gcs;
      if (gcs.profile.usable()) {
        made.name = resolve::profile_claim(plan_.name, said.name.value);
        made.storage_class = fmt::format("gcsfusecsi-{}", gcs.profile.value);
        made.size = "1Ti";  // which nothing enforces
        made.access = said.read_only.value ? "ReadOnlyMany" : "ReadWriteMany";
        made.bucket = gcs.bucket.value;
        made.volume = resolve::fit_label(fmt::format("{}{}", name_space, made.name));
        for (std::string_view option : text::split(gcs.mount_options.value, ',')) {
          if (!option.empty()) made.mount_options.emplace_back(option);
        }
      } else if (said.pvc.size.usable()) {
        made.name = said.pvc.name.value;
        made.size = said.pvc.size.value;
        made.access = in_.facts.mounting_pods() > 1 ? "ReadWriteMany" : "ReadWriteOnce";
        made.storage_class = said.pvc.storage_class.value;
        const std::string type = made.storage_class.empty() ? attachable_type() : "";
        if (!type.empty()) {
          made.storage_class = fmt::format("flexslice-{}", type);
          if (!contains(types, type)) made.disk_type = types.emplace_back(type);
        }
      } else {
        continue;
      }
      plan_.made_volumes.push_back(std::move(made));
    }
  }

  // The points of a sweep share the object, since a node has one driver. Its volume is the last
  // one.
  CheckpointMemory build_checkpoints() const {
    const spec::Checkpoints& said = in_.claims.workload.checkpoints;
    CheckpointMemory made{{},
                          said.bucket.value,
                          said.memory.value,
                          plan_.workload.volumes.items.back().said.mount_path.value};
    if (said.bucket.where.given) made.name = pool_label();
    return made;
  }

  WarmNodes build_warm() const {
    WarmNodes made;
    made.name = fmt::format("{}-warm", plan_.owner);
    made.nodes = in_.facts.warm_nodes();
    made.chips = std::to_string(in_.machine.chips);
    made.per_hour = made.per_day = "unknown";
    if (plan_.cost.hour && plan_.cost.chips > 0) {
      const std::int64_t hour =
          *plan_.cost.hour / plan_.cost.chips * made.nodes * in_.machine.chips;
      made.per_hour = catalog::dollars_text(hour);
      made.per_day = catalog::dollars_text(hour * 24);
    }
    return made;
  }

  // The startup probe allows for this time.
  std::int64_t startup_seconds() const {
    const schema::Tree& probe = plan_.workload.said.startup_probe;
    if (!probe.usable()) return 0;
    const auto number = [&](std::string_view key, std::int64_t otherwise) {
      const yaml::Node* said = probe.value.find(key);
      return said == nullptr ? otherwise : text::whole_number(said->text).value_or(otherwise);
    };
    return number("initialDelaySeconds", 0) +
           number("periodSeconds", 10) * number("failureThreshold", 3);
  }

  Rollout build_rollout() const {
    Rollout rollout;
    const bool shares_disk = any_of(plan_.made_volumes, [&](const MadeVolume& made) {
      const bool is_disk = made.storage_class.empty() ||
                           made.storage_class.starts_with("flexslice-") ||
                           catalog::named(in_.catalog.storage_classes, &catalog::StorageClass::name,
                                          std::string_view(made.storage_class)) != nullptr;
      return is_disk && made.access == "ReadWriteOnce";
    });
    if (shares_disk) {
      rollout.max_surge = {0, "one node at a time can have the disk of its claim"};
      rollout.max_unavailable = {1, "the next replica needs the disk of the one before"};
    } else if (in_.facts.nodes_by_gke()) {
      rollout.max_surge = {1, "GKE makes a node for each pod that waits"};
      rollout.max_unavailable = {0, "a replica ends when the next one is ready"};
    } else if (const std::int64_t spare = std::min(spare_nodes(), plan_.tpu.slices); spare > 0) {
      rollout.max_surge = {spare,
                           fmt::format("{} that no replica has", text::count(spare, "node"))};
      rollout.max_unavailable = {0, "a replica ends when the next one is ready"};
    } else {
      rollout.max_surge = {0, "each node has a replica: one more would stay Pending"};
      rollout.max_unavailable = {1, "the next replica needs the node of the one before"};
    }
    // Kubernetes' own default is for pods that need not wait for a node, nor long to start.
    constexpr std::int64_t own = 600;
    const std::int64_t wait = in_.model.wait_seconds, start = startup_seconds();
    rollout.progress_deadline = {
        wait + start + own,
        fmt::format("{} to wait for a node{} + Kubernetes' own {}", schema::duration_text(wait),
                    start == 0 ? "" : fmt::format(" + {} to start", schema::duration_text(start)),
                    schema::duration_text(own))};
    return rollout;
  }

  std::vector<ControllerNeed> needed_controllers() const {
    std::vector<ControllerNeed> needs;
    const auto need = [&](std::string_view name, std::string_view feature) {
      const catalog::Controller* controller = catalog::find_controller(in_.catalog, name);
      if (controller == nullptr) return;
      for (const catalog::ControllerMinimum& minimum : controller->minimums) {
        if (minimum.feature == feature && !minimum.versions.empty())
          needs.push_back({controller, &minimum});
      }
    };
    if (plan_.queue || plan_.provisioning.their_queue) need("Kueue", "queue");
    if (!plan_.provisioning.queue.empty())
      need("Kueue", fmt::format("queue-of-{}", in_.kind.object));
    if (plan_.placement.slices_apart) need("Kueue", "queued-slices");
    if (const catalog::Slicing* slicing = plan_.provisioning.slicing) {
      need("Kueue", slicing->feature);
      need(in_.kind.object, slicing->feature);
    }
    if (plan_.cluster.group_names) need(in_.kind.object, "group-name");
    return needs;
  }

  std::string summary() const {
    const TpuSlices& tpu = plan_.tpu;
    const bool scales = plan_.autoscaling && plan_.autoscaling->min < tpu.slices;
    const std::string slices =
        scales           ? fmt::format("{} to {} slices of ", plan_.autoscaling->min, tpu.slices)
        : tpu.multislice ? text::count(tpu.slices, "slice") + " of "
                         : "";
    const auto titles = texts(
        in_.facts.models(), [](const catalog::Model* model) { return std::string(model->title); });
    return fmt::format("{}{} {} with {}: {}{} on {} of {}", slices, tpu.generation, tpu.topology,
                       text::join(titles, ", else "), scales ? "up to " : "",
                       text::count(tpu.total_chips, "chip"), text::count(tpu.total_hosts, "node"),
                       tpu.machine_type.value);
  }

  const Complete& in_;
  Plan plan_;
};

}  // namespace

Plan build(const Complete& complete, std::string_view source) {
  return Builder(complete).build(source);
}

}  // namespace flexslice::plan
