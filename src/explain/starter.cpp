#include "explain/starter.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.hpp"
#include "schema/json_schema.hpp"
#include "spec/fields.hpp"
#include "yaml/emit.hpp"

namespace flexslice::explain {

using catalog::Catalog;
using catalog::Confidence;
using catalog::Generation;
using catalog::MachineType;
using catalog::Model;
using catalog::Topology;
using catalog::Zone;

namespace {

constexpr std::string_view default_name = "my-job";
constexpr std::string_view default_cluster = "my-cluster";

std::string_view region_of(std::string_view location) {
  return schema::matches(schema::Pattern::zone, location) ? location.substr(0, location.rfind('-'))
                                                          : location;
}

// How sure it is that the generation can be had with the model; nothing when it cannot.
std::optional<Confidence> support(const Model& model, const Generation& generation) {
  const catalog::Support* row = catalog::find_support(model, generation.id);
  if (row == nullptr || !row->supported) return std::nullopt;
  return row->evidence.confidence;
}

bool has_mode(const Model& model, bool autopilot) {
  return model.modes.contains(autopilot ? "autopilot" : "standard");
}

// The zones where the generation may be had with the model, the surest first.
std::vector<const Zone*> zones(const Generation& generation, const Model& model,
                               std::string_view region) {
  std::vector<const Zone*> found;
  for (const Zone& zone : generation.zones) {
    if (!region.empty() && region_of(zone.name) != region) continue;
    if (!model.flex_start || zone.flex_start != false) found.push_back(&zone);
  }
  const auto weight = [&](const Zone* zone) {
    return std::pair(model.flex_start && zone->flex_start == true, zone->evidence.confidence);
  };
  std::stable_sort(found.begin(), found.end(),
                   [&](const Zone* a, const Zone* b) { return weight(a) > weight(b); });
  return found;
}

// Zones that are named for the model, not merely possible.
std::size_t known_zones(const Generation& generation, const Model& model, std::string_view region) {
  const auto found = zones(generation, model, region);
  if (!model.flex_start) return found.size();
  return static_cast<std::size_t>(std::count_if(
      found.begin(), found.end(), [](const Zone* zone) { return zone->flex_start == true; }));
}

std::string_view wanted_region(const Wanted& wanted) {
  return region_of(wanted.location.empty() ? wanted.zone : wanted.location);
}

bool forms(const Generation& generation, const Topology& topology) {
  return !catalog::machine_types_for(generation, topology).empty();
}

// The one with the most zones, among those that fit.
const Generation* choose_generation(const Catalog& catalog, const Wanted& wanted,
                                    const Model& model) {
  const Generation* best = nullptr;
  std::size_t most = 0;
  for (const Generation& generation : catalog.generations) {
    if (support(model, generation).value_or(Confidence::low) == Confidence::low &&
        &model == &catalog.models.front())
      continue;
    if (!support(model, generation) || (wanted.topology && !forms(generation, *wanted.topology)))
      continue;
    const std::size_t count = known_zones(generation, model, wanted_region(wanted)) + 1;
    if (count > most) best = &generation;
    most = std::max(most, count);
  }
  return best;
}

// The catalog's first model if it can be had, else the surest.
const Model* choose_model(const Catalog& catalog, const Wanted& wanted) {
  const Model* best = nullptr;
  for (const Model& model : catalog.models) {
    if (!has_mode(model, wanted.autopilot)) continue;
    if (wanted.generation == nullptr) return &model;
    const auto sure = support(model, *wanted.generation);
    if (sure && *sure != Confidence::low && &model == &catalog.models.front()) return &model;
    if (sure && (best == nullptr || *sure > *support(*best, *wanted.generation))) best = &model;
  }
  return best;
}

// The largest shape of one host that only one machine type forms; of a machine type without such
// shapes, its smallest.
Topology choose_topology(const Generation& generation, const MachineType* machine) {
  if (machine != nullptr) return machine->shapes.front().topology;
  std::optional<Topology> best;
  for (const Topology& topology : catalog::topologies(generation)) {
    const auto machines = catalog::machine_types_for(generation, topology);
    if (!best) best = topology;
    if (machines.size() == 1 && machines.front()->chips == topology.chips()) best = topology;
  }
  return best.value_or(Topology{});
}

// Of several the one with the fewest hosts.
const MachineType* choose_machine(const Generation& generation, const Topology& topology) {
  const auto machines = catalog::machine_types_for(generation, topology);
  if (machines.empty()) return nullptr;
  return *std::max_element(machines.begin(), machines.end(),
                           [](const auto* a, const auto* b) { return a->chips < b->chips; });
}

std::optional<std::string> choose_shape(Wanted& wanted) {
  const Generation& generation = *wanted.generation;
  if (wanted.machine != nullptr &&
      catalog::find_machine_type(generation, wanted.machine->name) == nullptr) {
    return fmt::format("{} is no {} machine type", wanted.machine->name, generation.id);
  }
  if (!wanted.topology) wanted.topology = choose_topology(generation, wanted.machine);
  if (wanted.machine == nullptr) wanted.machine = choose_machine(generation, *wanted.topology);
  if (wanted.machine != nullptr &&
      catalog::find_shape(generation, *wanted.machine, *wanted.topology) != nullptr)
    return std::nullopt;
  const std::string_view who = wanted.machine == nullptr ? generation.id : wanted.machine->name;
  return fmt::format("{} cannot form {}; see `flexslice catalog --type {}`", who,
                     wanted.topology->text(), generation.id);
}

std::optional<std::string> choose_place(Wanted& wanted) {
  if (wanted.zone.empty() && schema::matches(schema::Pattern::zone, wanted.location))
    wanted.zone = wanted.location;
  if (wanted.zone.empty()) {
    const auto found = zones(*wanted.generation, *wanted.model, wanted_region(wanted));
    if (found.empty()) {
      return fmt::format("no zone{}{} is known for {} with {}; name one with --zone",
                         wanted.location.empty() ? "" : " of ", wanted.location,
                         wanted.generation->id, wanted.model->title);
    }
    wanted.zone = found.front()->name;
  }
  if (wanted.location.empty()) wanted.location = region_of(wanted.zone);
  if (region_of(wanted.zone) != region_of(wanted.location))
    return fmt::format("{} is not in {}", wanted.zone, wanted.location);
  return std::nullopt;
}

// What the command line gave, as YAML whatever is in it.
std::string scalar(std::string_view text) {
  std::string out;
  yaml::emit_scalar(text, out);
  return out;
}

// The example of a field, as its row has it.
std::string example(std::string_view path) {
  for (const schema::FieldDoc& doc :
       schema::field_docs(schema::TableOf<claims::Claims>::table,
                          [](std::string_view) { return std::vector<std::string>(); })) {
    if (doc.path == path) return std::string(doc.field->example);
  }
  return {};
}

std::string cluster_text(const Wanted& wanted) {
  std::string out = "cluster:\n";
  if (wanted.autopilot) out += "  mode: autopilot  # GKE makes the nodes itself\n";
  out += fmt::format("  name: {}\n  location: {}  # region or zone of the control plane\n",
                     scalar(wanted.cluster), scalar(wanted.location));
  out += wanted.project.empty()
             ? "  # project: my-project  # default: the one gcloud is configured for\n"
             : fmt::format("  project: {}\n", scalar(wanted.project));
  out += "  # create: true  # the scripts create the cluster too, and delete it\n";
  return out;
}

std::string tpu_text(const Catalog& catalog, const Wanted& wanted) {
  const Generation& generation = *wanted.generation;
  const std::int64_t hosts = wanted.topology->chips() / wanted.machine->chips;
  std::string out = "tpu:\n";
  out += fmt::format(
      "  type: {}  # {}\n", generation.id,
      text::join(std::span<const std::string>(catalog::names(catalog, "generations")), " "));
  out += fmt::format("  topology: {}  # {} on {} of {}\n", wanted.topology->text(),
                     text::count(wanted.topology->chips(), "chip"), text::count(hosts, "host"),
                     wanted.machine->name);
  const auto machines = catalog::machine_types_for(generation, *wanted.topology);
  if (machines.size() != 1 || machines.front() != wanted.machine)
    out += fmt::format("  machineType: {}\n", wanted.machine->name);
  if (hosts > 1 && generation.multislice)
    out += "  # slices: 2  # several slices that work together\n";
  out += fmt::format("  # Other shapes: flexslice catalog --type {}\n", generation.id);
  return out;
}

std::string provisioning_text(const Catalog& catalog, const Wanted& wanted) {
  const Model& model = *wanted.model;
  std::vector<std::string_view> possible;
  for (const Model& each : catalog.models) {
    if (support(each, *wanted.generation) && has_mode(each, wanted.autopilot))
      possible.push_back(each.name);
  }
  std::string out = "provisioning:\n";
  out += fmt::format("  # {}: {}\n", wanted.generation->id,
                     text::join(std::span<const std::string_view>(possible), " "));
  out += fmt::format("  model: {}\n", model.name);
  if (!wanted.autopilot) out += fmt::format("  zones: [{}]  # of the nodes\n", scalar(wanted.zone));
  if (model.takes_reservation) out += "  reservation: my-reservation\n";
  if (model.needs_queue) out += "  queue: my-queue  # a Kueue LocalQueue\n";
  if (model.takes_run_duration) out += "  # maxRunDuration: 2h  # how long a node may live\n";
  return out;
}

}  // namespace

std::optional<std::string> choose(const Catalog& catalog, Wanted& wanted) {
  if (wanted.name.empty()) wanted.name = default_name;
  if (wanted.cluster.empty()) wanted.cluster = default_cluster;
  if (wanted.image.empty()) wanted.image = example("workload.image");
  if (wanted.machine != nullptr && wanted.generation == nullptr) {
    wanted.generation = catalog::generation_of_machine_type(catalog, wanted.machine->name);
  }
  if (wanted.model == nullptr) wanted.model = choose_model(catalog, wanted);
  if (wanted.model == nullptr) return "no provisioning model fits";
  if (!has_mode(*wanted.model, wanted.autopilot)) {
    return fmt::format("{} cannot be had on {} clusters", wanted.model->title,
                       wanted.autopilot ? "Autopilot" : "Standard");
  }
  if (wanted.generation == nullptr)
    wanted.generation = choose_generation(catalog, wanted, *wanted.model);
  if (wanted.generation == nullptr)
    return fmt::format("no generation has {} with {}", wanted.topology->text(),
                       wanted.model->title);
  if (!support(*wanted.model, *wanted.generation)) {
    return fmt::format("{} cannot be had with {}; see `flexslice explain {}`",
                       wanted.generation->id, wanted.model->title, wanted.model->name);
  }
  if (auto problem = choose_shape(wanted)) return problem;
  return choose_place(wanted);
}

std::string starter(const Catalog& catalog, const Wanted& wanted) {
  std::string out = fmt::format(
      "# yaml-language-server: $schema={}\n"
      "# A TPU workload on GKE. Editors complete and check this file once the schema\n"
      "# is there: flexslice schema > flexslice.schema.json\n"
      "# What a field means: flexslice explain FIELD, for example tpu.topology\n"
      "apiVersion: flexslice/v1\n"
      "name: {}  # everything that is made is named after it\n",
      yaml::one_line(wanted.schema), scalar(wanted.name));
  for (const std::string& part :
       {cluster_text(wanted), tpu_text(catalog, wanted), provisioning_text(catalog, wanted)})
    out += "\n" + part;
  out += fmt::format(
      "\nworkload:\n"
      "  image: {}\n"
      "  script: |\n"
      "    python -c 'import jax; print(\"devices:\", jax.device_count())'\n"
      "  # env: {}\n"
      "  # volumes: {}\n",
      scalar(wanted.image), example("workload.env"), example("workload.volumes"));
  return out;
}

}  // namespace flexslice::explain
