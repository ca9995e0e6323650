// Generation, topology, machine type, slices.
#include <fmt/core.h>

#include <algorithm>

#include "base/text.hpp"
#include "rules/rules.hpp"

namespace flexslice::rules {

using catalog::Generation;
using catalog::MachineType;
using catalog::Topology;
using diag::Code;
using diag::Diagnostic;

namespace {

void explain_mistake(Diagnostic& found, const catalog::Mistake& mistake) {
  if (!mistake.why.empty()) found.note(std::string(mistake.why));
  if (!mistake.instead.empty()) found.help(fmt::format("write `{}`", mistake.instead));
}

std::vector<std::string_view> public_names(const std::vector<const MachineType*>& machines) {
  std::vector<std::string_view> names;
  for (const MachineType* machine : machines) {
    if (machine->status == "public") names.push_back(machine->name);
  }
  return names;
}

// `v5p-8`: what people call a slice, by cores on some generations and by chips on others.
bool report_core_count(const Subject& subject, std::string_view name, Span where) {
  const auto found_in = catalog::find_core_name(subject.catalog, name);
  if (!found_in) return false;
  const Generation& generation = *found_in->generation;
  const std::int64_t per_chip = found_in->per_chip, count = found_in->count;
  const bool cores = generation.core_names_count_cores;
  Diagnostic& found =
      subject.sink.report<Code::CoreCountName>(where, name, cores ? "TensorCores" : "chips");
  if (count % per_chip != 0 || count == 0) return true;
  const std::int64_t chips = count / per_chip;
  found.note(cores ? fmt::format("{} TensorCores / {} per chip = {}", count, per_chip,
                                 text::count(chips, "chip"))
                   : fmt::format("`{}` means {}", name, text::count(chips, "chip")));
  const auto shapes = catalog::topologies(generation, chips);
  const auto same = std::find_if(shapes.rbegin(), shapes.rend(),
                                 [&](const Topology& each) { return each.chips() == chips; });
  if (same == shapes.rend()) {
    found.help(fmt::format("write `type: {}` and a `topology`", generation.id));
    return true;
  }
  const auto names = public_names(catalog::machine_types_for(generation, *same));
  const std::string choice =
      names.size() > 1
          ? fmt::format(", with `machineType: {}`", text::join(names, "` or `machineType: "))
          : std::string();
  found.help(
      fmt::format("write `type: {}` and `topology: {}`{}", generation.id, same->text(), choice));
  return true;
}

std::string with_hosts(const Generation& generation, const Topology& topology) {
  std::string hosts;
  for (const MachineType* machine : catalog::machine_types_for(generation, topology)) {
    const std::string each = text::count(topology.chips() / machine->chips, "host");
    if (hosts.find(each) == std::string::npos) hosts += (hosts.empty() ? "" : " or ") + each;
  }
  if (hosts.empty()) return topology.text();
  return fmt::format("{} ({}, {})", topology.text(), text::count(topology.chips(), "chip"), hosts);
}

void suggest_nearest(Diagnostic& found, const Generation& generation, const Topology& wanted) {
  const auto nearest = catalog::nearest_topologies(generation, wanted);
  if (nearest.size() == 1)
    found.help(fmt::format("the nearest is {}", with_hosts(generation, nearest[0])));
  if (nearest.size() == 2)
    found.help(fmt::format("the nearest are {} and {}", with_hosts(generation, nearest[0]),
                           with_hosts(generation, nearest[1])));
}

void note_shapes(Diagnostic& found, const Generation& generation) {
  std::vector<std::string> listed;
  for (const Topology& topology :
       catalog::topologies(generation, generation.dimensions == 3 ? 64 : generation.max_chips))
    listed.push_back(topology.text());
  found.note(fmt::format("{} topologies are {}", generation.id, text::join(listed, " ")));
  if (generation.dimensions == 3) {
    found.note(fmt::format("and any AxBxC of multiples of 4 with A <= B <= C, up to {} chips",
                           generation.max_chips));
  }
}

// Who writes a bare number means chips.
void suggest_shape_of(Diagnostic& found, const Generation& generation, std::int64_t chips) {
  for (const Topology& topology : catalog::topologies(generation, chips)) {
    if (topology.chips() != chips) continue;
    found.help(
        fmt::format("{} of {} are {}", text::count(chips, "chip"), generation.id, topology.text()));
    return;
  }
}

void report_topology_syntax(const Subject& subject) {
  const schema::Text& given = subject.claims.tpu.topology;
  if (report_core_count(subject, given.value, given.where.span)) return;
  Diagnostic& found = subject.sink.report<Code::TopologySyntax>(given.where.span, given.value);
  const auto chips = text::whole_number(given.value);
  if (chips && subject.facts.generation != nullptr)
    suggest_shape_of(found, *subject.facts.generation, *chips);
}

void report_unknown_topology(const Subject& subject, const Generation& generation,
                             const Topology& topology) {
  const schema::Text& given = subject.claims.tpu.topology;
  if (const auto ordered = catalog::in_order(generation, topology)) {
    subject.sink.report<Code::TopologyOrder>(given.where.span, given.value, ordered->text())
        .help(fmt::format("write {}", ordered->text()))
        .fix(given.where.span, ordered->text());
    return;
  }
  if (topology.chips() > generation.max_chips && topology.dimensions == generation.dimensions) {
    Diagnostic& found = subject.sink.report<Code::TopologyTooLarge>(
        given.where.span, given.value, topology.chips(), generation.id, generation.max_chips);
    if (const std::string source = source_note(generation.limit_evidence); !source.empty())
      found.note(source);
    return;
  }
  Diagnostic& found =
      subject.sink.report<Code::UnknownTopology>(given.where.span, generation.id, given.value);
  if (topology.dimensions != generation.dimensions)
    found.note(
        fmt::format("{} topologies have {} dimensions", generation.id, generation.dimensions));
  note_shapes(found, generation);
  suggest_nearest(found, generation, topology);
}

void report_unknown_machine(const Subject& subject, const Generation& generation) {
  const schema::Text& given = subject.claims.tpu.machine_type;
  const std::string_view type = subject.claims.tpu.type.value;
  const MachineType* machine = catalog::find_machine_type(generation, given.value);
  if (machine != nullptr && machine->status != "unknown") {
    subject.sink
        .report<Code::OtherGeneration>(given.where.span, given.value, machine->accelerator, type)
        .note(fmt::format("`tpu.type` is the label of other {} nodes", generation.id))
        .help(fmt::format("write `type: {}`", generation.id));
    return;
  }
  const Generation* other = catalog::generation_of_machine_type(subject.catalog, given.value);
  if (other != nullptr && other != &generation) {
    subject.sink
        .report<Code::OtherGeneration>(given.where.span, given.value, other->id, generation.id)
        .note(fmt::format("`tpu.type` is {}", type));
    return;
  }
  std::vector<std::string_view> names;
  for (const MachineType& each : generation.machine_types) {
    if (each.status == "public") names.push_back(each.name);
  }
  Diagnostic& found =
      subject.sink.report<Code::UnknownMachineType>(given.where.span, generation.id, given.value);
  found.note(fmt::format("{} machine types are {}", generation.id, text::join(names, " ")));
  if (const catalog::Mistake* mistake = catalog::find_mistake(subject.catalog, given.value)) {
    explain_mistake(found, *mistake);
  } else {
    diag::did_you_mean(found, given.value, names);
  }
}

// Why a machine type cannot form a topology that exists for its generation.
void report_no_shape(const Subject& subject, const MachineType& machine, const Topology& topology,
                     const Generation& generation) {
  const std::int64_t chips = topology.chips();
  Diagnostic& found = subject.sink.report<Code::TopologyNotForMachine>(
      subject.claims.tpu.machine_type.where.span, machine.name, topology.text());
  if (chips % machine.chips != 0) {
    found.note(fmt::format("{} is {}; {} / {} chips per {} leaves {} over", topology.text(),
                           text::count(chips, "chip"), chips, machine.chips, machine.name,
                           chips % machine.chips));
  } else {
    std::string shapes;
    for (const catalog::Shape& shape : machine.shapes)
      shapes += (shapes.empty() ? "" : " ") + shape.topology.text();
    found.note(fmt::format("{} forms {}", machine.name, shapes));
  }
  const auto fitting = public_names(catalog::machine_types_for(generation, topology));
  if (!fitting.empty())
    found.help(fmt::format("{} is formed by {}", topology.text(), text::join(fitting, " or ")));
}

// The topology exists, but not for the label that was given, or only on machines that are doubtful.
void report_other_machines(Diagnostic& found, const Generation& generation,
                           const Topology& topology) {
  for (const MachineType* machine : catalog::machine_types_for(generation, topology)) {
    if (machine->status == "public") {
      found.help(fmt::format("{} forms it, with `type: {}`", machine->name, machine->accelerator));
    } else {
      found.help(fmt::format("{} may form it, but is doubtful: say so with `machineType: {}`",
                             machine->name, machine->name));
    }
  }
}

void judge_doubt(const Subject& subject, const MachineType& machine, Span where) {
  if (machine.status == "doubtful")
    note_evidence(subject.sink.report<Code::DoubtfulMachineType>(where, machine.name),
                  machine.evidence);
}

void judge_claimed_machine(const Subject& subject, const Generation& generation) {
  const MachineType* machine = subject.facts.claimed;
  if (machine == nullptr) return report_unknown_machine(subject, generation);
  judge_doubt(subject, *machine, subject.claims.tpu.machine_type.where.span);
  if (subject.facts.topology && subject.facts.machine == nullptr)
    report_no_shape(subject, *machine, *subject.facts.topology, generation);
}

}  // namespace

void judge_generation(const Subject& subject) {
  const schema::Text& type = subject.claims.tpu.type;
  if (!type.where.usable() || subject.facts.generation != nullptr) return;
  if (report_core_count(subject, type.value, type.where.span)) return;
  std::vector<std::string_view> ids;
  for (const Generation& generation : subject.catalog.generations) ids.push_back(generation.id);
  Diagnostic& found = subject.sink.report<Code::UnknownGeneration>(type.where.span, type.value);
  found.note(fmt::format("known are {}", text::join(ids, " ")));
  if (const catalog::Mistake* mistake = catalog::find_mistake(subject.catalog, type.value)) {
    explain_mistake(found, *mistake);
  } else if (const Generation* machine_of =
                 catalog::generation_of_machine_type(subject.catalog, type.value)) {
    found.help(fmt::format("`{}` is a machine type: write `type: {}` and `machineType: {}`",
                           type.value, machine_of->id, type.value));
  } else {
    diag::did_you_mean(found, type.value, ids);
  }
}

void judge_topology(const Subject& subject) {
  const schema::Text& given = subject.claims.tpu.topology;
  const Generation* generation = subject.facts.generation;
  if (!given.where.usable()) return;
  if (!subject.facts.topology) {
    const auto topology = catalog::parse_topology(given.value);
    return topology ? report_unknown_topology(subject, *generation, *topology)
                    : report_topology_syntax(subject);
  }
  const Topology& topology = *subject.facts.topology;
  if (subject.facts.machine == nullptr || generation->doubtful_above == 0 ||
      topology.chips() <= generation->doubtful_above)
    return;
  subject.sink.report<Code::DoubtfulSize>(given.where.span, topology.text(), topology.chips(),
                                          generation->id, generation->doubtful_above);
}

void judge_machine_type(const Subject& subject) {
  const Generation* generation = subject.facts.generation;
  const schema::Where& given = subject.claims.tpu.machine_type.where;
  if (generation == nullptr || given.bad || given.placeholder) return;
  if (given.given) return judge_claimed_machine(subject, *generation);
  if (!subject.facts.topology) return;
  const Topology& topology = *subject.facts.topology;
  const auto fitting = facts::fitting_machines(subject.claims, *generation, topology);
  const Span where = subject.claims.tpu.topology.where.span;
  if (fitting.empty()) {
    report_other_machines(subject.sink.report<Code::UnknownTopology>(
                              where, subject.claims.tpu.type.value, topology.text()),
                          *generation, topology);
  } else if (fitting.size() == 1) {
    judge_doubt(subject, *fitting.front(), where);
  } else {
    std::vector<std::string> ways, choices;
    for (const MachineType* each : fitting) {
      ways.push_back(fmt::format("{} of {} chips",
                                 text::count(topology.chips() / each->chips, "host"), each->chips));
      choices.push_back(fmt::format("`machineType: {}`", each->name));
    }
    subject.sink.report<Code::MachineTypeNeeded>(where, topology.text(), text::join(ways, " or "))
        .note("both have the same accelerator and topology labels, so pods cannot tell them apart")
        .help(fmt::format("add {}", text::join(choices, " or ")));
  }
}

void judge_slices(const Subject& subject) {
  const facts::Facts& facts = subject.facts;
  if (facts.machine == nullptr || facts.slices == 1) return;
  const Span where = subject.claims.tpu.slices.where.span;
  if (!facts.generation->multislice) {
    subject.sink.report<Code::NoMultislice>(
        where, fmt::format("{} has no Multislice", facts.generation->id));
  } else if (!facts.multi_host()) {
    subject.sink
        .report<Code::NoMultislice>(
            where, fmt::format("Multislice joins multi-host slices, and {} on {} is one host",
                               facts.topology->text(), facts.machine->name))
        .help("choose a larger topology, or compile several workloads");
  }
}

}  // namespace flexslice::rules
