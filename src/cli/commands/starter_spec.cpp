#include "cli/commands/starter_spec.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "backend/template/template.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "resolve/facts.hpp"
#include "schema/json_schema.hpp"
#include "spec/spec_fields.hpp"
#include "yaml/emit.hpp"

namespace flexslice::starter {

using namespace catalog;
using resolve::region_of;

namespace {

std::string_view wanted_region(const Wanted& wanted) {
  return region_of(wanted.location.empty() ? wanted.zone : wanted.location);
}

// How sure it is that the generation is available with the model; nothing when it is not.
std::optional<Confidence> support(const Model& model, const Generation& generation) {
  const Support* row = find_support(model, generation.id);
  if (row == nullptr || !row->supported) return std::nullopt;
  return row->evidence.confidence;
}

bool has_mode(const Model& model, const Wanted& wanted) {
  return contains(model.modes, wanted.mode);
}

// The catalog's first model is proposed only where it is not doubtful.
bool is_proposed(const Catalog& catalog, const Model& model, const Generation& generation) {
  const auto confidence = support(model, generation);
  return confidence && (*confidence != Confidence::low || &model != &catalog.models[0]);
}

// The zones where the generation may be available with the model, the surest first.
std::vector<const Zone*> zones_for(const Generation& generation, const Model& model,
                                   std::string_view region) {
  std::vector<const Zone*> zones;
  for (const Zone& zone : generation.zones) {
    if ((region.empty() || region_of(zone.name) == region) &&
        (!model.flex_start || zone.flex_start != false))
      zones.push_back(&zone);
  }
  const auto weight = [&](const Zone* zone) {
    return std::pair(model.flex_start && zone->flex_start == true, zone->evidence.confidence);
  };
  std::stable_sort(zones.begin(), zones.end(),
                   [&](const Zone* a, const Zone* b) { return weight(a) > weight(b); });
  return zones;
}

// The one with the most zones that are known for the model, among those that fit.
const Generation* choose_generation(const Catalog& catalog, const Wanted& wanted) {
  const Generation* best = nullptr;
  std::ptrdiff_t most = -1;
  for (const auto& generation : catalog.generations) {
    if (!is_proposed(catalog, *wanted.model, generation) ||
        (wanted.topology && machine_types_for(generation, *wanted.topology).empty()))
      continue;
    const auto possible = zones_for(generation, *wanted.model, wanted_region(wanted));
    const auto known = std::count_if(possible.begin(), possible.end(), [&](const Zone* zone) {
      return !wanted.model->flex_start || zone->flex_start == true;
    });
    if (known > most) best = &generation;
    most = std::max(most, known);
  }
  return best;
}

// The catalog's first model if it is available, else the surest.
const Model* choose_model(const Catalog& catalog, const Wanted& wanted) {
  const Model* best = nullptr;
  for (const auto& model : catalog.models) {
    if (!has_mode(model, wanted)) continue;
    if (wanted.generation == nullptr) return &model;
    const auto confidence = support(model, *wanted.generation);
    if (&model == &catalog.models[0] && is_proposed(catalog, model, *wanted.generation))
      return &model;
    if (confidence && (best == nullptr || *confidence > *support(*best, *wanted.generation)))
      best = &model;
  }
  return best;
}

// The largest shape of one host that only one machine type forms, else the smallest; of a claimed
// machine type its smallest.
Topology choose_topology(const Generation& generation, const MachineType* machine) {
  if (machine != nullptr) return machine->shapes[0].topology;
  std::optional<Topology> best;
  for (const auto& topology : topologies(generation)) {
    const auto machines = machine_types_for(generation, topology);
    if (!best || (machines.size() == 1 && machines.front()->chips == topology.chips()))
      best = topology;
  }
  return best.value_or(Topology{});
}

// The smallest of several hosts.
std::optional<Topology> choose_multi_host(const Generation& generation) {
  for (const auto& topology : topologies(generation)) {
    const auto machines = machine_types_for(generation, topology);
    if (machines.size() == 1 && machines.front()->chips < topology.chips()) return topology;
  }
  return std::nullopt;
}

// Prefers the machine type that needs the fewest hosts.
const MachineType* choose_machine(const Generation& generation, const Topology& topology) {
  const MachineType* best = nullptr;
  for (const auto* machine : machine_types_for(generation, topology)) {
    if (best == nullptr || machine->chips > best->chips) best = machine;
  }
  return best;
}

std::optional<std::string> choose_shape(Wanted& wanted) {
  const Generation& generation = *wanted.generation;
  if (wanted.machine != nullptr && find_machine_type(generation, wanted.machine->name) == nullptr)
    return fmt::format("{} is not a {} machine type", wanted.machine->name, generation.id);
  if (!wanted.topology && wanted.machine == nullptr && wanted.kind != nullptr &&
      wanted.kind->hosts == spec::Hosts::several)
    wanted.topology = choose_multi_host(generation);
  if (!wanted.topology) wanted.topology = choose_topology(generation, wanted.machine);
  if (wanted.machine == nullptr) wanted.machine = choose_machine(generation, *wanted.topology);
  if (wanted.machine != nullptr &&
      find_shape(generation, *wanted.machine, *wanted.topology) != nullptr)
    return std::nullopt;
  // As `check` says it.
  const auto ordered = reordered_shape(generation, *wanted.topology);
  const bool is_other = ordered && ordered->text() != wanted.topology->text();
  if (is_other && generation.wiring == catalog::Wiring::torus)
    return fmt::format("topology {} must be written {}", wanted.topology->text(), ordered->text());
  const std::string which = wanted.machine == nullptr
                                ? fmt::format("topology {} is not available for {}",
                                              wanted.topology->text(), generation.id)
                                : fmt::format("{} does not support topology {}",
                                              wanted.machine->name, wanted.topology->text());
  const auto near = texts(nearest_topologies(generation, *wanted.topology), &Topology::text);
  return fmt::format("{}; {}see `flexslice catalog --type {}`", which,
                     wanted.machine != nullptr || near.empty()
                         ? ""
                         : fmt::format("the nearest {} {}; ", near.size() == 1 ? "is" : "are",
                                       text::join(near, " and ")),
                     generation.id);
}

std::optional<std::string> choose_place(Wanted& wanted) {
  if (wanted.zone.empty() && region_of(wanted.location) != wanted.location)
    wanted.zone = wanted.location;
  if (wanted.zone.empty()) {
    const auto possible = zones_for(*wanted.generation, *wanted.model, wanted_region(wanted));
    if (possible.empty())
      return fmt::format("no zone{}{} is known for {} with {}; choose one with --zone",
                         wanted.location.empty() ? "" : " of ", wanted.location,
                         wanted.generation->id, wanted.model->title);
    wanted.zone = possible.front()->name;
  }
  if (wanted.location.empty()) wanted.location = region_of(wanted.zone);
  if (region_of(wanted.zone) != region_of(wanted.location))
    return fmt::format("{} is not in {}", wanted.zone, wanted.location);
  return std::nullopt;
}

// The command line may give any text, which YAML may have to quote.
std::string scalar_text(std::string_view text) {
  std::string out;
  yaml::emit_scalar(text, out);
  return out;
}

// The example of a field, as its row has it.
std::string example(std::string_view path) {
  const auto docs = schema::field_docs(schema::TableOf<spec::Claims>::table,
                                       [](schema::NameSet) { return std::vector<std::string>(); });
  const auto* doc = find_where(docs, [&](const auto& field) { return field.path == path; });
  return doc == nullptr ? std::string() : std::string(doc->field->example);
}

}  // namespace

std::optional<std::string> choose(const Catalog& catalog, Wanted& wanted) {
  if (wanted.name.empty()) wanted.name = "my-job";
  if (wanted.cluster.empty()) wanted.cluster = "my-cluster";
  if (wanted.image.empty()) wanted.image = example("workload.image");
  if (wanted.machine != nullptr && wanted.generation == nullptr)
    wanted.generation = generation_of_machine_type(catalog, wanted.machine->name);
  if (wanted.model == nullptr) wanted.model = choose_model(catalog, wanted);
  if (wanted.model == nullptr) return "no provisioning model is available";
  const std::string_view title = wanted.model->title;
  if (!has_mode(*wanted.model, wanted))
    return fmt::format("{} is not available on {} clusters", title, spec::title(wanted.mode));
  if (wanted.generation == nullptr) wanted.generation = choose_generation(catalog, wanted);
  if (wanted.generation == nullptr)
    return fmt::format("no generation has {} with {}", wanted.topology->text(), title);
  if (!support(*wanted.model, *wanted.generation))
    return fmt::format("{} is not available with {}; see `flexslice explain {}`",
                       wanted.generation->id, title, wanted.model->name);
  if (auto problem = choose_shape(wanted)) return problem;
  return choose_place(wanted);
}

std::string spec_text(const Catalog& catalog, const Wanted& wanted) {
  const Generation& generation = *wanted.generation;
  const Model& model = *wanted.model;
  const auto chips = wanted.topology->chips();
  const auto hosts = chips / wanted.machine->chips;
  const auto machines = machine_types_for(generation, *wanted.topology);
  const auto models = texts(catalog.models, &Model::name, [&](const Model& candidate) {
    return support(candidate, generation) && has_mode(candidate, wanted);
  });
  const auto flag = [](bool holds) { return holds ? "yes" : ""; };
  const auto is_for = [&](const schema::Table& table, std::string_view key) {
    const auto kinds = text::split(table.find(key)->kinds, ' ');
    return contains(kinds, wanted.kind == nullptr ? spec::kinds[0].word : wanted.kind->word);
  };
  const auto takes = [&](std::string_view key) {
    return is_for(schema::TableOf<spec::Workload>::table, key);
  };
  const auto takes_of_ray = [&](std::string_view key) {
    return is_for(schema::TableOf<spec::Ray>::table, key);
  };
  const schema::Pairs values{
      {"schema", yaml::one_line(wanted.schema)},
      {"name", scalar_text(wanted.name)},
      {"autopilot", flag(wanted.mode == ClusterMode::autopilot)},
      {"cluster", scalar_text(wanted.cluster)},
      {"location", scalar_text(wanted.location)},
      {"project", wanted.project.empty() ? "" : scalar_text(wanted.project)},
      {"type", std::string(generation.id)},
      {"types", text::join(texts(catalog.generations, &Generation::id), " ")},
      {"topology", wanted.topology->text()},
      {"chips", text::count(chips, "chip")},
      {"hosts", text::count(hosts, "host")},
      {"machineType", std::string(wanted.machine->name)},
      {"ambiguous", flag(machines.size() != 1 || machines.front() != wanted.machine)},
      {"multislice", flag(hosts > 1 && generation.multislice)},
      {"model", std::string(model.name)},
      {"models", text::join(models, " ")},
      {"zone", scalar_text(wanted.zone)},
      {"reservation", flag(model.takes_reservation)},
      {"queue", flag(model.needs_queue)},
      {"runDuration", flag(model.takes_run_duration)},
      {"image", scalar_text(wanted.image)},
      {"kind", wanted.kind == nullptr ? "" : std::string(wanted.kind->word)},
      {"script", flag(takes("script") && (wanted.kind == nullptr || wanted.kind->ends))},
      {"clients", flag(wanted.kind != nullptr && wanted.kind->has_clients)},
      {"ray", takes("ray") && wanted.kind != nullptr ? example("workload.ray.version") : ""},
      {"serveConfig", flag(takes_of_ray("serveConfig"))},
      {"pathways",
       takes("pathways") && wanted.kind != nullptr ? example("workload.pathways.gcsLocation") : ""},
      {"env", example("workload.env")},
      {"volumes", example("workload.volumes")},
  };
  const auto stretches = templates::expand({}, "starter/spec", {{}, schema::ref(values)});
  return text::join(texts(stretches.items, &yaml::Value::text), "\n");
}

}  // namespace flexslice::starter
