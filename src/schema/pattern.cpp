#include "schema/pattern.hpp"

#include <algorithm>
#include <span>

#include "base/ascii.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"

namespace flexslice::schema {

namespace {

constexpr PatternRow rows[] = {
#define FS_PATTERN(name, pattern, max, words) {#name, pattern, max, words},
#include "schema/patterns.def"
#undef FS_PATTERN
};

constexpr std::string_view digits = "0123456789";

// Function objects, which algorithms inline.
constexpr auto lower = ascii::is_lower;
constexpr auto digit = ascii::is_digit;
constexpr auto letter_or_digit = ascii::is_letter_or_digit;
constexpr auto lower_or_digit = [](char c) { return lower(c) || digit(c); };
constexpr auto name_char = [](char c) { return lower_or_digit(c) || c == '-'; };
constexpr auto label_char = [](char c) {
  return letter_or_digit(c) || c == '-' || c == '_' || c == '.';
};

// Not empty, and of these characters alone.
bool all(std::string_view text, auto allowed) {
  return !text.empty() && std::ranges::all_of(text, allowed);
}

bool shaped(std::string_view text, auto first, auto inner, auto last) {
  return all(text, inner) && first(text.front()) && last(text.back());
}

bool parts_are(std::string_view text, char separator, bool (*good)(std::string_view)) {
  return std::ranges::all_of(text::split(text, separator), good);
}

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// `us-east5`: words joined by `-`, at least two, with digits at the end.
bool region(std::string_view text) {
  const std::string_view words = text.substr(0, text.find_last_not_of(digits) + 1);
  return words != text && has(words, "-") &&
         parts_are(words, '-', [](std::string_view word) { return all(word, lower); });
}

// Environment variables and keys of data become files, so neither is the folder itself nor leaves
// it.
bool file_name(std::string_view text) {
  return all(text, label_char) && text != "." && !text.starts_with("..");
}

// A check for each pattern, under its name.
namespace checks {

bool any(std::string_view) { return true; }

bool workload_name(std::string_view text) { return shaped(text, lower, name_char, lower_or_digit); }
constexpr auto gke_name = workload_name;

bool dns_label(std::string_view text) {
  return shaped(text, lower_or_digit, name_char, lower_or_digit);
}

bool dns_subdomain(std::string_view text) { return parts_are(text, '.', dns_label); }

bool project(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return workload_name(text);
  const auto domain_char = [](char c) { return name_char(c) || c == '.'; };
  return colon >= 2 && shaped(text.substr(0, colon), lower, domain_char, lower_or_digit) &&
         workload_name(text.substr(colon + 1));
}

bool zone(std::string_view text) {
  const std::size_t dash = text.rfind('-');
  return dash != std::string_view::npos && all(text.substr(dash + 1), lower_or_digit) &&
         region(text.substr(0, dash));
}

bool location(std::string_view text) { return region(text) || zone(text); }

bool gke_version(std::string_view text) {
  const auto number = [](std::string_view part) { return all(part, digit); };
  constexpr std::string_view build_mark = "-gke.";
  const std::size_t mark = text.find(build_mark);
  const std::string_view release = text.substr(0, mark);
  const auto dots = std::ranges::count(release, '.');
  if (!parts_are(release, '.', number)) return false;
  return mark == std::string_view::npos
             ? dots == 1 || dots == 2
             : dots == 2 && number(text.substr(mark + build_mark.size()));
}

bool label_value(std::string_view text) {
  return text.empty() || shaped(text, letter_or_digit, label_char, letter_or_digit);
}

bool label_key(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    if (slash > 253 || !dns_subdomain(text.substr(0, slash))) return false;
    text.remove_prefix(slash + 1);
  }
  return !text.empty() && text.size() <= 63 && label_value(text);
}

constexpr auto data_key = file_name;

bool env_name(std::string_view text) { return file_name(text) && !digit(text.front()); }

bool duration(std::string_view text) { return duration_seconds(text).has_value(); }

bool quantity(std::string_view text) {
  return !text.starts_with('-') && parse_quantity(text).has_value();
}

constexpr auto disk_size = quantity;

bool host_label(std::string_view text) {
  return shaped(
      text, letter_or_digit, [](char c) { return letter_or_digit(c) || c == '-'; },
      letter_or_digit);
}

// Of images: `us-docker.pkg.dev`, `host:5000`.
bool registry(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon != text.npos && !all(text.substr(colon + 1), digit)) return false;
  return has(text, colon == text.npos ? "." : ":") &&
         parts_are(text.substr(0, colon), '.', host_label);
}

// Words of lower-case letters and digits, joined by `.`, `_`, `__` or any number of `-`.
bool image_name(std::string_view text) {
  if (text.empty() || !lower_or_digit(text.front()) || !lower_or_digit(text.back())) return false;
  while (!text.empty()) {
    text::take(text, lower_or_digit);
    const std::string_view rest = text;
    const std::string_view joint =
        rest.substr(0, text::take(text, [](char c) { return !lower_or_digit(c); }));
    if (joint.find_first_not_of('-') != joint.npos && joint != "." && joint != "_" && joint != "__")
      return false;
  }
  return true;
}

bool image_tag(std::string_view text) {
  return text.size() <= 128 && all(text, label_char) && text.front() != '.' && text.front() != '-';
}

bool image_digest(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == text.npos) return false;
  const std::string_view hash = text.substr(colon + 1);
  return all(text.substr(0, colon), lower_or_digit) && hash.size() >= 32 &&
         hash.find_first_not_of("0123456789abcdef") == hash.npos;
}

// As container runtimes read references: [REGISTRY/]NAME[/NAME]...[:TAG][@DIGEST].
bool image(std::string_view text) {
  if (const std::size_t at = text.find('@'); at != text.npos) {
    if (!image_digest(text.substr(at + 1))) return false;
    text = text.substr(0, at);
  }
  if (const std::size_t slash = text.find('/');
      slash != text.npos && registry(text.substr(0, slash)))
    text.remove_prefix(slash + 1);
  if (const std::size_t colon = text.find(':'); colon != text.npos) {
    if (!image_tag(text.substr(colon + 1))) return false;
    text = text.substr(0, colon);
  }
  return parts_are(text, '/', image_name);
}

bool absolute_path(std::string_view text) {
  return text.starts_with('/') && text.find_first_of(":\n\r") == std::string_view::npos;
}

// A path of the node that stays below what it names.
bool node_path(std::string_view text) {
  return absolute_path(text) &&
         parts_are(text, '/', [](std::string_view part) { return part != ".."; });
}

// A path below a folder.
bool sub_path(std::string_view text) {
  return !text.empty() && text.front() != '/' &&
         parts_are(text, '/', [](std::string_view part) { return part != ".."; });
}

// `metadata.labels['KEY']`
bool metadata_entry(std::string_view text) {
  const std::size_t quote = text.find('\'');
  const std::string_view map = text.substr(0, quote);
  if ((map != "metadata.labels[" && map != "metadata.annotations[") || !text.ends_with("']"))
    return false;
  const std::size_t end = text.find('\'', quote + 1);
  return end == text.size() - 2 && end > quote + 1;
}

// What a variable can hold of its pod.
bool field_path(std::string_view text) {
  constexpr std::string_view fields[] = {"metadata.name",
                                         "metadata.namespace",
                                         "metadata.uid",
                                         "spec.nodeName",
                                         "spec.serviceAccountName",
                                         "status.hostIP",
                                         "status.hostIPs",
                                         "status.podIP",
                                         "status.podIPs"};
  return std::ranges::count(fields, text) > 0 || metadata_entry(text);
}

// What a file of a volume can hold of its pod: values that change while the pod runs too.
bool file_field_path(std::string_view text) {
  constexpr std::string_view fields[] = {"metadata.name", "metadata.namespace", "metadata.uid",
                                         "metadata.labels", "metadata.annotations"};
  return std::ranges::count(fields, text) > 0 || metadata_entry(text);
}

// Of what a container can request.
bool resource_name(std::string_view text) {
  constexpr std::string_view own[] = {"cpu", "memory", "ephemeral-storage"};
  if (std::ranges::count(own, text) > 0) return true;
  constexpr std::string_view pages = "hugepages-";
  if (!text.starts_with(pages)) return has(text, "/") && label_key(text);
  text.remove_prefix(pages.size());
  if (!text.ends_with('i') || text.starts_with('0')) return false;
  text.remove_suffix(1);
  const std::string_view size = text.substr(0, text.find_last_not_of("KMG") + 1);
  return text.size() == size.size() + 1 && all(size, digit);
}

bool bucket(std::string_view text) {
  const auto is_part = [](std::string_view part) {
    return part.size() <= 63 && all(part, [](char c) { return name_char(c) || c == '_'; });
  };
  return text.size() >= 3 && lower_or_digit(text.front()) && lower_or_digit(text.back()) &&
         parts_are(text, '.', is_part);
}

// A service name of IANA's.
bool port_name(std::string_view text) {
  return dns_label(text) && !has(text, "--") && std::ranges::any_of(text, lower);
}

bool percentage(std::string_view text) {
  return text.ends_with('%') && text.size() > 1 && all(text.substr(0, text.size() - 1), digit);
}

bool reservation(std::string_view text) {
  const std::vector<std::string_view> parts = text::split(text, '/');
  std::span<const std::string_view> path(parts);
  if (path[0] == "projects") {
    const auto project_char = [](char c) { return name_char(c) || c == '.' || c == ':'; };
    if (path.size() < 4 || !all(path[1], project_char) || path[2] != "reservations") return false;
    path = path.subspan(3);
  }
  if (path.size() % 2 == 0 || path.size() > 5) return false;
  constexpr std::string_view levels[] = {"reservationBlocks", "reservationSubBlocks"};
  for (std::size_t i = 0; i < path.size(); ++i) {
    const bool good =
        i % 2 == 1 ? path[i] == levels[i / 2] : path[i].size() <= 63 && workload_name(path[i]);
    if (!good) return false;
  }
  return true;
}

constexpr bool (*all_checks[])(std::string_view) = {
#define FS_PATTERN(name, pattern, max, words) name,
#include "schema/patterns.def"
#undef FS_PATTERN
};

}  // namespace checks

}  // namespace

const PatternRow& row(Pattern pattern) { return rows[static_cast<std::size_t>(pattern)]; }

std::optional<Pattern> pattern_named(std::string_view name) {
  const auto* found = std::ranges::find(rows, name, &PatternRow::name);
  if (found == std::end(rows)) return std::nullopt;
  return static_cast<Pattern>(found - rows);
}

bool matches(Pattern pattern, std::string_view text) {
  return text.size() <= row(pattern).max &&
         checks::all_checks[static_cast<std::size_t>(pattern)](text);
}

std::optional<std::int64_t> duration_seconds(std::string_view text) {
  constexpr std::string_view units = "smhd";
  constexpr std::int64_t seconds[] = {1, 60, 3600, 86400};
  std::int64_t total = 0;
  int parts = 0;
  do {
    const std::size_t end = text.find_first_not_of(digits);
    const std::size_t unit = end == std::string_view::npos ? end : units.find(text[end]);
    if (unit == std::string_view::npos || end == 0 || end > 9 || ++parts > 4) return std::nullopt;
    total += *text::whole_number(text.substr(0, end)) * seconds[unit];
    text.remove_prefix(end + 1);
  } while (!text.empty());
  return total;
}

std::string duration_text(std::int64_t seconds) {
  constexpr std::pair<char, std::int64_t> units[] = {{'d', 86400}, {'h', 3600}, {'m', 60}};
  std::string text;
  for (const auto& [suffix, size] : units) {
    if (seconds >= size) text += std::to_string(seconds / size) + suffix;
    seconds %= size;
  }
  return seconds > 0 || text.empty() ? text + std::to_string(seconds) + 's' : text;
}

}  // namespace flexslice::schema
