// Generation, topology, machine type, slices.
#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "base/ascii.hpp"
#include "base/slip.hpp"
#include "rules/rules.hpp"

namespace flexslice::rules {

namespace {

bool is_public(const MachineType& machine) { return machine.status == catalog::Status::published; }

std::vector<std::string_view> public_names(const Generation& generation, const Topology& topology) {
  return texts(machine_types_for(generation, topology), &MachineType::name,
               [](const auto* machine) { return is_public(*machine); });
}

// `4x4 (16 chips, 4 hosts)`.
std::string with_hosts(const Generation& generation, const Topology& topology) {
  std::vector<std::string> hosts;
  for (const auto* machine : machine_types_for(generation, topology)) {
    std::string count = text::count(topology.chips() / machine->chips, "host");
    if (!contains(hosts, count)) hosts.push_back(std::move(count));
  }
  return fmt::format("{} ({}, {})", topology.text(), text::count(topology.chips(), "chip"),
                     text::join(hosts, " or "));
}

void note_shapes(Diagnostic& finding, const Generation& generation) {
  const bool cubes =
      any_of(generation.machine_types, [](const MachineType& machine) { return machine.cubes; });
  const auto listed =
      texts(topologies(generation, cubes ? 64 : generation.max_chips), &Topology::text);
  finding.note("{} topologies: {}", generation.id, text::join(listed, " "));
  if (generation.wiring == catalog::Wiring::boards)
    finding.note("they are chips of a board x boards of a group x groups");
  if (cubes)
    finding.note("and any AxBxC of multiples of 4 with A <= B <= C{}, up to {} chips",
                 generation.max_dimension == 0 ? std::string()
                                               : fmt::format(" <= {}", generation.max_dimension),
                 generation.max_chips);
}

// A bare number means chips.
void help_with_chips(Diagnostic& finding, const Generation& generation, std::int64_t chips) {
  const auto shapes = texts(topologies(generation, chips), &Topology::text,
                            [&](const auto& topology) { return topology.chips() == chips; });
  if (shapes.empty()) return note_shapes(finding, generation);
  finding.help("{} of {} are {}", text::count(chips, "chip"), generation.id,
               text::join(shapes, " or "));
  if (shapes.size() == 1) finding.fix(finding.where, shapes.front());
}

// `4X4`, `4*4`, `4 x 4`, `4×4`.
std::string with_plain_signs(std::string_view text) {
  constexpr std::string_view sign = "\xC3\x97";
  std::string plain;
  for (; !text.empty(); text.remove_prefix(1)) {
    if (text.starts_with(sign)) text.remove_prefix(1);
    const bool times = text.front() == sign.back() || text.front() == 'X' || text.front() == '*';
    if (text.front() != ' ') plain += times ? 'x' : text.front();
  }
  return plain;
}

void report_topology_syntax(const Facts& facts, Sink& sink) {
  const Text& claim = facts.claims.tpu.topology;
  if (report_core_count(facts, claim, sink)) return;
  Diagnostic& finding = sink.report<Code::TopologySyntax>(claim, claim.value);
  const Generation* generation = facts.generation;
  const auto chips = text::whole_number(claim.value);
  if (chips && generation != nullptr) return help_with_chips(finding, *generation, *chips);
  const auto meant = parse_topology(with_plain_signs(claim.value));
  if (!meant) return;
  if (generation != nullptr && machine_types_for(*generation, *meant).empty())
    return note_shapes(finding, *generation);
  finding.help("write `{}`", meant->text()).fix(claim.where.span, meant->text());
}

void report_unknown_topology(const Facts& facts, const Topology& topology, Sink& sink) {
  const Text& claim = facts.claims.tpu.topology;
  const Generation& generation = *facts.generation;
  const bool is_torus = generation.wiring == catalog::Wiring::torus;
  if (const auto ordered = reordered_shape(generation, topology); ordered && is_torus) {
    sink.report<Code::TopologyOrder>(claim, claim.value, ordered->text())
        .help("write {}", ordered->text())
        .fix(claim.where.span, ordered->text());
    return;
  }
  const bool same_dimensions = topology.dimensions == generation.dimensions;
  if (topology.chips() > generation.max_chips && same_dimensions) {
    Diagnostic& finding = sink.report<Code::TopologyTooLarge>(claim, claim.value, topology.chips(),
                                                              generation.id, generation.max_chips);
    finding.level = diag::Level::error;
    note_source(finding, generation.limit_evidence);
    return;
  }
  Diagnostic& finding = sink.report<Code::UnknownTopology>(claim, claim.value, generation.id);
  finding.level = diag::Level::error;
  if (!same_dimensions)
    finding.note("{} topologies have {} dimensions", generation.id, generation.dimensions);
  note_shapes(finding, generation);
  const auto existing = nearest_topologies(generation, topology);
  for (const Topology& each : existing) finding.choice(claim.where.span, each.text());
  const auto nearest =
      texts(existing, [&](const Topology& each) { return with_hosts(generation, each); });
  if (!nearest.empty())
    finding.help("the nearest {} {}", nearest.size() == 1 ? "is" : "are",
                 text::join(nearest, " and "));
}

// `ct6e-standard-` of `ct6e-standard-16t`, and 16.
struct MachineName {
  std::string_view family;
  std::int64_t chips;
};
std::optional<MachineName> parse_machine(std::string_view name) {
  const std::size_t dash = name.rfind('-');
  if (dash == std::string_view::npos || !name.ends_with('t')) return std::nullopt;
  const auto chips = text::whole_number(name.substr(dash + 1, name.size() - dash - 2));
  if (!chips) return std::nullopt;
  return MachineName{name.substr(0, dash + 1), *chips};
}

// The number in a name is that of the chips of one host; some write those of the slice. The machine
// of the claimed topology, or of slices with so many chips. False: nothing is known of it.
bool explain_chips(const Facts& facts, const Text& claim, Diagnostic& finding) {
  const auto name = parse_machine(claim.value);
  if (!name) return false;
  const auto is_same_family = [&](const MachineType& machine) {
    const auto known = parse_machine(machine.name);
    return is_public(machine) && known && known->family == name->family;
  };
  const auto* generation = find_where(facts.catalog.generations, [&](const Generation& each) {
    return any_of(each.machine_types, is_same_family);
  });
  if (generation == nullptr) return false;
  const auto fits = [&](const Topology& topology) -> const MachineType* {
    const auto machines = machine_types_for(*generation, topology);
    return machines.size() == 1 && is_same_family(*machines.front()) ? machines.front() : nullptr;
  };
  const MachineType* machine = nullptr;
  for (const Topology& topology : topologies(*generation, name->chips)) {
    if (topology.chips() == name->chips && machine == nullptr) machine = fits(topology);
  }
  if (machine != nullptr)
    finding.note("the number counts the chips of one host: {} are a slice of {} of {}",
                 text::count(name->chips, "chip"),
                 text::count(name->chips / machine->chips, "host"), machine->name);
  const MachineType* of_topology = facts.topology ? fits(*facts.topology) : nullptr;
  if (of_topology != nullptr) machine = of_topology;
  if (machine == nullptr) return false;
  finding.help(of_topology != nullptr ? fmt::format("write `{}`: {}", machine->name,
                                                    resolve::hosts_sum(*facts.topology, *machine))
                                      : fmt::format("write `{}`", machine->name));
  return true;
}

// A command names no generation, so all machine types are compared.
void report_no_machine(const Facts& facts, Sink& sink) {
  const Text& claim = facts.claims.tpu.machine_type;
  const Mistake* mistake = find_mistake(facts.catalog, claim.value);
  if (mistake != nullptr && mistake->exists) return;
  std::vector<std::string_view> names;
  for (const Generation& generation : facts.catalog.generations) {
    for (std::string_view name : texts(generation.machine_types, &MachineType::name, is_public))
      names.push_back(name);
  }
  Diagnostic& finding = sink.report<Code::UnknownMachineType>(claim, "TPU", claim.value);
  finding.note("TPU machine types: {}", text::join(names, " "));
  if (!explain_mistake(facts, claim, finding) && !explain_chips(facts, claim, finding))
    diag::did_you_mean(finding, claim.value, names);
}

void report_unknown_machine(const Facts& facts, Sink& sink) {
  const Text& claim = facts.claims.tpu.machine_type;
  const auto type = facts.claims.tpu.type.value;
  const Generation& generation = *facts.generation;
  const MachineType* machine = find_machine_type(generation, claim.value);
  if (machine != nullptr && machine->status != catalog::Status::unknown) {
    sink.report<Code::OtherGeneration>(claim, claim.value, machine->accelerator, type)
        .note("`tpu.type` is the accelerator label of other {} nodes", generation.id)
        .help("write `type: {}`", generation.id);
    return;
  }
  const Generation* other = generation_of_machine_type(facts.catalog, claim.value);
  if (other != nullptr && other != &generation) {
    sink.report<Code::OtherGeneration>(claim, claim.value, other->id, generation.id)
        .note("`tpu.type` is {}", type);
    return;
  }
  const auto names = texts(generation.machine_types, &MachineType::name, is_public);
  Diagnostic& finding = sink.report<Code::UnknownMachineType>(claim, generation.id, claim.value);
  finding.note("{} machine types: {}", generation.id, text::join(names, " "));
  if (!explain_mistake(facts, claim, finding) && !explain_chips(facts, claim, finding))
    diag::did_you_mean(finding, claim.value, names);
}

// Why a machine type cannot form a topology that exists for its generation.
void report_no_shape(const Facts& facts, Sink& sink) {
  const MachineType& machine = *facts.claimed;
  const Topology& topology = *facts.topology;
  const auto chips = topology.chips();
  Diagnostic& finding = sink.report<Code::TopologyNotForMachine>(facts.claims.tpu.machine_type,
                                                                 machine.name, topology.text());
  if (chips % machine.chips != 0) {
    finding.note("{} is {}; {} / {} chips per {} leaves a remainder of {}", topology.text(),
                 text::count(chips, "chip"), chips, machine.chips, machine.name,
                 chips % machine.chips);
  } else {
    const auto shapes =
        texts(machine.shapes, [](const Shape& shape) { return shape.topology.text(); });
    finding.note("{} supports {}", machine.name, text::join(shapes, " "));
  }
  const auto fitting = public_names(*facts.generation, topology);
  if (!fitting.empty())
    finding.help("{} is supported by {}", topology.text(), text::join(fitting, " or "));
}

void judge_doubt(const MachineType& machine, const Text& claim, Sink& sink) {
  if (machine.status == catalog::Status::doubtful)
    note_evidence(sink.report<Code::DoubtfulMachineType>(claim, machine.name), machine.evidence);
}

// `tpu-v6e`, `v6e-slice`, `TPU v6e`: the generation with something around it.
const Generation* find_within(const Catalog& catalog, std::string_view type) {
  std::string words = text::lower(type);
  std::ranges::replace_if(
      words, [](char c) { return c == '_' || c == ' '; }, '-');
  const Generation* only = nullptr;
  for (std::string_view word : text::split(words, '-')) {
    const Generation* generation = find_generation(catalog, word);
    if (generation != nullptr && only != nullptr && generation != only) return nullptr;
    if (generation != nullptr) only = generation;
  }
  return only;
}

void judge_generation(const Facts& facts, Sink& sink) {
  const Text& type = facts.claims.tpu.type;
  if (!type.usable() || facts.generation != nullptr || report_core_count(facts, type, sink)) return;
  const auto ids = texts(facts.catalog.generations, &Generation::id);
  Diagnostic& finding = sink.report<Code::UnknownGeneration>(type, type.value);
  finding.note("known generations: {}", text::join(ids, " "));
  if (explain_mistake(facts, type, finding)) return;
  if (const Generation* machine_of = generation_of_machine_type(facts.catalog, type.value)) {
    finding.help("`{}` is a machine type: write `type: {}` and `machineType: {}`", type.value,
                 machine_of->id, type.value);
  } else if (const auto device = find_device(facts.catalog, type.value);
             device && device->topology) {
    finding.note("the slice is {}", with_hosts(*device->generation, *device->topology))
        .help("write `type: {}` and `topology: {}`", device->generation->id,
              device->topology->text());
  } else if (const Generation* within = find_within(facts.catalog, type.value)) {
    finding.help("write `{}`", within->id).fix(type.where.span, std::string(within->id));
  } else {
    diag::did_you_mean(finding, type.value,
                       texts(facts.catalog.generations, &Generation::id, [&](const auto& each) {
                         return text::same_digits(each.id, type.value);
                       }));
  }
}

// Google's tools know the shape, but no public page says that somebody can have it.
void report_beyond_limits(const Facts& facts, Sink& sink) {
  const Text& claim = facts.claims.tpu.topology;
  const Generation& generation = *facts.generation;
  const bool has_many = facts.topology->chips() > generation.max_chips;
  Diagnostic& finding =
      has_many ? sink.report<Code::TopologyTooLarge>(claim, claim.value, facts.topology->chips(),
                                                     generation.id, generation.max_chips)
               : sink.report<Code::UnknownTopology>(claim, claim.value, generation.id);
  if (!has_many)
    finding.note("no side of a documented {} slice is longer than {}", generation.id,
                 generation.max_dimension);
  finding.note("tools of Google know the shape, of {}", with_hosts(generation, *facts.topology));
  note_source(finding, generation.limit_evidence);
}

void judge_topology(const Facts& facts, Sink& sink) {
  const Text& claim = facts.claims.tpu.topology;
  if (!claim.usable()) return;
  if (!facts.topology) {
    const auto topology = parse_topology(claim.value);
    return topology ? report_unknown_topology(facts, *topology, sink)
                    : report_topology_syntax(facts, sink);
  }
  const Generation* generation = facts.generation;
  const Topology& topology = *facts.topology;
  if (generation != nullptr && !fits_limits(*generation, topology))
    return report_beyond_limits(facts, sink);
  if (facts.machine == nullptr || generation->doubtful_above == 0 ||
      topology.chips() <= generation->doubtful_above)
    return;
  sink.report<Code::DoubtfulSize>(claim, generation->id, topology.chips())
      .note("sources disagree about {} slices of more than {} chips", generation->id,
            generation->doubtful_above);
}

void judge_claimed_machine(const Facts& facts, Sink& sink) {
  const Text& claim = facts.claims.tpu.machine_type;
  if (facts.generation == nullptr || !claim.usable()) return;
  if (facts.claimed == nullptr) return report_unknown_machine(facts, sink);
  judge_doubt(*facts.claimed, claim, sink);
  if (facts.topology && facts.machine == nullptr) report_no_shape(facts, sink);
}

// The machine type that follows from the topology, where none is claimed.
void judge_fitting_machines(const Facts& facts, Sink& sink) {
  const schema::Where& claimed = facts.claims.tpu.machine_type.where;
  if (facts.generation == nullptr || !facts.topology || claimed.given || claimed.bad ||
      claimed.placeholder)
    return;
  const Text& claim = facts.claims.tpu.topology;
  const Topology& topology = *facts.topology;
  const auto fitting = resolve::fitting_machines(facts.claims, *facts.generation, topology);
  if (fitting.size() == 1) return judge_doubt(*fitting.front(), claim, sink);
  if (fitting.empty()) {
    // It exists, but not for the label that is claimed, or only on machines that are doubtful.
    Diagnostic& finding =
        sink.report<Code::UnknownTopology>(claim, topology.text(), facts.claims.tpu.type.value);
    finding.level = diag::Level::error;
    for (const auto* machine : machine_types_for(*facts.generation, topology)) {
      if (is_public(*machine)) {
        finding.help("{} supports it, with `type: {}`", machine->name, machine->accelerator);
      } else {
        finding.help("{} may support it, but is undocumented: choose it with `machineType: {}`",
                     machine->name, machine->name);
      }
    }
    return;
  }
  const auto ways = texts(fitting, [&](const auto* machine) {
    return fmt::format("{} of {} chips", text::count(topology.chips() / machine->chips, "host"),
                       machine->chips);
  });
  // Some kinds are for one host, or for several.
  auto suitable = fitting;
  std::erase_if(suitable, [&](const auto* machine) {
    return facts.kind != nullptr && facts.kind->hosts != spec::Hosts::any &&
           (facts.kind->hosts == spec::Hosts::one) != (machine->chips == topology.chips());
  });
  const auto choices = texts(suitable.empty() ? fitting : suitable, [](const auto* machine) {
    return fmt::format("`machineType: {}`", machine->name);
  });
  sink.report<Code::MachineTypeNeeded>(claim, topology.text(), text::join(ways, " or "))
      .note(
          "nodes of both have the same accelerator and topology labels, so pods cannot tell them "
          "apart")
      .help("add {}", text::join(choices, " or "));
}

void judge_slices(const Facts& facts, Sink& sink) {
  if (facts.machine == nullptr || !facts.multislice()) return;
  const schema::Integer& claim = facts.claims.tpu.slices;
  if (!facts.generation->multislice) {
    sink.report<Code::NoMultislice>(claim, fmt::format("{} slices", facts.generation->id));
  } else if (!facts.multi_host() && !facts.has_pathways()) {
    sink.report<Code::NoMultislice>(claim, "single-host slices")
        .note("{} on {} is one host", facts.topology->text(), facts.machine->name)
        .help("write `kind: job` for independent workers{}, or choose a larger topology",
              facts.claims.workload.max_restarts.where.given ? ", and remove `maxRestarts`" : "");
  }
}

// `ct5e-standard-4`, `tpu7x-standard-4`: a machine with TPUs, as far as the name tells.
bool is_tpu_machine(std::string_view name) {
  return name.starts_with("tpu") ||
         (name.starts_with("ct") && name.size() > 2 && ascii::is_digit(name[2]));
}

void judge_found_machine(const Facts& facts, Sink& sink) {
  const Text& claim = facts.claims.tpu.machine_type;
  if (facts.generation != nullptr) return judge_claimed_machine(facts, sink);
  const bool has_topology = facts.claims.tpu.topology.where.given;
  if (claim.usable() && !facts.claims.tpu.type.where.given &&
      (has_topology || is_tpu_machine(claim.value)))
    report_no_machine(facts, sink);
}

// `topology: 2x4` and `machineType: …`, for each machine type where several form the slice.
std::string slice_choice(const Generation& generation, const Topology& topology) {
  std::vector<std::string> choices;
  for (std::string_view name : public_names(generation, topology))
    choices.push_back(fmt::format("`topology: {}` and `machineType: {}`", topology.text(), name));
  return choices.size() > 1 ? text::join(choices, ", or ")
                            : fmt::format("`topology: {}`", topology.text());
}

// A number of chips in place of the topology. An example of another number would be taken for it.
void explain_chips(const yaml::Node& tpu, const Catalog& catalog, Sink& sink) {
  const yaml::Node *chips = tpu.find("chips"), *type = tpu.find("type");
  if (chips == nullptr || tpu.find("topology") != nullptr) return;
  for (const yaml::Member& member : tpu.members) {
    if (member.key.text != "chips") continue;
    Diagnostic* finding = sink.find(Code::UnknownField, member.key.span);
    if (finding == nullptr) return;
    finding->helps.clear();
    const auto count = text::whole_number(chips->text);
    const Generation* generation = type == nullptr ? nullptr : find_generation(catalog, type->text);
    const auto shape =
        count && generation != nullptr ? topology_of_chips(*generation, *count) : std::nullopt;
    if (shape) {
      finding->note("the slice is {}", with_hosts(*generation, *shape));
      finding->help("write in its place {}", slice_choice(*generation, *shape));
    } else {
      finding->help("write a `topology`: `flexslice catalog{}{}` lists the slices",
                    generation != nullptr ? fmt::format(" --type {}", generation->id) : "",
                    count && generation == nullptr ? fmt::format(" --chips {}", *count) : "");
    }
  }
  const std::string missing[] = {"tpu.topology"};
  for (Diagnostic& finding : sink.take()) {
    if (finding.message == diag::message(Code::MissingField, missing)) finding.helps.clear();
    sink.add(std::move(finding));
  }
}

void judge_container_numbers(const Facts& facts, Sink& sink) {
  const schema::Integer& claim = facts.claims.workload.containers_per_pod;
  const MachineType* machine = facts.machine;
  if (!claim.usable() || machine == nullptr || resolve::can_share(*machine, claim.value)) return;
  Diagnostic& finding =
      sink.report<Code::ContainersOfHost>(claim, claim.value, machine->name)
          .note("{} has {}, for at most {}", machine->name, text::count(machine->chips, "chip"),
                text::count(machine->max_containers, "container"));
  std::vector<std::string_view> others;
  for (const Generation& generation : facts.catalog.generations) {
    for (const MachineType& other : generation.machine_types) {
      if (is_public(other) && resolve::can_share(other, claim.value)) others.push_back(other.name);
    }
  }
  finding.help(
      "remove it{}",
      others.empty() ? "" : fmt::format("; {} allows {}", text::join(others, " or "), claim.value));
}

}  // namespace

bool report_core_count(const Facts& facts, const Text& claim, Sink& sink) {
  const auto core_name = find_core_name(facts.catalog, claim.value);
  if (!core_name) return false;
  const auto& [generation, count, per_chip] = *core_name;
  const bool cores = generation->core_names_count_cores;
  Diagnostic& finding =
      sink.report<Code::CoreCountName>(claim, claim.value, cores ? "TensorCores" : "chips");
  if (count % per_chip != 0 || count == 0) return true;
  const auto chips = count / per_chip;
  if (cores) {
    finding.note("{} TensorCores / {} per chip = {}", count, per_chip, text::count(chips, "chip"));
  } else {
    finding.note("`{}` means {}", claim.value, text::count(chips, "chip"));
  }
  const auto shape = topology_of_chips(*generation, chips);
  if (!shape) {
    finding.help("write `type: {}` and a `topology`", generation->id);
    return true;
  }
  finding.note("the slice is {}", with_hosts(*generation, *shape));
  const std::string_view label = claim.where.label;
  if (label.starts_with("--")) {
    finding.help("write `{}={}`", label, shape->text());
    return true;
  }
  if (!label.empty()) {
    finding.help("write {}: {} and {}: {}", accelerator_label,
                 generation->machine_types[0].accelerator, topology_label, shape->text());
    return true;
  }
  const auto names = public_names(*generation, *shape);
  finding.help("write `type: {}` and `topology: {}`{}", generation->id, shape->text(),
               names.size() > 1 ? fmt::format(", with `machineType: {}`",
                                              text::join(names, "` or `machineType: "))
                                : "");
  return true;
}

void explain_devices(const yaml::Node& spec, const Catalog& catalog, Sink& sink) {
  const auto explain = [&](Diagnostic* finding, const yaml::Node& value, std::string_view where) {
    const auto device = find_device(catalog, value.text);
    if (finding == nullptr || !device || !device->topology) return;
    const Generation& generation = *device->generation;
    finding->note("`{}` is a device type: {}", value.text,
                  with_hosts(generation, *device->topology));
    finding->helps.clear();
    finding->help("write `tpu: {{type: {}, topology: {}}}`{}", generation.id,
                  device->topology->text(), where);
  };
  for (const yaml::Member& member : spec.members)
    explain(sink.find(Code::UnknownField, member.key.span), member.value, " in its place");
  const yaml::Node* tpu = spec.find("tpu");
  if (tpu == nullptr) return;
  explain(sink.find(Code::WrongType, tpu->span), *tpu, "");
  explain_chips(*tpu, catalog, sink);
}

Rules found_tpu_rules() {
  static constexpr Rule rules[] = {judge_topology, judge_found_machine};
  return rules;
}

Rules tpu_rules() {
  static constexpr Rule rules[] = {judge_generation,       judge_topology, judge_claimed_machine,
                                   judge_fitting_machines, judge_slices,   judge_container_numbers};
  return rules;
}

}  // namespace flexslice::rules
