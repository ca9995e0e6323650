#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "catalog/catalog.hpp"
#include "catalog/command_table.hpp"

namespace flexslice::catalog {

namespace {

// `528.0.0` as a number of three parts; unreadable ones are 0.
Version gcloud_version(std::string_view text) { return parse_version(text).value_or(Version{}); }

const GcloudCommand* find_command(const Catalog& catalog, std::string_view name) {
  return named(catalog.gcloud.commands, &GcloudCommand::name, name);
}

bool is_later(const GcloudCommand* command, std::string_view flag, std::string_view version) {
  const GcloudFlag* later =
      command == nullptr ? nullptr : named(command->later, &GcloudFlag::name, flag);
  return later != nullptr && !later->since.empty() &&
         gcloud_version(later->since) <= gcloud_version(version);
}

// A name such as `beta quotas info describe` may begin with its track.
NamedCommand named_command(std::string_view path) {
  return CommandTable::built_in().find(text::split(path, ' '));
}

// The flags that this version of gcloud knows, without those that it hides.
std::vector<std::string_view> flags_of(const Catalog& catalog, std::string_view command,
                                       std::string_view version) {
  std::vector<std::string_view> flags;
  for (const FlagRow* row : CommandTable::built_in().syntax(named_command(command)).flags) {
    if (!row->has('h')) flags.push_back(row->name());
  }
  const GcloudCommand* known = find_command(catalog, command);
  if (known == nullptr) return flags;
  for (const GcloudFlag& flag : known->later) {
    if (is_later(known, flag.name, version)) flags.push_back(flag.name);
  }
  return flags;
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

std::optional<Version> parse_version(std::string_view text) {
  Version version;
  std::size_t count = 0;
  for (std::size_t end = 0; end != std::string_view::npos; ++count) {
    if (count == version.parts.size()) return std::nullopt;
    const std::string_view separator = count < 2 ? "." : "-gke.";
    end = text.find(separator);
    const std::optional<std::int64_t> number = text::whole_number(text.substr(0, end));
    if (!number) return std::nullopt;
    version.parts[count] = *number;
    if (end != std::string_view::npos) text.remove_prefix(end + separator.size());
  }
  return count < 2 ? std::nullopt : std::optional(version);
}

const Generation* find_generation(const Catalog& catalog, std::string_view text) {
  const Generation* by_id = named(catalog.generations, &Generation::id, text);
  if (by_id != nullptr) return by_id;
  return find_where(catalog.generations, [&](const Generation& generation) {
    return named(generation.machine_types, &MachineType::accelerator, text) != nullptr;
  });
}

const Generation* generation_of_label(const Catalog& catalog, std::string_view value) {
  const Generation* generation = find_generation(catalog, value);
  return generation != nullptr && generation->id != value ? generation : nullptr;
}

const Generation* generation_of_machine_type(const Catalog& catalog, std::string_view name) {
  return find_where(catalog.generations, [&](const Generation& generation) {
    return find_machine_type(generation, name) != nullptr;
  });
}

bool has_release(const ControllerMinimum& minimum, std::string_view release) {
  const auto stated = parse_version(release);
  if (!stated || minimum.versions.empty()) return true;
  const bool names_patch = std::ranges::count(release, '.') > 1;
  std::optional<Version> last;
  for (std::string_view each : minimum.versions) {
    last = parse_version(each);
    if (last && last->parts[0] == stated->parts[0] && last->parts[1] == stated->parts[1])
      return !names_patch || *stated >= *last;
  }
  return !last || *stated > *last;
}

std::string versions_text(const ControllerMinimum& minimum) {
  return fmt::format("{} or later", text::join(minimum.versions, ", "));
}

const Price* find_price(const Catalog& catalog, std::string_view generation,
                        std::string_view region, std::string_view model) {
  return find_where(catalog.prices, [&](const Price& price) {
    return price.generation == generation && contains(price.regions, region) &&
           contains(price.models, model);
  });
}

const OrdinaryPrice* find_ordinary_price(const Catalog& catalog, std::string_view machine,
                                         std::string_view region) {
  return find_where(catalog.ordinary_prices, [&](const OrdinaryPrice& price) {
    return price.machine == machine && contains(price.regions, region);
  });
}

std::optional<std::int64_t> parse_dollars(std::string_view text) {
  constexpr std::size_t digits = 6, most = 12;
  const std::size_t dot = std::min(text.find('.'), text.size());
  std::string number(text.substr(0, dot));
  std::string part(text.substr(std::min(dot + 1, text.size())));
  if (number.empty() || part.size() > digits || (dot < text.size() && part.empty()))
    return std::nullopt;
  part.resize(digits, '0');
  number += part;
  return number.size() > most + digits ? std::nullopt : text::whole_number(number);
}

std::string dollars_text(std::int64_t millionths) {
  constexpr std::int64_t cent = 10'000, cents = 100;
  const std::int64_t rounded = (millionths + cent / 2) / cent;
  return fmt::format("${}.{:02}", rounded / cents, rounded % cents);
}

const Support* find_support(const Model& model, std::string_view generation) {
  return find_where(model.supports, [&](const Support& support) {
    return contains(support.generations, generation);
  });
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

std::optional<Device> find_device(const Catalog& catalog, std::string_view name) {
  for (const Generation& generation : catalog.generations) {
    const int per_chip = generation.core_names_count_cores ? generation.cores_per_chip : 1;
    for (std::string_view prefix : generation.core_names) {
      if (!name.starts_with(prefix)) continue;
      Device device{&generation, prefix};
      if (const auto count = text::whole_number(name.substr(prefix.size()))) {
        if (*count % per_chip == 0) device.chips = *count / per_chip;
        device.topology = topology_of_chips(generation, device.chips);
        return device;
      }
      const auto shape = parse_topology(name.substr(prefix.size()));
      if (!shape) continue;
      device.has_shape = true;
      device.chips = shape->chips();
      const bool is_sorted = generation.wiring == Wiring::torus;
      const Topology ordered =
          is_sorted && shape->dimensions == generation.dimensions ? sorted(*shape) : *shape;
      if (!machine_types_for(generation, ordered).empty()) device.topology = ordered;
      return device;
    }
  }
  return std::nullopt;
}

std::vector<std::string> devices_near(const Device& device) {
  const Generation& generation = *device.generation;
  const int per_chip = generation.core_names_count_cores ? generation.cores_per_chip : 1;
  std::int64_t below = 0, above = 0;
  for (const Topology& shape : topologies_of_type(generation, generation.id)) {
    const std::int64_t chips = shape.chips();
    if (chips <= device.chips) below = std::max(below, chips);
    if (chips > device.chips && (above == 0 || chips < above)) above = chips;
  }
  std::vector<std::string> names;
  for (const std::int64_t chips : {below, above}) {
    if (chips > 0) names.push_back(fmt::format("{}{}", device.prefix, chips * per_chip));
  }
  return names;
}

const Mistake* find_mistake(const Catalog& catalog, std::string_view name) {
  const std::string wanted = text::lower(name);
  return find_where(catalog.mistakes,
                    [&](const Mistake& mistake) { return text::lower(mistake.name) == wanted; });
}

std::vector<std::string> names(const Catalog& catalog, NameSet set) {
  std::vector<std::string> names;
  const auto add = [&](std::string name) {
    if (std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  };
  for (const Generation& generation : catalog.generations) {
    if (set == NameSet::generations) add(std::string(generation.id));
    for (const MachineType& machine : generation.machine_types) {
      if (set == NameSet::machine_types && machine.status == Status::published)
        add(std::string(machine.name));
    }
    for (const Zone& zone : generation.zones) {
      if (set == NameSet::zones) add(std::string(zone.name));
    }
    if (set != NameSet::topologies) continue;
    for (const Topology& topology : topologies(generation)) add(topology.text());
  }
  for (const Model& model : catalog.models) {
    if (set == NameSet::models) add(std::string(model.name));
  }
  for (const Source& source : catalog.sources) {
    if (set == NameSet::sources) add(std::string(source.id));
  }
  return names;
}

bool gcloud_knows(const Catalog& catalog, std::string_view command, std::string_view flag,
                  std::string_view version) {
  const CommandTable& table = CommandTable::built_in();
  if (version.empty()) version = catalog.gcloud.version;
  if (is_later(find_command(catalog, command), flag, version)) return true;
  const NamedCommand found = named_command(command);
  return found.is_command() && gcloud_version(table.version()) <= gcloud_version(version) &&
         table.syntax(found).find(flag) != nullptr;
}

bool knows_later_flags(const Catalog& catalog, std::string_view command) {
  const GcloudCommand* known = find_command(catalog, command);
  return known != nullptr && known->later.size() > 0;
}

const GcloudFlag* find_later_flag(const Catalog& catalog, std::string_view command,
                                  std::string_view flag) {
  const GcloudCommand* known = find_command(catalog, command);
  return known == nullptr ? nullptr : named(known->later, &GcloudFlag::name, flag);
}

void explain_unknown_flag(const Catalog& catalog, std::string_view command, std::string_view flag,
                          std::string_view version, diag::Diagnostic& finding) {
  if (const GcloudFlag* later = find_later_flag(catalog, command, flag)) {
    if (!later->since.empty()) finding.note("available since gcloud {}", later->since);
  } else if (const Mistake* meant = named(catalog.gcloud.mistaken_flags, &Mistake::name, flag)) {
    finding.note(std::string(meant->why)).help("write `{}`", meant->instead);
  } else {
    diag::did_you_mean(finding, flag, flags_of(catalog, command, version));
  }
}

std::string citation(const Evidence& evidence) {
  std::string sources = text::join(evidence.sources, ", ");
  if (sources.empty()) sources = "no source";
  const std::string_view confidence = word(evidence.confidence);
  if (evidence.as_of.empty()) return fmt::format("{} ({})", sources, confidence);
  return fmt::format("{} ({}, {})", sources, confidence, evidence.as_of);
}

const OldVersion* find_old_version(const Catalog& catalog, std::string_view version,
                                   std::string_view kind) {
  const OldVersion* of_kind = find_where(catalog.old_versions, [&](const OldVersion& row) {
    const std::string_view name = row.version;
    return name.size() == version.size() + 1 + kind.size() && name.starts_with(version) &&
           name.ends_with(kind);
  });
  return of_kind == nullptr ? named(catalog.old_versions, &OldVersion::version, version) : of_kind;
}

const ServedApi* find_served_api(const Catalog& catalog, std::string_view version) {
  return named(catalog.served_apis, &ServedApi::version, version);
}

bool is_before(std::string_view stated, std::string_view release) {
  auto version = parse_version(stated);
  const auto other = parse_version(release);
  if (!version || !other) return false;
  if (std::ranges::count(stated, '.') < 2) version->parts[2] = INT64_MAX;
  return *version < *other;
}

const Controller* controller_by_word(const Catalog& catalog, std::string_view word) {
  return word.empty() ? nullptr : named(catalog.controllers, &Controller::word, word);
}

std::optional<bool> has_fault(const KubernetesFault& fault, std::string_view version) {
  const auto stated = parse_version(version), since = parse_version(fault.since);
  if (!stated || !since) return std::nullopt;
  if (*stated < *since) return false;
  const bool names_patch = std::ranges::count(version, '.') > 1;
  std::optional<Version> last;
  for (std::string_view each : fault.fixed) {
    last = parse_version(each);
    if (!last || last->parts[0] != stated->parts[0] || last->parts[1] != stated->parts[1]) continue;
    return names_patch ? std::optional(*stated < *last) : std::nullopt;
  }
  return !last || *stated < *last;
}

const Reserved* find_reserved(List<Reserved> reserved, std::string_view name) {
  return find_where(reserved, [&](const Reserved& row) {
    const std::string_view pattern = row.name;
    return pattern.ends_with('*') ? name.starts_with(pattern.substr(0, pattern.size() - 1))
                                  : name == pattern;
  });
}

}  // namespace flexslice::catalog
