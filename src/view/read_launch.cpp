#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "extract/arguments.hpp"
#include "resolve/facts.hpp"
#include "schema/placeholder.hpp"
#include "view/launch.hpp"
#include "view/read_commands.hpp"
#include "view/word_claims.hpp"
#include "yaml/embedded.hpp"

namespace flexslice::view {

using extract::Word;
using spec::Text;
using yaml::View;

namespace {

View launch_table() { return embedded::root_of(embedded::kubernetes, "view/launchers.yaml"); }

std::string_view base_name_of(std::string_view word) { return word.substr(word.rfind('/') + 1); }

View launcher_of(std::string_view program) {
  for (const View launcher : launch_table().find("launchers")) {
    if (contains(words_of(launcher, "programs"), program)) return launcher;
  }
  return {};
}

// The longest row that the words begin with.
View launch_command_of(View launcher, const std::vector<const Word*>& operands) {
  for (const View command : launcher.find("commands")) {
    const auto words = text::split(command.key(), ' ');
    const bool fits = operands.size() >= words.size() &&
                      std::equal(words.begin(), words.end(), operands.begin(),
                                 [](std::string_view word, const Word* operand) {
                                   return word == operand->text;
                                 });
    if (fits) return command;
  }
  return {};
}

std::vector<View> flag_rows_of(View command) {
  std::vector<View> rows;
  for (const std::string_view name : words_of(command, "flags")) {
    for (const View row : launch_table().find("groups").find(name)) rows.push_back(row);
  }
  return rows;
}

class LaunchReader {
 public:
  LaunchReader(const extract::Command& command, const catalog::Catalog& catalog)
      : words_(extract::all_words(command)), catalog_(catalog) {
    launch_.where = {command.where, true};
    launch_.complete = !command.is_open;
  }

  bool read() {
    if (words_.empty()) return false;
    launch_.launcher = launcher_of(base_name_of(words_.front().text));
    if (!launch_.launcher) return false;
    const extract::Arguments arguments = extract::read_arguments(
        std::span(words_).subspan(1), [this](const auto& operands, std::string_view flag) {
          find_command(operands);
          return takes_value(flag);
        });
    find_command(arguments.operands);
    if (!launch_.command) return false;
    launch_.title = fmt::format("{} {}", launch_.launcher.key(), launch_.command.key());
    const std::size_t named = text::split(launch_.command.key(), ' ').size();
    launch_.where.span = {words_.front().where.source, words_.front().where.begin,
                          arguments.operands[named - 1]->where.end};
    for (std::size_t i = named; i < arguments.operands.size(); ++i)
      add_operand(*arguments.operands[i]);
    for (const extract::FlagWords& each : arguments.flags) add_flag(each);
    if (launch_.find_as("name") == nullptr && launch_.find_as("device") == nullptr) return false;
    launch_.device = device();
    claim_nodes();
    return true;
  }

  LaunchClaims take() { return std::move(launch_); }

 private:
  void find_command(const std::vector<const Word*>& operands) {
    if (launch_.command || operands.empty()) return;
    launch_.command = launch_command_of(launch_.launcher, operands);
    if (launch_.command) rows_ = flag_rows_of(launch_.command);
  }

  // Several: the flag is the beginning of each.
  std::vector<View> rows_for(std::string_view name) const {
    std::vector<View> begun;
    for (const View row : rows_) {
      if (row.key() == name || row_text(row, "short") == name) return {row};
      if (row.key().starts_with(name) && name.size() > 2) begun.push_back(row);
    }
    return launch_.launcher.find("shortens") ? begun : std::vector<View>();
  }

  // The beginning of a flag meant this one before there were others; empty: there were several from
  // the first.
  static View oldest_of(const std::vector<View>& rows) {
    View oldest;
    for (const View row : rows) {
      if (row.find("since")) continue;
      if (oldest) return {};
      oldest = row;
    }
    return oldest;
  }

  bool takes_value(std::string_view name) const {
    const auto rows = rows_for(name);
    if (rows.size() > 1) return !rows.front().find("switch");
    if (rows.empty()) return !name.starts_with("--enable-") && !name.starts_with("--no-");
    return !rows.front().find("switch");
  }

  void add_operand(const Word& word) {
    if (word.unknown && word.text.starts_with('$')) launch_.complete = false;
    launch_.operands.push_back(claim_of_word(word, word.text));
  }

  void add_flag(const extract::FlagWords& words) {
    LaunchFlag flag;
    flag.name = claim_of_word(*words.word, words.name);
    flag.name.where.placeholder = false;
    if (words.name.find('$') != words.name.npos) launch_.complete = false;
    const auto rows = rows_for(words.name);
    if (rows.size() == 1) flag.row = rows.front();
    flag.is_ambiguous = rows.size() > 1;
    if (flag.is_ambiguous) flag.row = oldest_of(rows);
    for (const View row : rows) flag.meant.push_back(row.key());
    if (words.value != nullptr) {
      flag.value = claim_of_word(*words.value, words.text(), words.begin);
      flag.value.where.label = flag.row ? flag.row.key() : std::string_view();
      if (flag.row && flag.row.find("lower")) flag.value.value = text::lower(flag.value.value);
      flag.unfilled = words.value->unfilled;
      flag.set_at = words.value->set_at;
      flag.is_unfinished = words.value->unfinished || is_cut(flag);
    }
    launch_.flags.push_back(std::move(flag));
  }

  // Quotes in a variable are text, so that blanks end the value: `cmd='xpk … --command="a b"';
  // $cmd`.
  static bool is_cut(const LaunchFlag& flag) {
    const std::string& value = flag.value.value;
    const bool is_quoted = value.starts_with('"') || value.starts_with('\'');
    return flag.set_at != Span{} && is_quoted &&
           (value.size() < 2 || value.back() != value.front());
  }

  bool is_other(std::string_view name) const {
    return any_of(words_of(launch_.launcher, "otherDevices"),
                  [&](std::string_view prefix) { return name.starts_with(prefix); });
  }

  LaunchDevice device() const {
    LaunchDevice device;
    const LaunchFlag* flag = launch_.find_as("device");
    if (flag == nullptr || !flag->value.usable()) return device;
    const std::string& name = flag->value.value;
    read_device(name, device);
    if (device.answer == DeviceAnswer::unknown && is_other(name))
      device.answer = DeviceAnswer::other;
    take_topology(device);
    if (device.generation != nullptr && device.topology) choose_machine(name, device);
    return device;
  }

  void read_device(std::string_view name, LaunchDevice& device) const {
    device.answer = DeviceAnswer::unknown;
    const View launcher = launch_.launcher;
    const auto named = catalog::find_device(catalog_, name);
    if (named && contains(words_of(launcher, "devices"), named->prefix)) {
      device.name = named;
      if (contains(words_of(launcher, "notDevices"), name)) return;
      if (named->has_shape && !launcher.find("shapesInNames")) return;
      device.generation = named->generation;
      device.topology = named->topology;
      if (contains(words_of(launcher, "twoReadings"), named->prefix) &&
          !contains(words_of(launcher, "oneReading"), name))
        read_both(*named, device);
      if (device.answer != DeviceAnswer::ambiguous && device.topology)
        device.answer = DeviceAnswer::known;
      return;
    }
    if (!launcher.find("bareNames")) return;
    const bool is_prefix = contains(words_of(launcher, "devices"), std::string(name) + '-');
    device.generation = is_prefix ? catalog::find_generation(catalog_, name)
                                  : catalog::generation_of_label(catalog_, name);
    if (device.generation == nullptr) {
      const catalog::Generation* of_machine = catalog::generation_of_machine_type(catalog_, name);
      if (of_machine != nullptr) {
        device.generation = of_machine;
        device.machine = catalog::find_machine_type(*of_machine, name);
      } else if (const auto* mistake =
                     is_prefix ? catalog::find_mistake(catalog_, name) : nullptr) {
        device.generation = catalog::find_generation(catalog_, mistake->instead);
      }
    }
    if (device.generation != nullptr) device.answer = DeviceAnswer::open;
  }

  // As TensorCores and as chips.
  static void read_both(const catalog::Device& named, LaunchDevice& device) {
    device.readings.clear();
    const int per_chip = named.generation->cores_per_chip;
    for (const std::int64_t chips : {named.chips, named.chips * per_chip}) {
      if (const auto shape = catalog::topology_of_chips(*named.generation, chips))
        device.readings.push_back(*shape);
    }
    device.topology.reset();
    if (!device.readings.empty()) device.answer = DeviceAnswer::ambiguous;
  }

  void take_topology(LaunchDevice& device) const {
    const LaunchFlag* flag = launch_.find_as("topology");
    if (flag == nullptr || device.generation == nullptr || !flag->value.usable()) return;
    const auto said = catalog::parse_topology(flag->value.value);
    if (!said || catalog::machine_types_for(*device.generation, *said).empty()) {
      device.topology.reset();
      return;
    }
    const auto same_chips = [&](const catalog::Topology& each) {
      return each.chips() == said->chips();
    };
    const bool contradicts = device.answer == DeviceAnswer::ambiguous
                                 ? !any_of(device.readings, same_chips)
                                 : device.name && device.name->chips != said->chips();
    device.answer = DeviceAnswer::known;
    device.contradicts = contradicts;
    device.topology = said;
  }

  // xpk has hosts of four chips where it can, gcluster one host where there is one.
  void choose_machine(std::string_view name, LaunchDevice& device) const {
    if (device.machine == nullptr && launch_.launcher.find("bareNames") && !device.name &&
        catalog::machine_types_for(*device.generation, *device.topology).size() > 1)
      return;  // that of the pools of the cluster
    const bool most = row_text(launch_.launcher, "machines") == "most-chips";
    for (const auto* machine : catalog::machine_types_for(*device.generation, *device.topology)) {
      if (device.machine != nullptr && device.machine->name == name) break;
      if (machine->chips > device.topology->chips()) continue;
      // A name with as many chips as a host is that of the host.
      if (device.contradicts && device.name->chips == machine->chips) {
        device.machine = machine;
        break;
      }
      if (device.machine == nullptr ||
          (most ? machine->chips > device.machine->chips : machine->chips < device.machine->chips))
        device.machine = machine;
    }
    if (device.machine != nullptr) device.hosts = device.topology->chips() / device.machine->chips;
  }

  void claim_nodes() {
    spec::Claims& claims = launch_.claims;
    const LaunchDevice& device = launch_.device;
    const auto say = [](Text& claim, const LaunchFlag* flag, std::string_view value) {
      if (flag == nullptr || value.empty()) return;
      claim.where = flag->value.where;
      claim.value = value;
    };
    const LaunchFlag* type = launch_.find_as("device");
    if (device.answer == DeviceAnswer::known) {
      say(claims.tpu.type, type, device.generation->id);
      const LaunchFlag* shape = launch_.find_as("topology");
      say(claims.tpu.topology, shape == nullptr ? type : shape, device.topology->text());
      if (device.machine != nullptr) say(claims.tpu.machine_type, type, device.machine->name);
    }
    if (const LaunchFlag* slices = launch_.find_as("slices")) {
      claims.tpu.slices.where = slices->value.where;
      claims.tpu.slices.value = text::whole_number(slices->value.value).value_or(0);
      if (claims.tpu.slices.value == 0) claims.tpu.slices.where.placeholder = true;
    }
    claims.provisioning.model.where.placeholder = true;
    for (const auto& [name, means] : model_flags) {
      const LaunchFlag* flag = flag_of_model(name);
      const auto* row = find_where(
          catalog_.models, [means = means](const catalog::Model& each) { return each.*means; });
      if (flag == nullptr || row == nullptr) continue;
      claims.provisioning.model = flag->name;
      claims.provisioning.model.value = row->name;
    }
    const LaunchFlag* zone = launch_.find_as("zone");
    if (zone != nullptr && resolve::region_of(zone->value.value) != zone->value.value) {
      claims.provisioning.zones.where = zone->value.where;
      claims.provisioning.zones.items.push_back(zone->value);
    }
  }

  // Finds the flag that becomes the flag of gcloud.
  const LaunchFlag* flag_of_model(std::string_view gcloud) const {
    return find_where(launch_.flags, [&](const LaunchFlag& flag) {
      return row_text(flag.row, "gcloud") == gcloud;
    });
  }

  std::vector<Word> words_;
  const catalog::Catalog& catalog_;
  std::vector<View> rows_;
  LaunchClaims launch_;
};

}  // namespace

std::optional<LaunchSeconds> launch_seconds(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto number = text::whole_number(text.substr(0, digits));
  if (digits == text.size() && number) return LaunchSeconds{*number, true};
  constexpr std::pair<std::string_view, double> units[] = {
      {"ns", 1e-9}, {"us", 1e-6}, {"µs", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"m", 60}, {"h", 3600}};
  double seconds = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find_first_not_of("0123456789."), rest.size());
    const auto* unit = find_where(
        units, [&](const auto& each) { return rest.substr(end).starts_with(each.first); });
    if (end == 0 || unit == nullptr)
      return number ? std::optional(LaunchSeconds{*number, false}) : std::nullopt;
    seconds += std::strtod(std::string(rest.substr(0, end)).c_str(), nullptr) * unit->second;
    rest.remove_prefix(end + unit->first.size());
  }
  return LaunchSeconds{static_cast<std::int64_t>(seconds), true};
}

std::vector<std::string_view> words_of(View row, std::string_view key) {
  const std::string_view text = row_text(row, key);
  return text.empty() ? std::vector<std::string_view>() : text::split(text, ' ');
}

std::string LaunchFlag::text() const {
  return value.where.given ? fmt::format("{}={}", name.value, value.value) : name.value;
}

const LaunchFlag* LaunchClaims::find(std::string_view key) const {
  const auto found = std::find_if(flags.rbegin(), flags.rend(),
                                  [&](const LaunchFlag& flag) { return flag.key() == key; });
  return found == flags.rend() ? nullptr : &*found;
}

const LaunchFlag* LaunchClaims::find_as(std::string_view role) const {
  const auto found = std::find_if(flags.rbegin(), flags.rend(),
                                  [&](const LaunchFlag& flag) { return flag.is(role); });
  return found == flags.rend() ? nullptr : &*found;
}

std::string LaunchClaims::value_as(std::string_view role) const {
  const LaunchFlag* flag = find_as(role);
  return flag == nullptr ? "" : flag->value.value;
}

bool LaunchClaims::is_pathways() const {
  const LaunchFlag* flag = find_as("pathways");
  const bool is_off = flag != nullptr && (flag->value.value == "false" || flag->value.value == "0");
  return command.find("pathways") || (flag != nullptr && !is_off);
}

const std::vector<std::string_view>& launcher_names() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (const View launcher : launch_table().find("launchers")) {
      for (const std::string_view program : words_of(launcher, "programs")) all.push_back(program);
    }
    return all;
  }();
  return names;
}

std::vector<View> flag_rows(const LaunchClaims& launch) { return flag_rows_of(launch.command); }

std::optional<LaunchClaims> read_launch(const extract::Command& command,
                                        const catalog::Catalog& catalog) {
  LaunchReader reader(command, catalog);
  if (!reader.read()) return std::nullopt;
  return reader.take();
}

}  // namespace flexslice::view
