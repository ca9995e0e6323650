// Generation, topology and machine type, and what follows from them: hosts, chips, slices.
#include <algorithm>

#include "plan/steps.hpp"

namespace flexslice::plan {

using catalog::Generation;
using catalog::MachineType;
using catalog::Topology;
using diag::Code;
using diag::Diagnostic;

namespace {

void explain_mistake(Diagnostic& found, const catalog::Mistake& mistake) {
  if (!mistake.why.empty()) found.note(std::string(mistake.why));
  if (!mistake.instead.empty()) found.help(text::format("write `{}`", mistake.instead));
}

// What has to be written beside a topology that several machine types form.
std::string machine_choice(const Generation& generation, const Topology& topology) {
  std::string names;
  int count = 0;
  for (const MachineType* machine : catalog::machine_types_for(generation, topology)) {
    if (machine->status != "public") continue;
    names += text::format("{}`machineType: {}`", names.empty() ? "" : " or ", machine->name);
    ++count;
  }
  return count > 1 ? ", with " + names : std::string();
}

// `v5p-8`: what people say for a slice, by cores on some generations and by chips on others.
bool report_core_count(const Context& context, std::string_view name, Span where) {
  for (const Generation& generation : context.catalog.generations) {
    for (std::string_view prefix : generation.core_names) {
      if (!name.starts_with(prefix)) continue;
      const auto count = text::whole_number(name.substr(prefix.size()));
      if (!count) continue;
      const std::int64_t per_chip = generation.core_names_count_cores ? generation.cores_per_chip : 1;
      Diagnostic& found =
          context.sink.report<Code::CoreCountName>(where, name, generation.core_names_count_cores ? "TensorCores" : "chips");
      if (*count % per_chip != 0 || *count == 0) return true;
      const std::int64_t chips = *count / per_chip;
      found.note(generation.core_names_count_cores
                     ? text::format("{} TensorCores / {} per chip = {}", *count, per_chip, text::count(chips, "chip"))
                     : text::format("`{}` means {}", name, text::count(chips, "chip")));
      const auto shapes = catalog::topologies(generation, chips);
      const auto same = std::find_if(shapes.rbegin(), shapes.rend(), [&](const Topology& each) { return each.chips() == chips; });
      if (same != shapes.rend()) {
        found.help(text::format("write `type: {}` and `topology: {}`{}", generation.id, same->text(), machine_choice(generation, *same)));
      } else {
        found.help(text::format("write `type: {}` and a `topology`", generation.id));
      }
      return true;
    }
  }
  return false;
}

const Generation* resolve_generation(const Context& context) {
  const record::Text& type = context.spec.tpu.type;
  if (!usable(type.where)) return nullptr;
  if (const Generation* found = catalog::find_generation(context.catalog, type.value)) return found;
  if (report_core_count(context, type.value, type.where.span)) return nullptr;
  std::vector<std::string_view> ids;
  for (const Generation& generation : context.catalog.generations) ids.push_back(generation.id);
  Diagnostic& found = context.sink.report<Code::UnknownGeneration>(type.where.span, type.value);
  found.note(text::format("known are {}", text::join(ids, " ")));
  if (const catalog::Mistake* mistake = catalog::find_mistake(context.catalog, type.value)) {
    explain_mistake(found, *mistake);
  } else if (const Generation* machine_of = catalog::generation_of_machine_type(context.catalog, type.value)) {
    found.help(text::format("`{}` is a machine type: write `type: {}` and `machineType: {}`", type.value, machine_of->id, type.value));
  } else {
    diag::did_you_mean(found, type.value, ids);
  }
  return nullptr;
}

std::string with_hosts(const Generation& generation, const Topology& topology) {
  const auto machines = catalog::machine_types_for(generation, topology);
  if (machines.empty()) return topology.text();
  std::string hosts;
  for (const MachineType* machine : machines) {
    const std::string each = text::count(topology.chips() / machine->chips, "host");
    if (hosts.find(each) == std::string::npos) hosts += (hosts.empty() ? "" : " or ") + each;
  }
  return text::format("{} ({}, {})", topology.text(), text::count(topology.chips(), "chip"), hosts);
}

void suggest_nearest(Diagnostic& found, const Generation& generation, const Topology& wanted) {
  const auto nearest = catalog::nearest_topologies(generation, wanted);
  if (nearest.size() == 1) found.help(text::format("the nearest is {}", with_hosts(generation, nearest[0])));
  if (nearest.size() == 2)
    found.help(text::format("the nearest are {} and {}", with_hosts(generation, nearest[0]), with_hosts(generation, nearest[1])));
}

void note_shapes(Diagnostic& found, const Generation& generation) {
  std::string listed;
  for (const Topology& topology : catalog::topologies(generation, generation.dimensions == 3 ? 64 : generation.max_chips)) {
    listed += (listed.empty() ? "" : " ") + topology.text();
  }
  found.note(text::format("{} topologies are {}", generation.id, listed));
  if (generation.dimensions == 3) {
    found.note(text::format("and any AxBxC of multiples of 4 with A <= B <= C, up to {} chips", generation.max_chips));
  }
}

// Who writes a bare number means chips.
void suggest_shapes(Diagnostic& found, const Generation& generation, std::int64_t chips) {
  for (const Topology& topology : catalog::topologies(generation, chips)) {
    if (topology.chips() == chips)
      return void(found.help(text::format("{} of {} are {}", text::count(chips, "chip"), generation.id, topology.text())));
  }
}

std::optional<Topology> resolve_topology(const Context& context, const Generation* generation) {
  const record::Text& given = context.spec.tpu.topology;
  if (!usable(given.where)) return std::nullopt;
  const auto topology = catalog::parse_topology(given.value);
  if (!topology) {
    if (report_core_count(context, given.value, given.where.span)) return std::nullopt;
    Diagnostic& found = context.sink.report<Code::TopologySyntax>(given.where.span, given.value);
    const auto chips = text::whole_number(given.value);
    if (chips && generation != nullptr) suggest_shapes(found, *generation, *chips);
    return std::nullopt;
  }
  if (generation == nullptr || !catalog::machine_types_for(*generation, *topology).empty()) return topology;

  if (const auto ordered = catalog::in_order(*generation, *topology)) {
    context.sink.report<Code::TopologyOrder>(given.where.span, given.value, ordered->text())
        .help(text::format("write {}", ordered->text()))
        .fix(given.where.span, ordered->text());
    return std::nullopt;
  }
  if (topology->chips() > generation->max_chips && topology->dimensions == generation->dimensions) {
    Diagnostic& found = context.sink.report<Code::TopologyTooLarge>(given.where.span, given.value, topology->chips(), generation->id,
                                                                    generation->max_chips);
    if (const std::string source = source_note(generation->limit_evidence); !source.empty()) found.note(source);
    return std::nullopt;
  }
  Diagnostic& found = context.sink.report<Code::UnknownTopology>(given.where.span, generation->id, given.value);
  if (topology->dimensions != generation->dimensions)
    found.note(text::format("{} topologies have {} dimensions", generation->id, generation->dimensions));
  note_shapes(found, *generation);
  suggest_nearest(found, *generation, *topology);
  return std::nullopt;
}

const MachineType* given_machine(const Context& context, const Generation& generation) {
  const record::Text& given = context.spec.tpu.machine_type;
  const MachineType* machine = catalog::find_machine_type(generation, given.value);
  if (machine != nullptr && machine->status != "unknown") {
    const std::string_view type = context.spec.tpu.type.value;
    if (type == generation.id || type == machine->accelerator) return machine;
    context.sink.report<Code::OtherGeneration>(given.where.span, given.value, machine->accelerator, type)
        .note(text::format("`tpu.type` is the label of other {} nodes", generation.id))
        .help(text::format("write `type: {}`", generation.id));
    return nullptr;
  }
  if (const Generation* other = catalog::generation_of_machine_type(context.catalog, given.value);
      other != nullptr && other != &generation) {
    context.sink.report<Code::OtherGeneration>(given.where.span, given.value, other->id, generation.id)
        .note(text::format("`tpu.type` is {}", context.spec.tpu.type.value));
    return nullptr;
  }
  std::vector<std::string_view> names;
  for (const MachineType& each : generation.machine_types) {
    if (each.status == "public") names.push_back(each.name);
  }
  Diagnostic& found = context.sink.report<Code::UnknownMachineType>(given.where.span, generation.id, given.value);
  found.note(text::format("{} machine types are {}", generation.id, text::join(names, " ")));
  if (const catalog::Mistake* mistake = catalog::find_mistake(context.catalog, given.value)) {
    explain_mistake(found, *mistake);
  } else {
    diag::did_you_mean(found, given.value, names);
  }
  return nullptr;
}

// Why a machine type cannot form a topology that exists for its generation.
void report_no_shape(const Context& context, const MachineType& machine, const Topology& topology, const Generation& generation) {
  const std::int64_t chips = topology.chips();
  const record::Text& at = context.spec.tpu.machine_type.where.given ? context.spec.tpu.machine_type : context.spec.tpu.topology;
  Diagnostic& found = context.sink.report<Code::TopologyNotForMachine>(at.where.span, machine.name, topology.text());
  if (chips % machine.chips != 0) {
    found.note(text::format("{} is {}; {} / {} chips per {} leaves {} over", topology.text(), text::count(chips, "chip"), chips,
                            machine.chips, machine.name, chips % machine.chips));
  } else {
    std::string shapes;
    for (const catalog::Shape& shape : machine.shapes) shapes += (shapes.empty() ? "" : " ") + shape.topology.text();
    found.note(text::format("{} forms {}", machine.name, shapes));
  }
  std::string fitting;
  for (const MachineType* each : catalog::machine_types_for(generation, topology)) {
    if (each->status == "public") fitting += (fitting.empty() ? "" : " or ") + std::string(each->name);
  }
  if (!fitting.empty()) found.help(text::format("{} is formed by {}", topology.text(), fitting));
}

// The topology exists, but not for the label that was given, or only on machines that are doubtful.
void report_other_machines(Diagnostic& found, const Generation& generation, const Topology& topology) {
  for (const MachineType* machine : catalog::machine_types_for(generation, topology)) {
    if (machine->status == "public") {
      found.help(text::format("{} forms it, with `type: {}`", machine->name, machine->accelerator));
    } else {
      found.help(text::format("{} may form it, but is doubtful: say so with `machineType: {}`", machine->name, machine->name));
    }
  }
}

const MachineType* derived_machine(const Context& context, const Generation& generation, const Topology& topology) {
  std::vector<const MachineType*> fitting = catalog::machine_types_for(generation, topology);
  const record::Text& type = context.spec.tpu.type;
  if (type.value != generation.id) {
    std::erase_if(fitting, [&](const MachineType* each) { return each->accelerator != type.value; });
  }
  if (fitting.size() == 1) {
    context.because("tpu.machineType", text::format("the one {} machine type that forms {}", generation.id, topology.text()),
                    &fitting[0]->evidence);
    return fitting[0];
  }
  const Span where = context.spec.tpu.topology.where.span;
  if (fitting.empty()) {
    report_other_machines(context.sink.report<Code::UnknownTopology>(where, type.value, topology.text()), generation, topology);
    return nullptr;
  }
  std::string ways;
  std::string names;
  for (const MachineType* each : fitting) {
    ways += (ways.empty() ? "" : " or ") + text::format("{} of {} chips", text::count(topology.chips() / each->chips, "host"), each->chips);
    names += (names.empty() ? "" : " or ") + text::format("`machineType: {}`", each->name);
  }
  context.sink.report<Code::MachineTypeNeeded>(where, topology.text(), ways)
      .note("both have the same accelerator and topology labels, so pods cannot tell them apart")
      .help(text::format("add {}", names));
  return nullptr;
}

void judge_machine(const Context& context, const MachineType& machine) {
  if (machine.status != "doubtful") return;
  const spec::Tpu& tpu = context.spec.tpu;
  const Span where = tpu.machine_type.where.given ? tpu.machine_type.where.span : tpu.topology.where.span;
  Diagnostic& found = context.sink.report<Code::DoubtfulMachineType>(where, machine.name);
  if (!machine.evidence.note.empty()) found.note(std::string(machine.evidence.note));
  if (const std::string source = source_note(machine.evidence); !source.empty()) found.note(source);
}

void resolve_slices(const Context& context, const Generation& generation) {
  Tpu& tpu = context.plan.tpu;
  const record::Integer& slices = context.spec.tpu.slices;
  tpu.slices = usable(slices.where) ? slices.value : 1;
  if (tpu.slices == 1) return;
  if (!generation.multislice) {
    context.sink.report<Code::NoMultislice>(slices.where.span, text::format("{} has no Multislice", generation.id));
  } else if (!tpu.multi_host()) {
    context.sink
        .report<Code::NoMultislice>(slices.where.span, text::format("Multislice joins multi-host slices, and {} on {} is one host",
                                                                    tpu.topology.text(), tpu.machine->name))
        .help("choose a larger topology, or compile several workloads");
  }
}

void give_reasons(const Context& context) {
  const Tpu& tpu = context.plan.tpu;
  const std::int64_t chips = tpu.topology.chips();
  std::string sizes;
  for (int i = 0; i < tpu.topology.dimensions; ++i)
    sizes += (i == 0 ? "" : " * ") + std::to_string(tpu.topology.size[static_cast<std::size_t>(i)]);
  context.because("tpu.chips", text::format("{} = {}", sizes, chips));
  context.because("tpu.chipsPerHost", text::format("chips of a {} node", tpu.machine->name), &tpu.machine->evidence);
  context.because("tpu.request", text::format("all chips of a {} node", tpu.machine->name), &tpu.machine->evidence);
  if (tpu.multi_host()) context.because("tpu.hosts", hosts_sum(tpu), &tpu.machine->evidence);
  if (tpu.slices > 1) {
    context.because("tpu.totalChips", text::format("{} slices * {} chips", tpu.slices, chips));
    context.because("tpu.totalHosts", text::format("{} slices * {} hosts", tpu.slices, tpu.hosts));
  }
}

}  // namespace

std::string hosts_sum(const Tpu& tpu) {
  const std::int64_t chips = tpu.topology.chips();
  return text::format("{} is {}; {} / {} per {} = {}", tpu.topology.text(), text::count(chips, "chip"), chips,
                      text::count(tpu.machine->chips, "chip"), tpu.machine->name, text::count(tpu.hosts, "host"));
}

void resolve_tpu(const Context& context) {
  Tpu& tpu = context.plan.tpu;
  const spec::Tpu& spec = context.spec.tpu;
  tpu.generation = resolve_generation(context);
  const auto topology = resolve_topology(context, tpu.generation);
  if (tpu.generation == nullptr || spec.machine_type.where.bad) return;

  const MachineType* machine = nullptr;
  if (spec.machine_type.where.given) {
    machine = given_machine(context, *tpu.generation);
  } else if (topology) {
    machine = derived_machine(context, *tpu.generation, *topology);
  }
  if (machine == nullptr) return;
  judge_machine(context, *machine);
  if (!topology) return;
  if (catalog::find_shape(*tpu.generation, *machine, *topology) == nullptr) {
    report_no_shape(context, *machine, *topology, *tpu.generation);
    return;
  }
  tpu.topology = *topology;
  tpu.hosts = topology->chips() / machine->chips;
  tpu.machine = machine;
  if (tpu.generation->doubtful_above > 0 && topology->chips() > tpu.generation->doubtful_above) {
    context.sink.report<Code::DoubtfulSize>(spec.topology.where.span, topology->text(), topology->chips(), tpu.generation->id,
                                            tpu.generation->doubtful_above);
  }
  resolve_slices(context, *tpu.generation);
  give_reasons(context);
}

}  // namespace flexslice::plan
