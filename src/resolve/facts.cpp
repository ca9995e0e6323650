#include "resolve/facts.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "schema/pattern.hpp"

namespace flexslice::resolve {

using namespace catalog;
using spec::Claims;

namespace {

// The accelerator label of one machine type, or the generation, which has all of them.
bool has_type(const Claims& claims, const Generation& generation, const MachineType& machine) {
  const std::string_view type = claims.tpu.type.value;
  return type.empty() || type == generation.id || type == machine.accelerator;
}

void look_up_tpu(Facts& facts) {
  const spec::Tpu& tpu = facts.claims.tpu;
  if (tpu.slices.usable()) facts.slices = tpu.slices.value;
  const schema::Integer& most = facts.claims.workload.autoscaling.max;
  if (most.usable()) facts.slices = most.value;
  if (tpu.type.usable()) facts.generation = find_generation(facts.catalog, tpu.type.value);
  // A command names no generation.
  const schema::Where& type = tpu.type.where;
  if (!type.given && !type.bad && !type.placeholder && tpu.machine_type.usable())
    facts.generation = generation_of_machine_type(facts.catalog, tpu.machine_type.value);
  const Generation* generation = facts.generation;
  if (tpu.topology.usable()) facts.topology = parse_topology(tpu.topology.value);
  if (facts.topology && generation != nullptr &&
      machine_types_for(*generation, *facts.topology).empty())
    facts.topology.reset();
  if (generation == nullptr || tpu.machine_type.where.bad) return;
  const MachineType* machine = nullptr;
  if (tpu.machine_type.where.given) {
    machine = find_machine_type(*generation, tpu.machine_type.value);
    if (machine == nullptr || machine->status == catalog::Status::unknown ||
        !has_type(facts.claims, *generation, *machine))
      return;
    facts.claimed = machine;
  } else if (facts.topology) {
    const auto fitting = fitting_machines(facts.claims, *generation, *facts.topology);
    if (fitting.size() == 1) machine = fitting.front();
  }
  if (machine == nullptr || !facts.topology ||
      find_shape(*generation, *machine, *facts.topology) == nullptr)
    return;
  facts.machine = machine;
  facts.hosts = facts.topology->chips() / machine->chips;
  const schema::Integer& containers = facts.claims.workload.containers_per_pod;
  if (containers.usable() && can_share(*machine, containers.value))
    facts.containers = containers.value;
}

void look_up_slicing(Facts& facts) {
  const schema::Text& claimed = facts.claims.provisioning.pool_topology;
  if (!claimed.usable() || facts.machine == nullptr) return;
  const auto pool = parse_topology(claimed.value);
  const Slicing& slicing = facts.generation->slicing;
  if (!pool || !can_form(slicing, *pool, *facts.topology)) return;
  facts.slicing = &slicing;
  facts.pool_topology = pool;
}

void look_up_zones(Facts& facts) {
  const auto& zones = facts.claims.provisioning.zones;
  const schema::Text& location = facts.claims.cluster.location;
  if (facts.autopilot() || zones.where.bad || facts.claims.cluster.mode.where.bad ||
      location.where.bad)
    return;
  if (!zones.where.given && (facts.creates_pools || facts.by_class()) &&
      schema::matches(schema::Pattern::zone, location.value))
    facts.zones = {location.value};
  for (const auto& zone : zones.items) facts.zones.push_back(zone.value);
}

void look_up_support(Facts& facts) {
  const schema::Text& model = facts.claims.provisioning.model;
  if (model.where.bad || model.where.placeholder) return;
  facts.model =
      find_model(facts.catalog, model.where.given ? std::string_view(model.value) : default_model);
  if (facts.model != nullptr && facts.generation != nullptr)
    facts.support = find_support(*facts.model, facts.generation->id);
  for (const schema::Text& each : facts.claims.provisioning.fallback.items) {
    const Model* fallback = each.usable() ? find_model(facts.catalog, each.value) : nullptr;
    if (fallback != nullptr) facts.fallbacks.push_back(fallback);
  }
}

void look_up_kind(Facts& facts) {
  const schema::Text& kind = facts.claims.workload.kind;
  const schema::Where& workload = facts.claims.workload.where;
  if (facts.claims.provisioning.queues.where.given && !workload.given && !workload.bad) {
    facts.kind = &spec::capacity;
  } else if (kind.usable()) {
    facts.kind = spec::find_kind(kind.value);
  } else if (!kind.where.bad && !facts.claims.workload.where.bad && facts.machine != nullptr &&
             !facts.claims.tpu.slices.where.bad) {
    facts.kind = &spec::default_kind(facts.slices > 1, facts.multi_host(),
                                     facts.claims.workload.retries.where.given,
                                     facts.claims.workload.checkpoints.where.given);
  }
  if (facts.kind == &spec::kinds[0] && facts.claims.workload.schedule.where.given)
    facts.kind = &spec::scheduled_job;
}

void look_up_needs(Facts& facts) {
  const auto collect = [&](const std::string& what, const auto& minimums, MinimumMode mode) {
    for (const auto& minimum : minimums) {
      if (minimum.mode == mode) facts.needs.push_back({what, minimum.version, &minimum.evidence});
    }
  };
  const MinimumMode mode = FromWord{word(facts.mode)};
  if (const Generation* generation = facts.generation) {
    collect(fmt::format("{} on {}", generation->id, title(facts.mode)), generation->minimums, mode);
    if (facts.nodes_by_gke())
      collect(fmt::format("{} on nodes that GKE creates itself", generation->id),
              generation->minimums, MinimumMode::auto_created);
    for (const Model* model : facts.models()) {
      const Support* support = find_support(*model, generation->id);
      if (support != nullptr && !support->since.empty())
        facts.needs.push_back({fmt::format("{} for {}", model->title, generation->id),
                               support->since, &support->evidence});
    }
  }
  const auto collect_feature = [&](std::string_view name) {
    if (const Feature* feature = find_feature(facts.catalog, name))
      collect(fmt::format("{} on {}", feature->title, title(facts.mode)), feature->minimums, mode);
  };
  if (facts.slicing != nullptr) collect_feature(facts.slicing->feature);
  if (facts.autopilot()) collect_feature("autopilot");
  if (facts.by_class()) {
    collect_feature("compute-class-tpu");
    collect_feature("compute-class-auto-creation");
  }
  if (facts.kind != nullptr && facts.kind->ray) collect_feature("ray-operator");
  if (facts.kind != nullptr && facts.kind->scheduled && facts.machine != nullptr &&
      facts.multi_host() && !facts.claims.provisioning.queue.name.where.given)
    collect_feature("exclusive-runs");
  const schema::Text& gateway_class = facts.claims.workload.gateway.class_name;
  if (gateway_class.usable() &&
      named(facts.catalog.gateway_classes, &GatewayClass::name, gateway_class.value) != nullptr)
    collect_feature("inference-gateway");
  if (std::ranges::any_of(facts.claims.workload.volumes.items,
                          [](const spec::Volume& volume) { return volume.gcs.profile.usable(); }))
    collect_feature("gcsfuse-profiles");
  if (facts.claims.workload.checkpoints.where.given) collect_feature("multi-tier-checkpointing");
  if (facts.warm_nodes() > 0) collect_feature("capacity-buffer");
  if (facts.machine != nullptr && facts.multislice()) collect_feature("multislice");
  std::stable_sort(facts.needs.begin(), facts.needs.end(),
                   [](const Need& a, const Need& b) { return version_of(a) > version_of(b); });
}

}  // namespace

std::vector<const Model*> Facts::models() const {
  std::vector<const Model*> all = fallbacks;
  if (model != nullptr) all.insert(all.begin(), model);
  return all;
}

const Model* Facts::model_that(bool Model::*is) const {
  for (const Model* each : models()) {
    if (each->*is) return each;
  }
  return nullptr;
}

std::vector<const MachineType*> fitting_machines(const Claims& claims, const Generation& generation,
                                                 const Topology& topology) {
  std::vector<const MachineType*> fitting = machine_types_for(generation, topology);
  std::erase_if(fitting,
                [&](const auto* machine) { return !has_type(claims, generation, *machine); });
  return fitting;
}

bool can_share(const MachineType& machine, std::int64_t containers) {
  return containers <= machine.max_containers && machine.chips % containers == 0;
}

std::int64_t nodes_per_zone(const Facts& facts) {
  const auto zones = std::max<std::int64_t>(1, std::ssize(facts.zones));
  const bool together = facts.model != nullptr && facts.model->needs_queue;
  return together ? facts.slices : (facts.slices + facts.warm_nodes() + zones - 1) / zones;
}

std::string hosts_sum(const Topology& topology, const MachineType& machine) {
  const auto chips = topology.chips();
  return fmt::format("{} is {}; {} / {} per {} = {}", topology.text(), text::count(chips, "chip"),
                     chips, text::count(machine.chips, "chip"), machine.name,
                     text::count(chips / machine.chips, "host"));
}

std::string_view region_of(std::string_view location) {
  // The region of a zone ends with a digit, and most locations are judged often.
  const std::size_t hyphen = location.rfind('-');
  if (hyphen == 0 || hyphen == location.npos || !ascii::is_digit(location[hyphen - 1]))
    return location;
  return schema::matches(schema::Pattern::zone, location) ? location.substr(0, location.rfind('-'))
                                                          : location;
}

std::int64_t run_seconds(const Claims& claims, const Model& model) {
  const schema::Text& claimed = claims.provisioning.max_run_duration;
  const auto seconds = claimed.usable() && model.takes_run_duration
                           ? schema::duration_seconds(claimed.value).value_or(0)
                           : 0;
  return seconds >= model.min_run_seconds && seconds <= model.max_run_seconds ? seconds : 0;
}

Version version_of(const Need& need) { return parse_version(need.version).value_or(Version{}); }

Facts look_up(const Claims& claims, const Catalog& catalog) {
  Facts facts{claims, catalog};
  facts.mode = claims.cluster.mode.value;
  const schema::Flag& create = claims.provisioning.create;
  facts.creates_pools = !facts.nodes_by_gke() && (!create.usable() || create.value);
  facts.region = region_of(claims.cluster.location.value);
  look_up_tpu(facts);
  look_up_slicing(facts);
  look_up_support(facts);
  look_up_zones(facts);
  look_up_kind(facts);
  look_up_needs(facts);
  return facts;
}

}  // namespace flexslice::resolve
