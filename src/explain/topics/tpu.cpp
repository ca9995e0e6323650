// Topics about TPUs: generations, machine types, topologies.
#include <fmt/core.h>

#include "explain/topics/answers.hpp"

namespace flexslice::explain {

using catalog::Generation;
using catalog::MachineType;
using catalog::Topology;
using text::count;

namespace {

std::string cubes_text(const Generation& generation) {
  return fmt::format("and any AxBxC of multiples of 4 with A <= B <= C, up to {}",
                     count(generation.max_chips, "chip"));
}

std::string shapes_text(const Generation& generation, const MachineType& machine) {
  const auto shapes =
      texts(machine.shapes, [](const catalog::Shape& shape) { return shape.topology.text(); });
  return text::join(shapes, " ") + (machine.cubes ? ", " + cubes_text(generation) : "");
}

// ` doubtful`, after `before`; nothing where the machine type is public.
std::string status_text(std::string_view before, const MachineType& machine,
                        std::string_view after) {
  return machine.status == "public" ? "" : fmt::format("{}{}{}", before, machine.status, after);
}

void describe(const catalog::Catalog& catalog, const Generation& generation, Sheet& sheet) {
  sheet.title(fmt::format("{}: {}", generation.id, text::join(generation.names.list(), ", ")));
  std::vector<std::string_view> labels;
  for (const MachineType& machine : generation.machine_types) {
    if (!contains(labels, machine.accelerator)) labels.push_back(machine.accelerator);
  }
  sheet.section("Chips");
  sheet.entry("label", text::join(labels, ", "));
  sheet.entry("a chip",
              fmt::format("{} GB of memory, {}, {} as JAX counts them", generation.hbm_gb,
                          count(generation.cores_per_chip, "TensorCore"),
                          count(generation.devices_per_chip, "device")),
              source_line(generation.evidence));
  std::string largest = fmt::format("at most {}", count(generation.max_chips, "chip"));
  if (generation.doubtful_above > 0)
    largest += fmt::format("; above {} the sources disagree", generation.doubtful_above);
  sheet.entry("a slice", largest, source_line(generation.limit_evidence));
  sheet.entry("Multislice", generation.multislice ? "yes" : "no");
  sheet.section("Machine types");
  for (const MachineType& machine : generation.machine_types)
    sheet.entry(machine.name,
                fmt::format("{}{}: {}", status_text("", machine, ": "),
                            count(machine.chips, "chip"), shapes_text(generation, machine)),
                source_line(machine.evidence));
  sheet.section("Provisioning models");
  for (const catalog::Model& model : catalog.models)
    add_support(model.name, model, generation.id, sheet);
  add_minimums(generation.minimums, sheet);
  sheet.section("Zones that are known, and their flex-start capacity");
  for (const catalog::Zone& zone : generation.zones) add_zone(zone.name, "", zone, sheet);
  sheet.section("Compute Engine quota");
  for (const catalog::Quota& quota : generation.quotas)
    sheet.entry(quota.kind, fmt::format("`{}`", quota.name), source_line(quota.evidence));
}

// Other machine types of the generation that form the same shape.
std::string rivals(const Generation& generation, const MachineType& machine,
                   const Topology& topology) {
  const auto names =
      texts(catalog::machine_types_for(generation, topology), [&](const MachineType* other) {
        return other->name == machine.name ? std::string_view() : std::string_view(other->name);
      });
  return names.empty() ? "" : fmt::format("; so can {}", text::join(names, ", "));
}

void describe(const Generation& generation, const MachineType& machine, Sheet& sheet) {
  const std::string source = source_line(machine.evidence);
  sheet.title(fmt::format("{}: {} machine type{}", machine.name, generation.id,
                          status_text(", ", machine, "")));
  sheet.section("A VM");
  sheet.entry("label", machine.accelerator);
  sheet.entry("chips", fmt::format("{}, and no other request of google.com/tpu", machine.chips));
  if (machine.max_containers > 1)
    sheet.entry("containers",
                fmt::format("GKE accepts {} in a pod, with {} each", machine.max_containers,
                            count(machine.chips / machine.max_containers, "chip")));
  if (machine.refuses_topology_flag) sheet.entry("topology flag", "GKE refuses `--tpu-topology`");
  const auto add_number = [&](std::string_view label, int number, std::string_view unit) {
    if (number > 0) sheet.entry(label, fmt::format("{}{}", number, unit));
  };
  add_number("vCPUs", machine.vcpus, "");
  add_number("memory", machine.memory_gib, " GiB");
  add_number("NUMA nodes", machine.numa_nodes, "");
  if (!machine.boot_disk_types.empty())
    sheet.entry("boot disk", text::join(machine.boot_disk_types.list(), ", "));
  sheet.entry("source", "", source);
  sheet.section("Topologies it forms");
  for (const catalog::Shape& shape : machine.shapes) {
    const std::int64_t chips = shape.topology.chips();
    const std::string of_shape = source_line(shape.evidence);
    sheet.entry(shape.topology.text(),
                fmt::format("{}, {}{}", count(chips, "chip"), count(chips / machine.chips, "host"),
                            rivals(generation, machine, shape.topology)),
                of_shape == source ? "" : of_shape);
  }
  if (machine.cubes) sheet.paragraph(cubes_text(generation));
}

// What is near a topology that no generation has.
void list_nearest(const catalog::Catalog& catalog, const Topology& topology, Sheet& sheet) {
  sheet.paragraph("No generation has it.");
  sheet.section("The nearest that exist");
  for (const Generation& generation : catalog.generations) {
    if (const auto ordered = catalog::in_order(generation, topology)) {
      sheet.entry(generation.id,
                  fmt::format("{}, the same sizes in ascending order", ordered->text()));
      continue;
    }
    const auto nearest =
        texts(catalog::nearest_topologies(generation, topology), [](const Topology& existing) {
          return fmt::format("{} ({})", existing.text(), count(existing.chips(), "chip"));
        });
    sheet.entry(generation.id, text::join(nearest, ", "));
  }
}

}  // namespace

void answer_generation(const Ask& ask, Sheet& sheet) {
  const auto is_asked = [&](std::string_view name) { return ask.is(name); };
  for (const Generation& generation : ask.catalog.generations) {
    if (ask.is(generation.id) || any_of(generation.names, is_asked) ||
        any_of(texts(generation.machine_types, &MachineType::accelerator), is_asked))
      describe(ask.catalog, generation, sheet);
  }
}

void answer_machine(const Ask& ask, Sheet& sheet) {
  const std::string name = text::lower(ask.word);
  if (const auto* generation = catalog::generation_of_machine_type(ask.catalog, name))
    describe(*generation, *catalog::find_machine_type(*generation, name), sheet);
}

void answer_topology(const Ask& ask, Sheet& sheet) {
  const auto topology = catalog::parse_topology(ask.word);
  if (!topology) return;
  sheet.title(
      fmt::format("{}: topology of {}", topology->text(), count(topology->chips(), "chip")));
  sheet.section("Formed by");
  bool exists = false, ambiguous = false;
  for (const Generation& generation : ask.catalog.generations) {
    const auto machines = catalog::machine_types_for(generation, *topology);
    exists = exists || !machines.empty();
    ambiguous = ambiguous || machines.size() > 1;
    for (const MachineType* machine : machines)
      sheet.entry(generation.id,
                  fmt::format("{} of {}", count(topology->chips() / machine->chips, "host"),
                              count(machine->chips, "chip")),
                  source_line(*catalog::find_shape(generation, *machine, *topology)),
                  machine->name);
  }
  if (ambiguous)
    sheet.paragraph(
        "Where a generation has two machine types for it, their nodes carry the same accelerator "
        "and topology labels, so `tpu.machineType` must say which is meant.");
  if (exists) return;
  sheet.section("");
  list_nearest(ask.catalog, *topology, sheet);
}

}  // namespace flexslice::explain
