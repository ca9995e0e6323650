#include "rules/programs.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "resolve/requests.hpp"
#include "rules/object_rules.hpp"
#include "rules/servers.hpp"
#include "schema/placeholder.hpp"
#include "spec/derived_keys.hpp"

namespace flexslice::rules {

namespace {

std::int64_t chips_of(const Node& pod) {
  const resolve::Requests requests = resolve::pod_requests(pod);
  const auto own = requests.find(spec::tpu_resource);
  return own == requests.end() ? 0 : static_cast<std::int64_t>(own->second.nano / Quantity::unit);
}

std::int64_t number_at_or(const Node* node, std::int64_t otherwise) {
  return node == nullptr ? otherwise : text::whole_number(node->text).value_or(0);
}

const Generation* generation_of(const Node& pod, const Catalog& catalog) {
  const Node* label = pod.at({"nodeSelector", accelerator_label});
  return label == nullptr ? nullptr : find_generation(catalog, label->text);
}

Devices devices_of(const PodTree& pod) {
  const Generation* generation = pod.facts.generation;
  std::int64_t chips = chips_of(pod.spec);
  const Node* spec = pod.object == nullptr ? nullptr : pod.object->find("spec");
  const Node* group = spec == nullptr ? nullptr : spec->find("leaderWorkerTemplate");
  std::int64_t hosts = pod.facts.hosts;
  if (group != nullptr) {
    const Node *workers = group->at({"workerTemplate", "spec"}),
               *leader = group->at({"leaderTemplate", "spec"});
    const std::int64_t size = number_at_or(group->find("size"), 1);
    if (workers == nullptr || size == 0) return {};
    if (generation == nullptr) generation = generation_of(*workers, pod.facts.catalog);
    chips = leader == nullptr ? size * chips_of(*workers)
                              : chips_of(*leader) + (size - 1) * chips_of(*workers);
    hosts = leader == nullptr || chips_of(*leader) > 0 ? size : size - 1;
  }
  if (generation == nullptr) return {};
  std::string shape;
  const auto take = [&](const std::optional<Topology>& topology) {
    if (!topology || topology->chips() <= chips) return;
    chips = topology->chips();
    shape = topology->text();
  };
  take(pod.facts.topology);
  const Node* of_slice = pod.metadata == nullptr
                             ? nullptr
                             : pod.metadata->at({"annotations", resolve::slice_annotation});
  if (of_slice != nullptr) take(parse_topology(of_slice->text));
  // If pods have no topology, others may be of the same slice.
  const bool is_alone = pod.facts.topology || of_slice != nullptr || group != nullptr;
  if (chips == 0 || !is_alone) return {};
  if (shape.empty()) shape = text::count(chips, "chip");
  // Slices that several Jobs form may be one for the server.
  std::int64_t jobs = 0;
  if (spec != nullptr) {
    for (const Node& job : items(*spec, "replicatedJobs")) {
      const Node* pods = job.at({"template", "spec", "template", "spec"});
      if (pods != nullptr && pods->find("containers") != nullptr && chips_of(*pods) == 0) continue;
      const std::int64_t replicas = number_at_or(job.find("replicas"), 1);
      if (replicas == 0) return {};
      jobs += replicas;
    }
  }
  // Replicas and workers serve or train by themselves. What runs on a Ray cluster may use all of
  // it.
  const spec::WorkloadKind* kind = pod.facts.kind;
  const bool is_joined = kind == nullptr || kind->ray || pod.facts.multislice();
  const std::int64_t slices = std::max({jobs, is_joined ? pod.facts.slices : 1, std::int64_t{1}});
  const std::int64_t per_chip = generation->devices_per_chip;
  return {.count = chips * per_chip * slices,
          .slices = slices,
          .hosts = slices > 1 ? 0 : hosts,
          .alone = is_joined ? 1 : pod.facts.slices,
          .text = fmt::format("{}{} of {}{}", slices > 1 ? fmt::format("{} × ", slices) : "", shape,
                              generation->id,
                              per_chip > 1 ? fmt::format(", {} devices a chip", per_chip) : ""),
          .is_of_spec = !pod.field.empty()};
}

// The value of `$(NAME)`, `$NAME` or `${NAME}`; the word itself where it is none of them. One of
// another file is placed where it is used.
ProgramWord expanded(const Program& program, const ProgramWord& word) {
  std::string_view name = word.text;
  if (!name.starts_with('$')) return word;
  name.remove_prefix(1);
  if (name.size() > 1 && (name.front() == '(' || name.front() == '{'))
    name = name.substr(1, name.size() - 2);
  const auto value = program.variables.find(name);
  if (value == program.variables.end()) return word;
  return {value->second.text, value->second.where == Span{} ? word.where : value->second.where};
}

struct FlagValue {
  std::string name;
  ProgramWord value;
};

// Flags with a value, `--flag value`, `--flag=value` and `key=value`; the last of several counts.
std::vector<FlagValue> flag_values(const Program& program) {
  std::vector<FlagValue> all;
  const std::string_view prefix = program.server->variable_prefix;
  for (const auto& [name, value] : program.variables) {
    if (!prefix.empty() && name.starts_with(prefix))
      all.push_back({text::lower(name.substr(prefix.size())), value});
  }
  for (std::size_t i = 0; i < program.words.size(); ++i) {
    const ProgramWord& word = program.words[i];
    const std::size_t equals = word.text.find('=');
    const bool is_flag = word.text.starts_with('-');
    if (!is_flag && equals == std::string::npos) continue;
    std::string name = word.text.substr(0, equals);
    if (is_flag && name.starts_with("--") &&
        any_of(program.server->flags, [](const ProgramFlag& flag) {
          return flag.name.find('-', 2) != std::string_view::npos;
        }))
      std::replace(name.begin(), name.end(), '_', '-');
    ProgramWord value = word;
    if (equals != std::string::npos)
      value.text = word.text.substr(equals + 1);
    else if (i + 1 < program.words.size())
      value = program.words[i + 1];
    else
      continue;
    all.push_back({std::move(name), expanded(program, value)});
  }
  return all;
}

const ProgramFlag* flag_row(const Server& server, std::string_view name) {
  return find_where(server.flags, [&](const ProgramFlag& flag) {
    return matches_words(name, flag.name) || flag.short_name == name;
  });
}

struct Division {
  std::map<std::string, std::int64_t, std::less<>> product;  // by what the flag is
  std::map<std::string, Span, std::less<>> places;  // of the last that divides, by the same
  Span where;                                       // of the last of all
  bool is_open = false;                             // some value is not known, or the program's own
  bool is_apart = false;
  std::vector<std::string> seen;

  std::int64_t of(std::string_view part) const {
    const auto found = product.find(part);
    return found == product.end() ? 1 : found->second;
  }
};

Division division_of(const Program& program) {
  Division division;
  std::map<std::string, std::pair<std::string, ProgramWord>> last;  // by flag
  std::vector<std::string> order;
  for (const ProgramWord& word : program.words) {
    const std::string_view name = std::string_view(word.text).substr(0, word.text.find('='));
    division.is_apart |= contains(program.server->apart, name);
  }
  for (const FlagValue& flag : flag_values(program)) {
    const ProgramFlag* row = flag_row(*program.server, flag.name);
    if (row == nullptr) continue;
    // The name of the row, so that the short name of a flag is the same one.
    std::string name(row->name);
    if (name.find('*') != std::string::npos) name = flag.name;
    if (!last.contains(name)) order.push_back(name);
    last[name] = {std::string(row->is), flag.value};
  }
  for (const std::string& name : order) {
    const auto& [part, value] = last[name];
    division.seen.push_back(name);
    const auto number = text::whole_number(value.text);
    // One that is not known counts as one.
    if (!number || *number < 1 || *number > 100'000) {
      division.is_open = true;
      continue;
    }
    auto& product = division.product.try_emplace(part, 1).first->second;
    product *= *number;
    if (*number > 1) division.where = value.where;
    if (*number > 1 || !division.places.contains(part)) division.places[part] = value.where;
  }
  return division;
}

// All devices of a slice, and all slices, are used where the program divides its work by name.
void judge_parts(const Program& program, const Division& division, Sink& sink) {
  const struct {
    std::string_view part;
    std::int64_t has;
    std::string_view what, rule;
  } parts[] = {{"slice", program.devices.count / program.devices.slices, "device",
                "the product of `ici_*` must {} {}"},
               {"slices", program.devices.slices, "slice", "the product of `dcn_*` must {} {}"},
               {"hosts", program.devices.hosts, "host", "it must {} told {}"}};
  for (const auto& [part, has, what, rule] : parts) {
    const std::int64_t used = division.of(part);
    // Hosts that are each told to be the only one may well run apart.
    const bool is_alone = part == "hosts" && used == 1;
    if (!division.product.contains(part) || is_alone || has == 0) continue;
    // One of the flags takes what the others leave.
    bool takes_rest = part != "hosts" && division.is_open;
    for (std::string_view flag : program.server->rest)
      takes_rest |= flag_row(*program.server, flag)->is == part && !contains(division.seen, flag);
    if (takes_rest ? has % used == 0 : has == used) continue;
    sink.report<Code::ParallelAboveDevices>(division.places.find(part)->second,
                                            program.server->name, text::count(used, what), has)
        .note(fmt::format(fmt::runtime(rule), takes_rest ? "divide" : "be", text::count(has, what)))
        .note("{}: {}", program.devices.text, text::count(program.devices.count, "device"));
  }
}

}  // namespace

void add_words(const Node& text, std::vector<ProgramWord>& words) {
  const std::string_view all = text.text;
  if (std::ranges::none_of(all, ascii::is_space)) {
    words.push_back({text.text, text.span});
    return;
  }
  for (std::string_view line : text::split(all, '\n')) {
    std::string word;
    const auto end = [&] {
      if (!word.empty()) words.push_back({word, text.span});
      word.clear();
    };
    for (const char c : line) {
      if (c == '#' && word.empty()) break;
      if (ascii::is_space(c) || c == '\\' || c == '"' || c == '\'' || c == ';') {
        end();
      } else {
        word += c;
      }
    }
    end();
  }
}

std::optional<Program> program_in(const PodTree& pod, const Node& container) {
  auto running = running_server(container, pod.facts.catalog, ServerUse::devices);
  if (!running) return std::nullopt;
  Program program{.server = running->server, .words = std::move(running->words)};
  for (const Node& variable : items(container, "env")) {
    const Node *name = variable.find("name"), *value = variable.find("value");
    if (name != nullptr && value != nullptr)
      program.variables[name->text] = {value->text, value->span};
    const Node* key = variable.at({"valueFrom", "configMapKeyRef", "key"});
    const Node* from = variable.at({"valueFrom", "configMapKeyRef", "name"});
    if (name != nullptr && key != nullptr && from != nullptr)
      program.config.push_back({from->text, key->text, name->text});
  }
  for (const Node& source : items(container, "envFrom")) {
    if (const Node* from = source.at({"configMapRef", "name"}))
      program.config.push_back({from->text});
  }
  // A script sets variables for itself.
  for (const ProgramWord& word : program.words) {
    const std::size_t equals = word.text.find('=');
    if (equals != std::string::npos && equals > 0 &&
        std::ranges::all_of(word.text.substr(0, equals), [](char c) {
          return c == '_' || ascii::is_upper(c) || ascii::is_digit(c);
        }))
      program.variables[word.text.substr(0, equals)] = {word.text.substr(equals + 1), word.where};
  }
  program.name_space = pod.name_space;
  program.devices = devices_of(pod);
  return program;
}

bool judge_devices(const Program& program, Sink& sink) {
  const Division division = division_of(program);
  const Devices& devices = program.devices;
  if (division.seen.empty() || devices.count == 0) return !division.is_open;
  judge_parts(program, division, sink);
  const std::int64_t local = division.of("local");
  const std::int64_t data = local > 1 ? local : division.is_apart ? 1 : division.of("data");
  const std::int64_t tensor = division.of("tensor"), pipeline = division.of("pipeline");
  const std::int64_t needed = tensor * pipeline * data;
  if (needed < 2 || needed <= devices.count) return !division.is_open;
  if (sink.find(Code::ParallelAboveDevices, division.where) != nullptr) return true;
  Diagnostic& finding = sink.report<Code::ParallelAboveDevices>(
      division.where, program.server->name, text::count(needed, "device"), devices.count);
  finding.note("tensor {} × pipeline {} × data {} = {}", tensor, pipeline, data, needed);
  finding.note("{}: {}", devices.text, text::count(devices.count, "device"));
  if (devices.alone > 1) finding.note("each slice runs it by itself, on its own devices");
  const std::string larger = fmt::format("a `tpu.topology` with {} devices", needed);
  if (needed == tensor)
    finding.help("write `{}={}`{}", program.server->flags.front().name, devices.count,
                 devices.is_of_spec ? ", or " + larger : "");
  else if (devices.is_of_spec)
    finding.help("write " + larger);
  return true;
}

bool add_config(Program& program, std::string_view config_map, std::string_view name_space,
                const Values& values) {
  if (!name_space.empty() && !program.name_space.empty() && name_space != program.name_space)
    return false;
  bool is_used = false;
  for (const ConfigUse& use : program.config) {
    if (use.map != config_map) continue;
    is_used = true;
    for (const auto& [key, value] : values) {
      if (use.key.empty() || use.key == key)
        program.variables.try_emplace(use.key.empty() ? key : use.variable, value);
    }
  }
  return is_used;
}

void judge_image(const Node& container, const Catalog& catalog, Sink& sink) {
  const Node* image = container.find("image");
  if (!is_literal(image) || schema::is_placeholder(image->text)) return;
  const std::string text = text::lower(image->text);
  const std::size_t colon = text.rfind(':');
  const bool has_tag = colon != text.npos && text.find('/', colon) == text.npos;
  const std::string_view name = std::string_view(text).substr(0, has_tag ? colon : text.npos);
  const std::string_view tag = has_tag ? std::string_view(text).substr(colon + 1) : "";
  const bool says_tpu = name.find("tpu") != name.npos && !name.ends_with("/gpu");
  if (says_tpu || tag.find("tpu") != tag.npos) return;
  std::string_view instead;
  bool is_for_gpus = false;
  for (const Mistake& row : catalog.gpu_images) {
    const std::size_t at = name.find(row.name);
    if (at == name.npos || (at > 0 && name[at - 1] != '/')) continue;
    // The whole name, or all of a repository: `sglang` is not `sglang-jax`.
    const std::string_view rest = name.substr(at + row.name.size());
    if (!row.name.ends_with('/') && !rest.empty() && rest[0] != '@') continue;
    is_for_gpus = true;
    instead = row.instead;
  }
  for (std::string_view part : text::split(tag, '-')) {
    is_for_gpus |= part.starts_with("cuda") || contains(catalog.gpu_tags, part);
  }
  if (!is_for_gpus) return;
  Diagnostic& finding = sink.report<Code::ImageForGpus>(image->span, image->text);
  if (!instead.empty()) finding.help("use an image for TPUs, such as `{}`", instead);
}

}  // namespace flexslice::rules
