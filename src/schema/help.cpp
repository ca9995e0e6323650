#include "schema/help.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "schema/kubernetes_types.hpp"
#include "schema/pattern.hpp"
#include "schema/time_zones.hpp"
#include "schema/written.hpp"
#include "yaml/emit.hpp"

namespace flexslice::schema {

namespace {

// How people write a unit, in lower case, and what it is here.
struct Unit {
  std::string_view words;
  std::string_view suffix;
};

// The first rows have no unit at all.
constexpr Unit amounts[] = {
    {" core cores cpu cpus vcpu vcpus", ""},
    {"k kb", "k"},
    {"m mb", "M"},
    {"g gb", "G"},
    {"t tb", "T"},
    {"ki kib", "Ki"},
    {"mi mib", "Mi"},
    {"gi gib", "Gi"},
    {"ti tib", "Ti"},
};

// Disks are whole Gi to gcloud, and what it calls GB is that.
constexpr Unit disk_sizes[] = {
    {" g gb gi gib", "Gi"},
    {"t tb ti tib", "Ti"},
};

// gcloud counts in seconds where no unit is given.
constexpr Unit times[] = {
    {" s sec secs second seconds", "s"},
    {"m min mins minute minutes", "m"},
    {"h hr hrs hour hours", "h"},
    {"d day days", "d"},
    {"w week weeks", "w"},
};

// As many characters as `is` holds for.
std::string_view take_while(std::string_view& text, bool (*is)(char)) {
  const auto end = std::ranges::find_if_not(text, is);
  const std::string_view taken = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(taken.size());
  return taken;
}

// `1 hour 30 min` as `1h30m`: each number with its unit's suffix.
std::string with_suffixes(std::string_view text, std::span<const Unit> units) {
  std::string amount;
  std::string lowered = text::lower(text);
  std::ranges::replace_if(
      lowered, [](char c) { return c == ','; }, '.');
  for (std::string_view rest = text::trim(lowered); !rest.empty(); rest = text::trim(rest)) {
    const std::string_view number =
        take_while(rest, [](char c) { return ascii::is_digit(c) || c == '.'; });
    rest = text::trim(rest);
    const std::string_view word = take_while(rest, ascii::is_lower);
    const auto unit = std::ranges::find_if(units, [&](const Unit& candidate) {
      return std::ranges::count(text::split(candidate.words, ' '), word) > 0;
    });
    if (number.empty() || unit == units.end() || (word.empty() && !rest.empty())) return {};
    amount += number;
    amount += unit->suffix;
  }
  return amount;
}

// `1:30:00` as `1h30m`, `PT1H` as `1H`, and `1h30` as `1h30m`: the last number has the next unit.
std::string with_units_of_times(std::string_view text) {
  const std::string lowered = text::lower(text::trim(text));
  const auto clock = text::split(lowered, ':');
  if (clock.size() == 3) {
    std::int64_t seconds = 0;
    for (std::string_view part : clock) {
      const auto number = text::whole_number(part);
      if (!number || part.size() > 4) return {};
      seconds = seconds * 60 + *number;
    }
    return duration_text(seconds);
  }
  std::string_view rest = lowered;
  if (rest.starts_with('p')) rest.remove_prefix(rest.starts_with("pt") ? 2 : 1);
  const std::size_t last = rest.find_last_not_of("0123456789");
  const bool is_minutes = last != rest.npos && rest[last] == 'h' && last + 1 < rest.size();
  return std::string(rest) + (is_minutes ? "m" : "");
}

// `1.5h` as `1h30m`, and `2w` as `14d`; empty where that is no whole number of seconds.
std::string as_duration(std::string text) {
  if (text.find_first_of(".w") == text.npos) return text;
  constexpr std::pair<char, std::int64_t> units[] = {
      {'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}, {'w', 604800}};
  std::int64_t seconds = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view whole = take_while(rest, ascii::is_digit);
    if (rest.starts_with('.')) rest.remove_prefix(1);
    const std::string_view part = take_while(rest, ascii::is_digit);
    constexpr std::size_t most_digits = 6;
    if (rest.empty() || part.size() > most_digits || whole.size() > most_digits) return {};
    const auto unit = std::ranges::find(units, rest.front(), &std::pair<char, std::int64_t>::first);
    if (unit == std::end(units)) return {};
    rest.remove_prefix(1);
    std::int64_t scale = 1;
    for (std::size_t i = 0; i < part.size(); ++i) scale *= 10;
    const std::int64_t parts = text::whole_number(part).value_or(0) * unit->second;
    if (parts % scale != 0) return {};
    seconds += text::whole_number(whole).value_or(0) * unit->second + parts / scale;
  }
  return seconds == 0 ? std::string() : duration_text(seconds);
}

// Lower case, and `-` for what separates the words of a name.
std::string as_name(std::string_view text) {
  std::string name = text::lower(text::trim(text));
  std::ranges::replace_if(
      name, [](char c) { return c == '_' || c == ' '; }, '-');
  return name;
}

// `us-east5b` as `us-east5-b`.
std::string as_zone(std::string_view text) {
  std::string zone = as_name(text);
  if (zone.size() >= 2 && ascii::is_digit(zone[zone.size() - 2]) && !ascii::is_digit(zone.back()))
    zone.insert(zone.size() - 1, 1, '-');
  return zone;
}

std::string as_bucket(std::string_view text) {
  if (text.starts_with("gs://")) text.remove_prefix(5);
  if (text.ends_with('/')) text.remove_suffix(1);
  return text::lower(text);
}

// `https://docker.io/Library/busybox:RC` without the scheme, and lower-case up to the tag.
std::string as_image(std::string_view text) {
  const std::size_t scheme = text.find("://");
  if (scheme != std::string_view::npos) text.remove_prefix(scheme + 3);
  const std::size_t tag = text.find_first_of(":@", text.rfind('/') + 1);
  return text::lower(text.substr(0, tag)) +
         std::string(tag == std::string_view::npos ? "" : text.substr(tag));
}

constexpr std::string_view zone_prefixes[] = {"TZ=", "CRON_TZ="};

bool has_zone(std::string_view schedule) {
  return std::ranges::any_of(zone_prefixes,
                             [&](std::string_view each) { return schedule.starts_with(each); });
}

std::vector<std::string_view> fields_of(std::string_view schedule) {
  std::vector<std::string_view> fields = text::split(schedule, ' ');
  std::erase(fields, "");
  return fields;
}

// Without a time zone and seconds, with 0 for Sunday, and `@` before a word.
std::string as_schedule(std::string_view text) {
  std::vector<std::string_view> fields = fields_of(text);
  if (has_zone(text)) fields.erase(fields.begin());
  constexpr std::size_t all = 5;
  if (fields.size() == all + 1) fields.erase(fields.begin());
  if (fields.size() == all && fields.back() == "7") fields.back() = "0";
  const std::string schedule = text::lower(text::join(fields, " "));
  if (fields.size() != 1) return schedule;
  constexpr std::string_view words[] = {"@hourly",  "@daily",  "@midnight", "@weekly",
                                        "@monthly", "@yearly", "@annually"};
  const std::string word = schedule.starts_with('@') ? schedule : "@" + schedule;
  return std::string(text::nearest(word, words).value_or(word));
}

std::string guess(Pattern pattern, std::string_view text) {
  switch (pattern) {
    case Pattern::quantity:
    case Pattern::positive_quantity:
      return with_suffixes(text, amounts);
    case Pattern::disk_size:
      return with_suffixes(text, disk_sizes);
    case Pattern::duration:
      return as_duration(with_suffixes(with_units_of_times(text), times));
    case Pattern::zone:
    case Pattern::location:
      return as_zone(text);
    case Pattern::bucket:
      return as_bucket(text);
    case Pattern::image:
      return as_image(text);
    case Pattern::schedule:
      return as_schedule(text);
    case Pattern::time_zone:
      return time_zone_like(text).value_or("");
    case Pattern::workload_name:
    case Pattern::dns_label:
    case Pattern::dns_subdomain:
    case Pattern::gke_name:
    case Pattern::project:
    case Pattern::port_name:
      return as_name(text);
    default:
      return {};
  }
}

constexpr std::size_t few = 8;  // fields that are listed in a message

std::string yaml_quoted(std::string_view text) {
  std::string json;
  yaml::emit_json_string(text, json);
  return json;
}

// `node-locations` and `node_locations` are the same word as `nodeLocations`.
std::string bare(std::string_view key) {
  std::string letters = text::lower(key);
  std::erase_if(letters, [](char c) { return c == '-' || c == '_'; });
  return letters;
}

// The key is a field at the top, or one level below. The text is empty if it is nowhere.
std::string home_of(std::string_view key, const Table& table, const Table& root) {
  if (&root != &table && root.find(key) != nullptr)
    return fmt::format("`{}` is a top-level field", key);
  for (const Field& field : root.fields) {
    if (field.type->category == Category::record && field.type->table->find(key) != nullptr)
      return fmt::format("`{}` is a field of `{}`", key, field.key);
  }
  return {};
}

// The fields of the type that have the field which the type itself lacks.
std::vector<std::string_view> owners_of(std::string_view key, const Table& type) {
  std::vector<std::string_view> owners;
  for (const Field& field : type.fields) {
    if (field.type->category == Category::record && field.type->table->find(key) != nullptr)
      owners.push_back(field.key);
  }
  return owners;
}

// The last field before the key that has no value, and could hold the key: its members are not
// indented.
std::string_view empty_field_with(const yaml::Node& key, const yaml::Node& mapping,
                                  const Table& type) {
  std::string_view empty;
  for (const yaml::Member& member : mapping.members) {
    if (&member.key == &key || member.key.span == key.span) break;
    if (member.value.kind != yaml::Kind::null) continue;
    const Field* field = type.find(member.key.text);
    if (field != nullptr && field->type->category == Category::record &&
        field->type->table->find(key.text) != nullptr)
      empty = field->key;
  }
  return empty;
}

// `"python", "train.py"` of `python train.py`.
std::string as_list(std::string_view text) {
  if (text.find_first_of("'\"\\") != std::string_view::npos) return "…";
  std::vector<std::string> words;
  for (std::string_view word : text::split(text, ' ')) {
    if (!word.empty()) words.push_back(yaml_quoted(word));
  }
  return text.find(' ') == std::string_view::npos ? std::string(text) : text::join(words, ", ");
}

// A plain text means the same in a list or a mapping in brackets.
bool is_plain(std::string_view text) {
  return !text.empty() && text.front() != '-' && std::ranges::all_of(text, [](char c) {
    return ascii::is_letter_or_digit(c) ||
           std::string_view("-._/").find(c) != std::string_view::npos;
  });
}

// Renames a key to the one that is certainly meant.
void rename(diag::Diagnostic& report, const yaml::Node& key, const yaml::Node& mapping,
            std::string_view name) {
  if (mapping.find(name) == nullptr)
    report.fix(key.span, key.quoted ? yaml_quoted(name) : std::string(name));
}

}  // namespace

std::optional<std::string> likely(Pattern pattern, std::string_view text) {
  std::string guessed = guess(pattern, text);
  if (guessed.empty() || guessed == text || !matches(pattern, guessed)) return std::nullopt;
  return guessed;
}

std::optional<std::string> broken_rule(Pattern pattern, std::string_view text) {
  if (pattern == Pattern::schedule && has_zone(text))
    return "a schedule has no time zone in it; `timeZone` names it";
  if (pattern == Pattern::schedule && fields_of(text).size() == 6)
    return "it has six fields; a schedule has five, and none for seconds";
  if (pattern != Pattern::bucket) return std::nullopt;
  if (text.find('/') != std::string_view::npos)
    return std::string("a bucket is its name alone, without `gs://` and without a path");
  constexpr std::size_t shortest = 3, longest_part = 63;
  if (text.size() < shortest)
    return fmt::format("it has {}; a bucket name has at least {}",
                       text::count(static_cast<std::int64_t>(text.size()), "character"), shortest);
  for (std::string_view part : text::split(text, '.')) {
    if (part.size() > longest_part)
      return fmt::format("{} has {} characters; at most {} are allowed{}",
                         part == text ? "it" : "a part of it", part.size(), longest_part,
                         part == text ? "" : " between two dots");
  }
  return std::nullopt;
}

namespace {

const yaml::Node* scalar_at(const yaml::Node& node, std::string_view key) {
  const yaml::Node* value = node.find(key);
  return value == nullptr || value->kind != yaml::Kind::scalar ? nullptr : value;
}

// `{secret: NAME, key: KEY}` of `{secretKeyRef: {name: NAME, key: KEY}}`, `{field: PATH}` of
// `{fieldRef: {fieldPath: PATH}}`; empty of any other.
std::string as_reference(const yaml::Node& source) {
  constexpr std::pair<std::string_view, std::string_view> kinds[] = {
      {"secretKeyRef", "secret"}, {"configMapKeyRef", "configMap"}};
  for (const auto& [theirs, ours] : kinds) {
    const yaml::Node* reference = source.find(theirs);
    if (reference == nullptr || reference->members.size() != 2) continue;
    const yaml::Node* name = scalar_at(*reference, "name");
    const yaml::Node* key = scalar_at(*reference, "key");
    if (name != nullptr && key != nullptr)
      return fmt::format("{{{}: {}, key: {}}}", ours, name->text, key->text);
  }
  const yaml::Node* field = source.find("fieldRef");
  const yaml::Node* path =
      field == nullptr || field->members.size() != 1 ? nullptr : scalar_at(*field, "fieldPath");
  if (path == nullptr) return {};
  return fmt::format("{{field: {}}}", is_plain(path->text) ? path->text : yaml_quoted(path->text));
}

// Writes one element of Kubernetes' `env` as a spec does; empty if the spec has no form for it.
std::string as_variable(const yaml::Node& item) {
  if (const std::size_t equals = item.text.find('='); equals != item.text.npos && equals > 0)
    return fmt::format("{}: {}", item.text.substr(0, equals),
                       yaml_quoted(std::string_view(item.text).substr(equals + 1)));
  const yaml::Node* name = scalar_at(item, "name");
  const yaml::Node* value = scalar_at(item, "value");
  const yaml::Node* source = item.find("valueFrom");
  if (name == nullptr || item.members.size() != 2) return {};
  const std::string text = value != nullptr    ? yaml_quoted(value->text)
                           : source != nullptr ? as_reference(*source)
                                               : "";
  return text.empty() ? "" : fmt::format("{}: {}", name->text, text);
}

}  // namespace

void help_with_list(diag::Diagnostic& report, const yaml::Node& scalar, const Type& type,
                    const Constraint& constraint) {
  report.help(fmt::format("write it as `[{}]`", as_list(scalar.text)));
  const yaml::ScalarType is = yaml::type_of(scalar);
  if (is != (type.element->category == Category::integer ? yaml::ScalarType::integer
                                                         : yaml::ScalarType::string))
    return;
  // A comma cannot be in what has a pattern.
  const bool several = constraint.pattern != Pattern::any && is == yaml::ScalarType::string;
  std::vector<std::string_view> items =
      several ? text::split(scalar.text, ',') : std::vector<std::string_view>{scalar.text};
  for (std::string_view& item : items) item = text::trim(item);
  if (std::ranges::all_of(items, [&](std::string_view item) {
        return is_plain(item) && matches(constraint.pattern, item);
      }))
    report.fix(scalar.span, "[" + text::join(items, ", ") + "]");
}

void help_with_mapping(diag::Diagnostic& report, const yaml::Node& list) {
  std::vector<std::string> members;
  std::vector<std::string_view> names;
  for (const yaml::Node& item : list.items) {
    members.push_back(as_variable(item));
    const yaml::Node* name = item.find("name");
    if (name != nullptr || !item.text.empty())
      names.push_back(name != nullptr ? name->text : item.text);
  }
  const bool all = !members.empty() && std::ranges::none_of(members, &std::string::empty);
  const std::string mapping = all ? "{" + text::join(members, ", ") + "}" : "KEY: VALUE";
  report.help(fmt::format("write it without dashes, as `{}`", mapping));
  std::ranges::sort(names);
  // A block below its key may be indented like the key, which a mapping in brackets may not.
  if (all && std::ranges::adjacent_find(names) == names.end())
    report.fix(list.span, "  " + mapping);
}

void help_with_only_item(diag::Diagnostic& report, const yaml::Node& node) {
  if (node.kind != yaml::Kind::sequence || node.items.size() != 1 || !is_plain(node.items[0].text))
    return;
  report.help("write `{}` without a list", node.items[0].text);
}

void help_with_rest(diag::Diagnostic& report, const yaml::Node& list, std::string_view key,
                    std::string_view rest) {
  std::vector<std::string_view> values;
  for (const yaml::Node& item : list.items) {
    if (!is_plain(item.text)) return;
    values.push_back(item.text);
  }
  if (values.size() < 2) return;
  report.help("write `{}: {}` and `{}: [{}]`", key, values.front(), rest,
              text::join(std::span(values).subspan(1), ", "));
}

void help_with_folder(diag::Diagnostic& report, Pattern pattern, std::string_view key,
                      std::string_view text) {
  if (pattern == Pattern::bucket && text.starts_with("gs://")) text.remove_prefix(5);
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos || slash == 0 || (pattern != Pattern::bucket && key != "pvc"))
    return;
  std::string_view folder = text.substr(slash + 1);
  while (folder.ends_with('/')) folder.remove_suffix(1);
  if (folder.empty() || !matches(Pattern::sub_path, folder)) return;
  report.help("write `{}: {}`, and `subPath: {}` beside `mountPath`", key,
              text::lower(text.substr(0, slash)), folder);
}

void help_with_quotes(diag::Diagnostic& report, const yaml::Node& scalar) {
  const std::string text = yaml_quoted(scalar.text);
  if (scalar.argument) {
    report.help(fmt::format("quote it, and the quotes for the shell: '{}'", text));
  } else {
    report.help(fmt::format("quote it: {}", text)).fix(scalar.span, text);
  }
}

void help_with_scalar(diag::Diagnostic& report, const yaml::Node& scalar, const Table& table) {
  const std::string_view text = scalar.text;
  if (std::ranges::count(table.fields, Presence::required, &Field::presence) != 1) return;
  const Field& field = *std::ranges::find(table.fields, Presence::required, &Field::presence);
  const std::string value = likely(field.constraint.pattern, text).value_or(std::string(text));
  if (!matches(field.constraint.pattern, value)) return;
  const std::string mapping = fmt::format("{{{}: {}}}", field.key, value);
  report.help(fmt::format("write `{}`", mapping));
  if (value == text && is_plain(text) && yaml::type_of(scalar) == yaml::ScalarType::string)
    report.fix(scalar.span, mapping);
}

std::string_view help_with_unknown(diag::Diagnostic& report, const yaml::Node& key,
                                   const yaml::Node& mapping, const Table& table,
                                   const Table& root) {
  if (const std::string_view field = empty_field_with(key, mapping, table); !field.empty()) {
    report.help("`{}` is a field of `{}`: indent it", key.text, field);
    return {};
  }
  for (const Foreign& foreign : table.foreign) {
    const auto is_key = [&](std::string_view known) { return bare(known) == bare(key.text); };
    if (std::ranges::none_of(text::split(foreign.keys, ' '), is_key)) continue;
    report.help(foreign.help.empty() ? fmt::format("write `{}`", foreign.instead)
                                     : std::string(foreign.help));
    if (foreign.help.empty()) rename(report, key, mapping, foreign.instead);
    return foreign.instead;
  }
  if (table.raw) {
    const auto owners = owners_of(key.text, table);
    if (!owners.empty()) {
      report.help("`{}` is a field of `{}`", key.text, text::join(owners, "`, `"));
      return owners.front();
    }
    if (const auto neighbour = kubernetes::neighbour_with(key.text, table.name)) {
      // A patch of the whole object cannot change one container of the list.
      const bool needs_target = report.code == diag::Code::NoSuchField &&
                                root.find("kind") != nullptr && neighbour->is_container;
      report.help(
          "`{}` is a field of {}{}", key.text, neighbour->where,
          needs_target ? fmt::format(": `target: {{kind: {}, container: NAME}}`", root.name) : "");
      return {};
    }
  }
  const bool is_top = &table == &root && !root.raw;
  if (const auto help = is_top ? help_for_key(key.text) : std::nullopt) {
    report.help(std::string(*help));
    return {};
  }
  std::vector<std::string_view> keys;
  for (const Field& field : table.fields) keys.push_back(field.key);
  if (const auto near = text::nearest(key.text, keys)) {
    report.help(fmt::format("did you mean `{}`?", *near));
    if (bare(*near) == bare(key.text)) rename(report, key, mapping, *near);
    return *near;
  }
  if (const std::string home = home_of(key.text, table, root); !home.empty()) {
    report.help(home);
  } else if (keys.size() <= few) {
    report.note(fmt::format("fields: {}", text::quoted_list(keys)));
  } else if (!root.raw && !table.otherwise.empty()) {
    report.help(std::string(table.otherwise));
  }
  return {};
}

}  // namespace flexslice::schema
