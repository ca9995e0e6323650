#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

#include "base/text.hpp"
#include "catalog/catalog.hpp"

namespace flexslice::catalog {

namespace {

template <class T, class Is>
const T* first(const std::vector<T>& things, Is is) {
  for (const T& thing : things) {
    if (is(thing)) return &thing;
  }
  return nullptr;
}

// `528.0.0` as a number of three parts; unreadable ones are 0.
Version gcloud_version(std::string_view text) { return parse_version(text).value_or(Version{}); }

const GcloudCommand* find_command(const Catalog& catalog, std::string_view name) {
  return first(catalog.gcloud_commands,
               [&](const GcloudCommand& command) { return command.name == name; });
}

bool command_knows(const GcloudCommand* command, std::string_view flag, std::string_view version) {
  if (command == nullptr) return false;
  if (gcloud_version(command->since) <= gcloud_version(version) && has_word(command->flags, flag))
    return true;
  const GcloudFlag* later =
      first(command->later, [&](const GcloudFlag& each) { return each.name == flag; });
  return later != nullptr && !later->since.empty() &&
         gcloud_version(later->since) <= gcloud_version(version);
}

}  // namespace

bool has_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const std::size_t end = words.find(' ');
    if (words.substr(0, end) == word) return true;
    if (end == std::string_view::npos) break;
    words.remove_prefix(end + 1);
  }
  return false;
}

bool Texts::contains(std::string_view text) const {
  for (std::string_view each : *this) {
    if (each == text) return true;
  }
  return false;
}

std::vector<std::string_view> Texts::list() const {
  std::vector<std::string_view> list;
  for (std::string_view each : *this) list.push_back(each);
  return list;
}

std::optional<Version> parse_version(std::string_view text) {
  constexpr std::string_view patch_mark = "-gke.";
  Version version;
  const std::size_t mark = text.find(patch_mark);
  const bool has_patch = mark != std::string_view::npos;
  std::string_view rest = text.substr(0, mark);
  std::size_t count = 0;
  for (bool more = true; more; ++count) {
    const std::size_t dot = rest.find('.');
    more = dot != std::string_view::npos;
    const std::optional<std::int64_t> number = text::whole_number(rest.substr(0, dot));
    if (!number || count == 3) return std::nullopt;
    version.parts[count] = *number;
    if (more) rest.remove_prefix(dot + 1);
  }
  if (count < 2 || (has_patch && count != 3)) return std::nullopt;
  if (!has_patch) return version;
  const std::optional<std::int64_t> patch =
      text::whole_number(text.substr(mark + patch_mark.size()));
  if (!patch) return std::nullopt;
  version.parts[3] = *patch;
  return version;
}

const Generation* find_generation(const Catalog& catalog, std::string_view text) {
  const Generation* by_id = first(
      catalog.generations, [&](const Generation& generation) { return generation.id == text; });
  if (by_id != nullptr) return by_id;
  return first(catalog.generations, [&](const Generation& generation) {
    return first(generation.machine_types, [&](const MachineType& machine) {
             return machine.accelerator == text;
           }) != nullptr;
  });
}

const MachineType* find_machine_type(const Generation& generation, std::string_view name) {
  return first(generation.machine_types,
               [&](const MachineType& machine) { return machine.name == name; });
}

const Generation* generation_of_machine_type(const Catalog& catalog, std::string_view name) {
  return first(catalog.generations, [&](const Generation& generation) {
    return find_machine_type(generation, name) != nullptr;
  });
}

const Model* find_model(const Catalog& catalog, std::string_view name) {
  return first(catalog.models, [&](const Model& model) { return model.name == name; });
}

const Feature* find_feature(const Catalog& catalog, std::string_view name) {
  return first(catalog.features, [&](const Feature& feature) { return feature.name == name; });
}

const Controller* find_controller(const Catalog& catalog, std::string_view name) {
  return first(catalog.controllers,
               [&](const Controller& controller) { return controller.name == name; });
}

std::string versions_text(const ControllerMinimum& minimum) {
  return fmt::format("{} or later", text::join(minimum.versions.list(), ", "));
}

const Minimum* find_minimum(const std::vector<Minimum>& minimums, std::string_view mode) {
  return first(minimums, [&](const Minimum& minimum) { return minimum.mode == mode; });
}

const Zone* find_zone(const Generation& generation, std::string_view name) {
  return first(generation.zones, [&](const Zone& zone) { return zone.name == name; });
}

const Quota* find_quota(const Generation& generation, std::string_view kind) {
  return first(generation.quotas, [&](const Quota& quota) { return quota.kind == kind; });
}

const Support* find_support(const Model& model, std::string_view generation) {
  return first(model.supports,
               [&](const Support& support) { return support.generations.contains(generation); });
}

std::optional<CoreName> find_core_name(const Catalog& catalog, std::string_view name) {
  for (const Generation& generation : catalog.generations) {
    for (std::string_view prefix : generation.core_names) {
      if (!name.starts_with(prefix)) continue;
      if (const auto count = text::whole_number(name.substr(prefix.size())))
        return CoreName{&generation, *count,
                        generation.core_names_count_cores ? generation.cores_per_chip : 1};
    }
  }
  return std::nullopt;
}

const Mistake* find_mistake(const Catalog& catalog, std::string_view name) {
  const std::string wanted = text::lower(name);
  return first(catalog.mistakes,
               [&](const Mistake& mistake) { return text::lower(mistake.name) == wanted; });
}

const Mistake* find_deprecated_label(const Catalog& catalog, std::string_view name) {
  return first(catalog.deprecated_labels, [&](const Mistake& label) { return label.name == name; });
}

const Source* find_source(const Catalog& catalog, std::string_view id) {
  return first(catalog.sources, [&](const Source& source) { return source.id == id; });
}

std::vector<std::string> names(const Catalog& catalog, std::string_view set) {
  std::vector<std::string> names;
  const auto add = [&](std::string name) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  };
  for (const Generation& generation : catalog.generations) {
    if (set == "generations") add(std::string(generation.id));
    for (const MachineType& machine : generation.machine_types) {
      if (set == "machine types" && machine.status == "public") add(std::string(machine.name));
    }
    for (const Zone& zone : generation.zones) {
      if (set == "zones") add(std::string(zone.name));
    }
    if (set != "topologies") continue;
    for (const Topology& topology : topologies(generation)) add(topology.text());
  }
  for (const Model& model : catalog.models) {
    if (set == "models") add(std::string(model.name));
  }
  for (const Source& source : catalog.sources) {
    if (set == "sources") add(std::string(source.id));
  }
  return names;
}

bool gcloud_knows(const Catalog& catalog, std::string_view command, std::string_view flag,
                  std::string_view version) {
  if (version.empty()) version = catalog.gcloud_version;
  return command_knows(find_command(catalog, command), flag, version) ||
         command_knows(find_command(catalog, "*"), flag, version);
}

const GcloudFlag* find_later_flag(const Catalog& catalog, std::string_view command,
                                  std::string_view flag) {
  const GcloudCommand* found = find_command(catalog, command);
  if (found == nullptr) return nullptr;
  return first(found->later, [&](const GcloudFlag& later) { return later.name == flag; });
}

std::string citation(const Evidence& evidence) {
  constexpr std::array words{"low", "medium", "high"};
  std::string sources = text::join(evidence.sources.list(), ", ");
  if (sources.empty()) sources = "no source";
  const std::string_view confidence = words[static_cast<std::size_t>(evidence.confidence)];
  if (evidence.as_of.empty()) return fmt::format("{} ({})", sources, confidence);
  return fmt::format("{} ({}, {})", sources, confidence, evidence.as_of);
}

const Reserved* find_reserved(const std::vector<Reserved>& reserved, std::string_view name) {
  for (const Reserved& each : reserved) {
    const bool open_ended = each.name.ends_with('*');
    if (open_ended ? name.starts_with(each.name.substr(0, each.name.size() - 1))
                   : name == each.name)
      return &each;
  }
  return nullptr;
}

}  // namespace flexslice::catalog
