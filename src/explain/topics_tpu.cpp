// Topics about TPUs: generations, machine types, topologies.
#include <fmt/core.h>

#include <algorithm>

#include "base/text.hpp"
#include "explain/explain.hpp"
#include "explain/topics.hpp"

namespace flexslice::explain {

using catalog::Generation;
using catalog::MachineType;
using catalog::Topology;
using text::count;

namespace {

std::string cubes_words(const Generation& generation) {
  return fmt::format("and any AxBxC of multiples of 4 with A <= B <= C, up to {}",
                     count(generation.max_chips, "chip"));
}

std::string shapes_words(const Generation& generation, const MachineType& machine) {
  std::string listed;
  for (const catalog::Shape& shape : machine.shapes)
    listed += (listed.empty() ? "" : " ") + shape.topology.text();
  return machine.cubes ? listed + ", " + cubes_words(generation) : listed;
}

void describe_chips(const Generation& generation, Sheet& sheet) {
  std::vector<std::string> labels;
  for (const MachineType& machine : generation.machine_types) {
    if (std::find(labels.begin(), labels.end(), machine.accelerator) == labels.end())
      labels.emplace_back(machine.accelerator);
  }
  sheet.section("Chips");
  sheet.entry({"label", {}, text::join(labels, ", "), {}});
  sheet.entry({"a chip",
               {},
               fmt::format("{} GB of memory, {}, {} as JAX counts them", generation.hbm_gb,
                           count(generation.cores_per_chip, "TensorCore"),
                           count(generation.devices_per_chip, "device")),
               source_line(generation.evidence)});
  std::string largest = fmt::format("at most {}", count(generation.max_chips, "chip"));
  if (generation.doubtful_above > 0)
    largest += fmt::format("; above {} the sources disagree", generation.doubtful_above);
  sheet.entry({"a slice", {}, largest, source_line(generation.limit_evidence)});
  sheet.entry({"Multislice", {}, generation.multislice ? "yes" : "no", {}});
}

void list_quotas(const Generation& generation, Sheet& sheet) {
  if (generation.quotas.empty()) return;
  sheet.section("Compute Engine quota");
  for (const catalog::Quota& quota : generation.quotas) {
    sheet.entry({std::string(quota.kind),
                 {},
                 fmt::format("`{}`", quota.name),
                 source_line(quota.evidence)});
  }
}

void describe(const catalog::Catalog& catalog, const Generation& generation, Sheet& sheet) {
  sheet.title(fmt::format("{}: {}", generation.id, text::join(generation.names.list(), ", ")));
  describe_chips(generation, sheet);
  sheet.section("Machine types");
  for (const MachineType& machine : generation.machine_types) {
    const std::string doubt = machine.status == "public" ? "" : fmt::format("{}: ", machine.status);
    sheet.entry({std::string(machine.name),
                 {},
                 fmt::format("{}{}: {}", doubt, count(machine.chips, "chip"),
                             shapes_words(generation, machine)),
                 source_line(machine.evidence)});
  }
  sheet.section("Provisioning models");
  for (const catalog::Model& model : catalog.models)
    sheet.entry(support_entry(model.name, model, generation.id));
  sheet.section("GKE version, at least");
  for (const catalog::Minimum& minimum : generation.minimums) {
    sheet.entry(minimum_entry(minimum));
  }
  sheet.section("Zones that are known, and their flex-start capacity");
  for (const catalog::Zone& zone : generation.zones) sheet.entry(zone_entry(zone.name, zone));
  list_quotas(generation, sheet);
}

// Other machine types of the generation that form the same shape.
std::string rivals(const Generation& generation, const MachineType& machine,
                   const Topology& topology) {
  std::vector<std::string_view> names;
  for (const MachineType* other : catalog::machine_types_for(generation, topology)) {
    if (other->name != machine.name) names.push_back(other->name);
  }
  return names.empty() ? std::string() : fmt::format("; so can {}", text::join(names, ", "));
}

void describe(const Generation& generation, const MachineType& machine, Sheet& sheet) {
  sheet.title(fmt::format("{}: {} machine type{}", machine.name, generation.id,
                          machine.status == "public" ? "" : fmt::format(", {}", machine.status)));
  sheet.section("A VM");
  sheet.entry({"label", {}, std::string(machine.accelerator), {}});
  sheet.entry(
      {"chips", {}, fmt::format("{}, and no other request of google.com/tpu", machine.chips), {}});
  if (machine.max_containers > 1) {
    sheet.entry({"containers",
                 {},
                 fmt::format("GKE accepts {} in a pod, with {} each", machine.max_containers,
                             count(machine.chips / machine.max_containers, "chip")),
                 {}});
  }
  if (machine.refuses_topology_flag)
    sheet.entry({"topology flag", {}, "GKE refuses `--tpu-topology`", {}});
  if (machine.vcpus > 0) sheet.entry({"vCPUs", {}, std::to_string(machine.vcpus), {}});
  if (machine.memory_gib > 0)
    sheet.entry({"memory", {}, fmt::format("{} GiB", machine.memory_gib), {}});
  if (machine.numa_nodes > 0)
    sheet.entry({"NUMA nodes", {}, std::to_string(machine.numa_nodes), {}});
  if (!machine.boot_disk_types.empty())
    sheet.entry({"boot disk", {}, text::join(machine.boot_disk_types.list(), ", "), {}});
  sheet.entry({"source", {}, {}, source_line(machine.evidence)});
  sheet.section("Topologies it forms");
  for (const catalog::Shape& shape : machine.shapes) {
    const std::int64_t chips = shape.topology.chips();
    const std::string source = source_line(shape.evidence);
    sheet.entry({shape.topology.text(),
                 {},
                 fmt::format("{}, {}{}", count(chips, "chip"), count(chips / machine.chips, "host"),
                             rivals(generation, machine, shape.topology)),
                 source == source_line(machine.evidence) ? std::string() : source});
  }
  if (machine.cubes) sheet.paragraph(cubes_words(generation));
}

bool list_forms(const catalog::Catalog& catalog, const Topology& topology, Sheet& sheet) {
  bool ambiguous = false;
  bool any = false;
  for (const Generation& generation : catalog.generations) {
    const auto machines = catalog::machine_types_for(generation, topology);
    ambiguous = ambiguous || machines.size() > 1;
    for (const MachineType* machine : machines) {
      any = true;
      sheet.entry({std::string(generation.id), std::string(machine->name),
                   fmt::format("{} of {}", count(topology.chips() / machine->chips, "host"),
                               count(machine->chips, "chip")),
                   source_line(*catalog::find_shape(generation, *machine, topology))});
    }
  }
  if (ambiguous) {
    sheet.paragraph(
        "Where a generation has two machine types for it, their nodes carry the same accelerator "
        "and topology labels, so `tpu.machineType` "
        "must say "
        "which is meant.");
  }
  return any;
}

void list_nearest(const catalog::Catalog& catalog, const Topology& topology, Sheet& sheet) {
  sheet.section("The nearest that exist");
  for (const Generation& generation : catalog.generations) {
    if (const auto ordered = catalog::in_order(generation, topology)) {
      sheet.entry({std::string(generation.id),
                   {},
                   fmt::format("{}, the same sizes in ascending order", ordered->text()),
                   {}});
      continue;
    }
    std::string listed;
    for (const Topology& near : catalog::nearest_topologies(generation, topology)) {
      listed += fmt::format("{}{} ({})", listed.empty() ? "" : ", ", near.text(),
                            count(near.chips(), "chip"));
    }
    sheet.entry({std::string(generation.id), {}, listed, {}});
  }
}

}  // namespace

bool answer_generation(const Ask& ask, Sheet& sheet) {
  bool any = false;
  for (const Generation& generation : ask.catalog.generations) {
    const auto names = generation.names.list();
    const auto& machines = generation.machine_types;
    const bool meant =
        same(generation.id, ask.word) ||
        std::any_of(names.begin(), names.end(),
                    [&](std::string_view name) { return same(name, ask.word); }) ||
        std::any_of(machines.begin(), machines.end(), [&](const MachineType& machine) {
          return same(machine.accelerator, ask.word);
        });
    if (!meant) continue;
    describe(ask.catalog, generation, sheet);
    any = true;
  }
  return any;
}

bool answer_machine(const Ask& ask, Sheet& sheet) {
  const std::string name = text::lower(ask.word);
  const Generation* generation = catalog::generation_of_machine_type(ask.catalog, name);
  if (generation == nullptr) return false;
  describe(*generation, *catalog::find_machine_type(*generation, name), sheet);
  return true;
}

bool answer_topology(const Ask& ask, Sheet& sheet) {
  const auto topology = catalog::parse_topology(ask.word);
  if (!topology) return false;
  sheet.title(
      fmt::format("{}: topology of {}", topology->text(), count(topology->chips(), "chip")));
  Sheet forms;
  if (list_forms(ask.catalog, *topology, forms)) {
    sheet.section("Formed by");
    list_forms(ask.catalog, *topology, sheet);
    return true;
  }
  sheet.paragraph("No generation has it.");
  list_nearest(ask.catalog, *topology, sheet);
  return true;
}

}  // namespace flexslice::explain
