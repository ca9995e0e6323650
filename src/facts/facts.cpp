#include "facts/facts.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.hpp"
#include "schema/pattern.hpp"

namespace flexslice::facts {

using catalog::Generation;
using catalog::MachineType;
using catalog::Topology;
using claims::Claims;

namespace {

// A topology that exists for the generation.
std::optional<Topology> look_up_topology(const Claims& claims, const Generation* generation) {
  if (!claims.tpu.topology.where.usable()) return std::nullopt;
  const auto topology = catalog::parse_topology(claims.tpu.topology.value);
  if (!topology || generation == nullptr ||
      !catalog::machine_types_for(*generation, *topology).empty())
    return topology;
  return std::nullopt;
}

const MachineType* look_up_claimed(const Claims& claims, const Generation& generation) {
  const MachineType* machine =
      catalog::find_machine_type(generation, claims.tpu.machine_type.value);
  if (machine == nullptr || machine->status == "unknown") return nullptr;
  const std::string_view type = claims.tpu.type.value;
  return type == generation.id || type == machine->accelerator ? machine : nullptr;
}

void look_up_tpu(const Claims& claims, const catalog::Catalog& catalog, Facts& facts) {
  const claims::Tpu& tpu = claims.tpu;
  if (tpu.slices.where.usable()) facts.slices = tpu.slices.value;
  if (tpu.type.where.usable()) facts.generation = catalog::find_generation(catalog, tpu.type.value);
  facts.topology = look_up_topology(claims, facts.generation);
  if (facts.generation == nullptr || tpu.machine_type.where.bad) return;
  const MachineType* machine = nullptr;
  if (tpu.machine_type.where.given) {
    machine = facts.claimed = look_up_claimed(claims, *facts.generation);
  } else if (facts.topology) {
    const auto fitting = fitting_machines(claims, *facts.generation, *facts.topology);
    if (fitting.size() == 1) machine = fitting.front();
  }
  if (machine == nullptr || !facts.topology ||
      catalog::find_shape(*facts.generation, *machine, *facts.topology) == nullptr)
    return;
  facts.machine = machine;
  facts.hosts = facts.topology->chips() / machine->chips;
}

void look_up_zones(const Claims& claims, Facts& facts) {
  const auto& zones = claims.provisioning.zones;
  const schema::Text& location = claims.cluster.location;
  if (facts.autopilot || zones.where.bad || claims.cluster.mode.where.bad || location.where.bad)
    return;
  for (const schema::Text& zone : zones.items) facts.zones.push_back(zone.value);
  const bool zonal = schema::matches(schema::Pattern::zone, location.value);
  if (!zones.where.given && zonal) facts.zones = {location.value};
}

void look_up_model(const Claims& claims, const catalog::Catalog& catalog, Facts& facts) {
  const schema::Text& model = claims.provisioning.model;
  if (model.where.bad || model.where.placeholder) return;
  facts.model = catalog::find_model(
      catalog, model.where.given ? std::string_view(model.value) : default_model);
  if (facts.model != nullptr && facts.generation != nullptr)
    facts.support = catalog::find_support(*facts.model, facts.generation->id);
}

void look_up_needs(const catalog::Catalog& catalog, Facts& facts) {
  const auto collect = [&](const std::string& what, const auto& minimums, std::string_view mode) {
    for (const catalog::Minimum& minimum : minimums) {
      if (minimum.mode == mode) facts.needs.push_back({what, minimum.version, &minimum.evidence});
    }
  };
  if (facts.generation != nullptr) {
    collect(fmt::format("{} on {}", facts.generation->id, facts.mode_name()),
            facts.generation->minimums, facts.mode());
    if (facts.autopilot)
      collect(fmt::format("{} on nodes that GKE creates itself", facts.generation->id),
              facts.generation->minimums, "auto-created");
    if (facts.support != nullptr && !facts.support->since.empty()) {
      facts.needs.push_back({fmt::format("{} for {}", facts.model->title, facts.generation->id),
                             facts.support->since, &facts.support->evidence});
    }
  }
  const auto feature = [&](std::string_view name) {
    if (const catalog::Feature* found = catalog::find_feature(catalog, name))
      collect(fmt::format("{} on {}", found->title, facts.mode_name()), found->minimums,
              facts.mode());
  };
  if (facts.autopilot) feature("autopilot");
  if (facts.machine != nullptr && facts.slices > 1) feature("multislice");
  std::stable_sort(facts.needs.begin(), facts.needs.end(),
                   [](const Need& a, const Need& b) { return version_of(a) > version_of(b); });
}

}  // namespace

std::vector<const MachineType*> fitting_machines(const Claims& claims, const Generation& generation,
                                                 const Topology& topology) {
  std::vector<const MachineType*> fitting = catalog::machine_types_for(generation, topology);
  const std::string_view type = claims.tpu.type.value;
  std::erase_if(fitting, [&](const MachineType* each) {
    return type != generation.id && each->accelerator != type;
  });
  return fitting;
}

std::string hosts_sum(const Topology& topology, const MachineType& machine) {
  const std::int64_t chips = topology.chips();
  return fmt::format("{} is {}; {} / {} per {} = {}", topology.text(), text::count(chips, "chip"),
                     chips, text::count(machine.chips, "chip"), machine.name,
                     text::count(chips / machine.chips, "host"));
}

std::string_view region_of(std::string_view location) {
  return schema::matches(schema::Pattern::zone, location) ? location.substr(0, location.rfind('-'))
                                                          : location;
}

std::int64_t run_seconds(const Claims& claims, const catalog::Model& model) {
  const schema::Text& given = claims.provisioning.max_run_duration;
  const std::int64_t seconds = given.where.usable() && model.takes_run_duration
                                   ? schema::duration_seconds(given.value).value_or(0)
                                   : 0;
  return seconds >= model.min_run_seconds && seconds <= model.max_run_seconds ? seconds : 0;
}

catalog::Version version_of(const Need& need) {
  return catalog::parse_version(need.version).value_or(catalog::Version{});
}

Facts look_up(const Claims& claims, const catalog::Catalog& catalog) {
  Facts facts;
  facts.autopilot = claims.cluster.mode.value == "autopilot";
  facts.region = region_of(claims.cluster.location.value);
  look_up_tpu(claims, catalog, facts);
  look_up_model(claims, catalog, facts);
  look_up_zones(claims, facts);
  const schema::Text& kind = claims.workload.kind;
  if (kind.where.usable()) {
    facts.kind = claims::find_kind(kind.value);
  } else if (!kind.where.bad && facts.machine != nullptr && !claims.tpu.slices.where.bad) {
    facts.kind = &claims::default_kind(facts.slices > 1);
  }
  look_up_needs(catalog, facts);
  return facts;
}

}  // namespace flexslice::facts
