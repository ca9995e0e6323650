// Commands of launchers, by the table of their flags: what xpk and gcluster refuse, and what has no
// effect.
#include <fmt/core.h>

#include <set>

#include "base/ascii.hpp"
#include "rules/command_rules.hpp"
#include "rules/object_rules.hpp"
#include "view/launch.hpp"

namespace flexslice::rules {

using view::DeviceAnswer;
using view::LaunchClaims;
using view::LaunchFlag;
using yaml::View;

namespace {

void note_launcher_version(const LaunchClaims& launch, Diagnostic& finding) {
  finding.note("{} {} of {} is the version that this is judged by", launch.launcher.key(),
               row_text(launch.launcher, "version"), row_text(launch.launcher, "date"));
}

void judge_launch_quotes(const LaunchClaims& launch, Sink& sink) {
  for (const LaunchFlag& flag : launch.flags) {
    if (flag.is_unfinished) sink.report<Code::QuoteUnfinished>(flag.value, flag.name.value);
  }
}

bool has_unfinished(const LaunchClaims& launch) {
  return any_of(launch.flags, [](const LaunchFlag& flag) { return flag.is_unfinished; });
}

// A flag that is not known may be the one that is missing.
bool is_whole_launch(const LaunchClaims& launch) {
  const auto is_unknown = [](const LaunchFlag& flag) { return !flag.row; };
  return launch.complete && !any_of(launch.flags, is_unknown) && !has_unfinished(launch);
}

void judge_unknown_launch_flag(const LaunchClaims& launch, const LaunchFlag& flag, Sink& sink) {
  const std::string_view name = flag.name.value;
  if ((flag.row && !flag.is_ambiguous) || name.find_first_of("$<>[]{}()|`\"'…") != name.npos)
    return;
  Diagnostic& finding = sink.report<Code::LaunchFlagUnknown>(flag.name, launch.title, name);
  if (flag.is_ambiguous) {
    finding.note("it is the beginning of {}", text::quoted_list(flag.meant));
    return;
  }
  std::vector<std::string_view> names;
  for (const View row : view::flag_rows(launch)) names.push_back(row.key());
  if (text::nearest(name, names)) {
    diag::did_you_mean(finding, name, names);
  } else {
    // A later version may have it.
    finding.level = diag::Level::note;
  }
  note_launcher_version(launch, finding);
}

// The name of `NAME=VALUE`, as shells take it.
bool is_variable(std::string_view pair) {
  const std::string_view name = pair.substr(0, pair.find('='));
  return !name.empty() && !ascii::is_digit(name[0]) && std::ranges::all_of(name, ascii::is_word);
}

// `SOURCE:/PATH`, with a mode after it or without, and with semicolons in newer versions; an empty
// path: it says none.
std::vector<std::pair<std::string_view, std::string_view>> mounts_of(const LaunchFlag& flag) {
  std::vector<std::pair<std::string_view, std::string_view>> mounts;
  const std::string_view value = flag.value.value;
  if (contains(value, ';')) {
    const auto parts = text::split(value, ';');
    mounts.emplace_back(parts[0], parts[1].starts_with('/') ? parts[1] : "");
    return mounts;
  }
  for (std::string_view mount : text::split(value, ',')) {
    if (mount.ends_with(":ro") || mount.ends_with(":rw")) mount.remove_suffix(3);
    const std::size_t colon = std::min(mount.rfind(':'), mount.size());
    const std::string_view path = mount.substr(std::min(colon + 1, mount.size()));
    const bool is_path = colon > 0 && path.starts_with('/') && !path.starts_with("//");
    mounts.emplace_back(is_path ? mount.substr(0, colon) : mount, is_path ? path : "");
  }
  return mounts;
}

void judge_launch_time(const LaunchClaims& launch, const LaunchFlag& flag, Sink& sink) {
  const std::string& value = flag.value.value;
  const auto read = view::launch_seconds(value);
  if (read && read->is_duration) return;
  const std::string why = read ? fmt::format("{} reads it as {}", launch.launcher.key(),
                                             text::count(read->seconds, "second"))
                               : "it is no duration";
  sink.report<Code::LaunchValue>(flag.value, flag.key(), value, why)
      .help("write a duration such as `90s`, `5m` or `1h30m`");
}

void judge_launch_flag(const LaunchClaims& launch, const LaunchFlag& flag, Sink& sink) {
  const Text& value = flag.value;
  if (const auto until = row_text(flag.row, "until"); !until.empty()) {
    Diagnostic& finding =
        sink.report<Code::LaunchFlagRemoved>(flag.name, flag.key(), launch.launcher.key(), until);
    if (const auto instead = row_text(flag.row, "instead"); !instead.empty())
      finding.help("write `{}`", instead);
  }
  if (const auto ignored = row_text(flag.row, "ignored"); !ignored.empty())
    sink.report<Code::LaunchIgnored>(flag.name, flag.key(), ignored).help("remove it");
  const bool is_switch = static_cast<bool>(flag.row.find("switch"));
  if (!value.where.given) {
    if (!is_switch && launch.complete) sink.report<Code::FlagValueMissing>(flag.name, flag.key());
    return;
  }
  if (flag.row.find("variables") && value.value.find_first_of("=$") == std::string::npos)
    sink.report<Code::LaunchValue>(value, flag.key(), value.value, "a variable needs a value")
        .help("write `{}={}=VALUE`", flag.key(), value.value);
  if (!value.usable()) return;
  if (is_switch && !flag.row.find("optional")) {
    sink.report<Code::WrongForm>(value, value.value, flag.key())
        .note("the flag takes no value")
        .help("write `{}`", flag.key());
    return;
  }
  const auto choices = view::words_of(flag.row, "choices");
  if (!choices.empty() && !contains(choices, value.value)) {
    Diagnostic& finding = sink.report<Code::UnknownChoice>(value, flag.key(), value.value);
    diag::did_you_mean(finding, value.value, choices);
    finding.note("valid values: {}", text::quoted_list(choices));
  }
  const auto refuse = [&](std::string_view why) -> Diagnostic& {
    return sink.report<Code::LaunchValue>(value, flag.key(), value.value, why);
  };
  const bool is_time = static_cast<bool>(flag.row.find("seconds"));
  const bool is_number = (flag.row.find("number") && !is_time) || flag.is("slices");
  const std::string_view digits =
      std::string_view(value.value).substr(value.value.starts_with('-'));
  if (is_number && !text::whole_number(digits)) refuse("it is not a whole number");
  if (flag.row.find("numbers") && value.value.find_first_not_of("0123456789,") != std::string::npos)
    refuse("it is a list of whole numbers");
  if (flag.row.find("pairs") && value.value.find('=') == std::string::npos)
    refuse("it is a list of LABEL=VALUE");
  if (flag.row.find("posix") && !is_variable(value.value))
    refuse("names of variables have letters, digits and `_`, and begin with no digit");
  if (is_time) judge_launch_time(launch, flag, sink);
  const auto longest = text::whole_number(row_text(flag.row, "longest"));
  if (longest && static_cast<std::int64_t>(value.value.size()) > *longest) {
    sink.report<Code::LaunchValue>(
        value, flag.key(), value.value,
        fmt::format("it has {} characters, and may have {}", value.value.size(), *longest));
  } else if (flag.is("name")) {
    judge_form(value, flag.key(), schema::Pattern::gke_name, sink);
  }
}

void judge_repeated_flags(const LaunchClaims& launch, Sink& sink) {
  for (const LaunchFlag& flag : launch.flags) {
    if (!flag.row || flag.row.find("repeated")) continue;
    const LaunchFlag* last = launch.find(flag.key());
    if (last == &flag || last->value.value == flag.value.value) continue;
    sink.report<Code::FlagGivenTwice>(flag.name, flag.key(), launch.launcher.key())
        .also(last->name.where.span, "this one counts");
  }
}

// Chips of a topology or a count, in words.
std::string in_chips(std::int64_t chips) { return text::count(chips, "chip"); }

// `v5e-16`, which is `v5litepod-16` here.
void help_with_prefix(const LaunchClaims& launch, std::string_view name, const Catalog& catalog,
                      Diagnostic& finding) {
  const auto meant = catalog::find_device(catalog, name);
  if (!meant || !meant->topology) return;
  for (const std::string_view prefix : view::words_of(launch.launcher, "devices")) {
    if (contains(meant->generation->core_names, prefix))
      finding.help("write `{}{}`", prefix, name.substr(meant->prefix.size()));
  }
}

void report_unknown_device(const LaunchClaims& launch, const Text& value, const Catalog& catalog,
                           Sink& sink) {
  Diagnostic& finding = sink.report<Code::DeviceUnknown>(value, launch.launcher.key(), value.value);
  const auto& name = launch.device.name;
  const auto is_its = [&](std::string_view prefix) { return value.value.starts_with(prefix); };
  if (any_of(view::words_of(launch.launcher, "laterDevices"), is_its)) {
    finding.level = diag::Level::warning;
    finding.note("{} may have it, but the catalog of flexslice does not", launch.launcher.key());
    return;
  }
  if (!name) {
    finding.note("device types begin with {}",
                 text::quoted_list(view::words_of(launch.launcher, "devices")));
    if (const auto* generation = catalog::generation_of_machine_type(catalog, value.value))
      finding.note("`{}` is a machine type of {}", value.value, generation->id);
    help_with_prefix(launch, value.value, catalog, finding);
    if (const auto* generation = catalog::find_generation(catalog, value.value)) {
      for (const std::string_view prefix : view::words_of(launch.launcher, "devices")) {
        if (contains(generation->core_names, prefix))
          finding.help("write `{}`", prefix.substr(0, prefix.size() - 1));
      }
    }
    return;
  }
  if (name->has_shape && name->topology && !launch.launcher.find("shapesInNames")) {
    finding.help(
        "write `{}{}` with `--topology={}`", name->prefix,
        name->chips *
            (name->generation->core_names_count_cores ? name->generation->cores_per_chip : 1),
        name->topology->text());
    return;
  }
  if (name->chips > 0 && !name->topology)
    finding.note("no {} slice has {}", name->generation->id,
                 name->has_shape ? "this topology" : in_chips(name->chips));
  const auto near = catalog::devices_near(*name);
  std::vector<std::string_view> names(near.begin(), near.end());
  const auto missing = view::words_of(launch.launcher, "notDevices");
  std::erase_if(names, [&](std::string_view each) { return contains(missing, each); });
  if (!names.empty()) finding.help("the nearest are {}", text::quoted_list(names));
}

// `--topology` of a device whose name says the generation.
void judge_launch_topology(const LaunchClaims& launch, Sink& sink) {
  const LaunchFlag* flag = launch.find_as("topology");
  const Generation* generation = launch.device.generation;
  if (generation == nullptr) return;
  if (flag == nullptr) {
    // gcluster takes the topology of the node pools for other generations.
    const std::string name = launch.value_as("device") + '-';
    const bool needs = launch.device.answer == DeviceAnswer::open && launch.complete &&
                       any_of(view::words_of(launch.launcher, "withoutNumbers"),
                              [&](std::string_view each) { return name.starts_with(each); });
    if (needs) sink.report<Code::LaunchRequired>(launch.where.span, launch.title, "--topology");
    return;
  }
  if (!flag->value.usable()) return;
  const auto shape = catalog::parse_topology(flag->value.value);
  if (!shape) {
    sink.report<Code::TopologySyntax>(flag->value, flag->value.value);
    return;
  }
  if (!machine_types_for(*generation, *shape).empty()) return;
  Diagnostic& finding =
      sink.report<Code::UnknownTopology>(flag->value, flag->value.value, generation->id);
  finding.level = diag::Level::error;
  const auto near = texts(nearest_topologies(*generation, *shape), &Topology::text);
  finding.help("the nearest are {}", text::join(near, " and "));
}

void judge_launch_device(const LaunchClaims& launch, const Catalog& catalog, Sink& sink) {
  const LaunchFlag* flag = launch.find_as("device");
  if (flag == nullptr || !flag->value.usable()) return;
  const view::LaunchDevice& device = launch.device;
  const std::string& name = flag->value.value;
  if (device.answer == DeviceAnswer::unknown)
    return report_unknown_device(launch, flag->value, catalog, sink);
  const bool has_topology = launch.find_as("topology") != nullptr;
  const auto begins_it = [&](std::string_view prefix) { return name.starts_with(prefix); };
  if (device.answer == DeviceAnswer::ambiguous && !has_topology &&
      any_of(view::words_of(launch.launcher, "withoutNumbers"), begins_it)) {
    Diagnostic& finding =
        sink.report<Code::LaunchRequired>(flag->value, launch.title, "--topology");
    finding.note("{} refuses a number of chips in `{}`", launch.launcher.key(), name);
    for (const catalog::Topology& shape : device.readings)
      finding.note("`--topology={}` is {}", shape.text(), in_chips(shape.chips()));
    note_launcher_version(launch, finding);
  } else if (device.answer == DeviceAnswer::ambiguous && !has_topology) {
    std::vector<std::string> readings;
    const std::int64_t fewer = device.name->chips;
    for (const std::int64_t chips : {fewer, fewer * device.generation->cores_per_chip}) {
      const auto* shape = find_where(
          device.readings, [&](const catalog::Topology& each) { return each.chips() == chips; });
      readings.push_back(fmt::format("{}, {}", in_chips(chips),
                                     shape == nullptr ? "which is no slice" : shape->text()));
    }
    Diagnostic& finding =
        sink.report<Code::DeviceAmbiguous>(flag->value, name, text::join(readings, ", or "));
    finding.help("add `--topology={}`{}", device.readings.back().text(),
                 device.readings.size() > 1 ? ", or the other" : "");
  }
  if (device.contradicts) {
    const Text& topology = launch.find_as("topology")->value;
    std::vector<std::string> chips;
    if (device.readings.empty()) chips.push_back(in_chips(device.name->chips));
    for (const catalog::Topology& shape : device.readings) chips.push_back(in_chips(shape.chips()));
    sink.report<Code::LaunchContradicts>(topology, topology.value,
                                         in_chips(catalog::parse_topology(topology.value)->chips()),
                                         name, text::join(chips, " or "))
        .note("{} takes the topology", launch.launcher.key());
  }
  judge_launch_topology(launch, sink);
}

std::string one_of(const std::vector<std::string_view>& flags) {
  return "one of " + text::join(flags, ", ");
}

// Exactly one of them.
void judge_choice_of_flags(const LaunchClaims& launch, std::string_view key, Sink& sink) {
  const auto names = view::words_of(launch.command, key);
  std::vector<const LaunchFlag*> given;
  for (const std::string_view name : names) {
    if (const LaunchFlag* flag = launch.find(name)) given.push_back(flag);
  }
  if (given.size() > 1)
    sink.report<Code::LaunchExclusive>(given[1]->name, given[0]->key(), given[1]->key())
        .also(given[0]->name.where.span, fmt::format("{} is here", given[0]->key()))
        .note("{} takes {}", launch.title, one_of(names));
  if (given.empty() && !names.empty() && is_whole_launch(launch))
    sink.report<Code::LaunchRequired>(launch.where.span, launch.title, one_of(names));
}

// gcluster refuses two volumes in one place, and one volume in two.
void judge_mounts(const LaunchClaims& launch, Sink& sink) {
  std::set<std::string_view> sources, paths;
  for (const LaunchFlag& flag : launch.flags) {
    if (!flag.is("mount") || !flag.value.usable()) continue;
    const auto refuse = [&](std::string_view why) -> Diagnostic& {
      return sink.report<Code::LaunchValue>(flag.value, flag.key(), flag.value.value, why);
    };
    for (const auto& [source, path] : mounts_of(flag)) {
      const bool is_known = !sources.insert(source).second;
      if (path.empty())
        refuse("it says no absolute path in the container")
            .help("write SOURCE:/PATH, or SOURCE:/PATH:rw");
      if (is_known || (!path.empty() && !paths.insert(path).second))
        refuse(fmt::format("`{}` is mounted already", is_known ? source : path));
    }
  }
}

// Each slice has a node pool, and xpk gives each of several reservations to one of them.
void judge_reservations(const LaunchClaims& launch, Sink& sink) {
  const LaunchFlag *named = launch.find_as("reservation"), *slices = launch.find_as("slices");
  if (named == nullptr || slices == nullptr || launch.has_object() || !named->value.usable() ||
      launch.launcher.key() != "xpk")
    return;
  const auto count = text::whole_number(slices->value.value);
  const auto names = text::split(named->value.value, ',');
  if (!count || names.size() < 2 || *count <= std::int64_t(names.size())) return;
  sink.report<Code::LaunchValue>(named->value, named->key(), named->value.value,
                                 fmt::format("it names {}, and {} is {}",
                                             text::count(std::int64_t(names.size()), "reservation"),
                                             slices->key(), *count))
      .help("name a reservation for each slice, or one for all");
}

// `--flag`, or `--flag=value`.
bool has_flag(const LaunchClaims& launch, std::string_view needed) {
  const std::size_t equals = std::min(needed.find('='), needed.size());
  const LaunchFlag* flag = launch.find(needed.substr(0, equals));
  return flag != nullptr && (equals == needed.size() || !flag->value.usable() ||
                             flag->value.value == needed.substr(equals + 1));
}

void judge_pairs_of_flags(const LaunchClaims& launch, Sink& sink) {
  for (const LaunchFlag& flag : launch.flags) {
    if (!flag.row || flag.value.value == "false") continue;
    const std::string_view needs = row_text(flag.row, "needs"),
                           excludes = row_text(flag.row, "excludes");
    const std::string_view when = row_text(flag.row, "when");
    const bool applies = when.empty() || flag.value.value == when;
    if (!needs.empty() && applies && !has_flag(launch, needs) && is_whole_launch(launch))
      sink.report<Code::LaunchRequired>(
          flag.name, fmt::format("{} {}", launch.title, when.empty() ? flag.key() : flag.text()),
          needs);
    const LaunchFlag* other = excludes.empty() ? nullptr : launch.find(excludes);
    if (other != nullptr && other->value.value != "false")
      sink.report<Code::LaunchExclusive>(flag.name, excludes, flag.key())
          .also(other->name.where.span, fmt::format("{} is here", excludes));
  }
}

void judge_needed_flags(const LaunchClaims& launch, Sink& sink) {
  if (!is_whole_launch(launch)) return;
  for (const View row : view::flag_rows(launch)) {
    if (row.find("required") && launch.find(row.key()) == nullptr)
      sink.report<Code::LaunchRequired>(launch.where.span, launch.title, row.key());
  }
}

}  // namespace

void judge_launch(const LaunchClaims& launch, const Catalog& catalog, Sink& sink) {
  judge_launch_quotes(launch, sink);
  if (launch.device.answer == DeviceAnswer::other) return;
  for (const LaunchFlag& flag : launch.flags) {
    if (!has_unfinished(launch)) judge_unknown_launch_flag(launch, flag, sink);
    if (flag.row) judge_launch_flag(launch, flag, sink);
  }
  judge_repeated_flags(launch, sink);
  judge_launch_device(launch, catalog, sink);
  judge_mounts(launch, sink);
  judge_reservations(launch, sink);
  judge_choice_of_flags(launch, "oneOf", sink);
  judge_choice_of_flags(launch, "capacity", sink);
  judge_choice_of_flags(launch, "images", sink);
  judge_pairs_of_flags(launch, sink);
  judge_needed_flags(launch, sink);
}

bool judge_sky_task(const Node& document, const Catalog& catalog, Sink& sink) {
  const Node* device = document.at({"resources", "accelerators"});
  if (device == nullptr || document.find("apiVersion") != nullptr) return false;
  const std::string_view infra = document.text_at({"resources", "infra"});
  const bool on_kubernetes = infra == "kubernetes" || infra == "k8s" ||
                             infra.starts_with("kubernetes/") || infra.starts_with("k8s/") ||
                             document.text_at({"resources", "cloud"}) == "kubernetes";
  constexpr std::string_view prefix = "tpu-";
  const std::string_view name = device->text;
  if (!on_kubernetes || !name.starts_with(prefix)) return false;
  const auto meant =
      catalog::find_device(catalog, name.substr(0, name.find(':')).substr(prefix.size()));
  if (!meant || meant->chips == 0) return true;
  const MachineType* largest = nullptr;
  for (const MachineType& machine : meant->generation->machine_types) {
    if (machine.chips <= meant->chips && (largest == nullptr || machine.chips > largest->chips))
      largest = &machine;
  }
  if (largest == nullptr) return true;
  sink.report<Code::DeviceUnknown>(*device, "SkyPilot on Kubernetes", device->text)
      .note("there it has the names that GKE gives nodes, with the chips of a node")
      .help("write `{}:{}`", largest->accelerator, largest->chips);
  return true;
}

namespace {

// Returns how many slices the line makes; zero: not known.
std::int64_t launched_slices(const LaunchClaims& launch) {
  const std::string said = launch.value_as("slices");
  return said.empty() ? 1 : text::whole_number(said).value_or(0);
}

std::string launched_slices_text(const LaunchClaims& launch) {
  return fmt::format("{} of {}", text::count(launched_slices(launch), "slice"),
                     launch.device.topology->text());
}

bool has_known_shape(const LaunchClaims& launch) {
  return launch.device.answer == DeviceAnswer::known && launch.device.topology &&
         launch.find_as("device") != nullptr;
}

// The pools of a cluster may become others: parts of slices, those of auto-provisioning.
bool has_open_pools(const LaunchClaims& cluster) {
  return !has_known_shape(cluster) || launched_slices(cluster) == 0 ||
         cluster.find_as("auto-provisioning") != nullptr ||
         any_of(cluster.flags, [](const LaunchFlag& flag) {
           return flag.name.value.find("slicing") != std::string::npos;
         });
}

bool is_same_shape(const LaunchClaims& one, const LaunchClaims& other) {
  return one.device.generation == other.device.generation &&
         *one.device.topology == *other.device.topology;
}

}  // namespace

void judge_shapes_of_clusters(std::span<const LaunchClaims> launches, Sink& sink) {
  for (const LaunchClaims& workload : launches) {
    const std::string cluster = workload.value_as("cluster");
    if (!workload.has_object() || cluster.empty() || !has_known_shape(workload)) continue;
    const LaunchClaims *created = nullptr, *fitting = nullptr;
    bool is_open = false;
    for (const LaunchClaims& each : launches) {
      if (each.has_object() || each.value_as("cluster") != cluster) continue;
      is_open |= has_open_pools(each);
      if (created == nullptr) created = &each;
      if (!is_open && is_same_shape(each, workload) &&
          (fitting == nullptr || launched_slices(each) > launched_slices(*fitting)))
        fitting = &each;
    }
    if (created == nullptr || is_open) continue;
    const LaunchFlag& device = *workload.find_as("device");
    if (fitting == nullptr) {
      const LaunchFlag& other = *created->find_as("device");
      sink.report<Code::LaunchOfOtherShape>(device.value.where.span, cluster, other.value.value,
                                            device.value.value)
          .also(other.value.where.span, "the cluster is created here");
    } else if (launched_slices(workload) > launched_slices(*fitting)) {
      sink.report<Code::LaunchOfOtherShape>(workload.find_as("slices")->value.where.span, cluster,
                                            launched_slices_text(*fitting),
                                            launched_slices_text(workload))
          .also(fitting->where.span, "the cluster is created here");
    }
  }
}

namespace {

bool makes_known_slices(const LaunchClaims& launch) {
  return launch.has_object() && launch.device.answer == DeviceAnswer::known &&
         launch.device.topology && launched_slices(launch) > 0;
}

// A page on the way from one program to the other has the same workload for both.
bool is_same_workload(const LaunchClaims& one, const LaunchClaims& other) {
  const auto is_alike = [&](std::string_view role) {
    const LaunchFlag *a = one.find_as(role), *b = other.find_as(role);
    return a != nullptr && b != nullptr && a->value.usable() && a->value.value == b->value.value;
  };
  return one.launcher.key() != other.launcher.key() &&
         one.device.generation == other.device.generation &&
         (is_alike("name") || is_alike("command"));
}

}  // namespace

void judge_successors(std::span<const LaunchClaims> launches, Sink& sink) {
  for (std::size_t i = 0; i < launches.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const LaunchClaims &line = launches[i], &other = launches[j];
      if (!makes_known_slices(line) || !makes_known_slices(other) ||
          !is_same_workload(line, other) ||
          (*line.device.topology == *other.device.topology &&
           launched_slices(line) == launched_slices(other)))
        continue;
      sink.report<Code::LaunchersDiffer>(line.where.span, line.launcher.key(),
                                         launched_slices_text(line), other.launcher.key(),
                                         launched_slices_text(other))
          .also(other.where.span, "the other line is here");
    }
  }
}

}  // namespace flexslice::rules
