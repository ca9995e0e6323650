#include "schema/pattern.hpp"

#include <algorithm>

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

bool lower(char c) { return ascii::is_lower(c); }
bool digit(char c) { return ascii::is_digit(c); }
bool letter_or_digit(char c) { return ascii::is_letter_or_digit(c); }
bool lower_or_digit(char c) { return lower(c) || digit(c); }

using Test = bool (*)(char);

bool all(std::string_view text, Test allowed) {
  return std::all_of(text.begin(), text.end(), allowed);
}

bool shaped(std::string_view text, Test first, Test inner, Test last) {
  return !text.empty() && first(text.front()) && last(text.back()) && all(text, inner);
}

bool name_char(char c) { return lower_or_digit(c) || c == '-'; }
bool digit_or_dash(char c) { return digit(c) || c == '-'; }
bool label_char(char c) { return letter_or_digit(c) || c == '-' || c == '_' || c == '.'; }

bool dns_label(std::string_view text) {
  return shaped(text, lower_or_digit, name_char, lower_or_digit);
}
bool name(std::string_view text) { return shaped(text, lower, name_char, lower_or_digit); }

bool dns_subdomain(std::string_view text) {
  for (std::string_view part : text::split(text, '.')) {
    if (!dns_label(part)) return false;
  }
  return true;
}

bool project(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return name(text);
  const auto domain_char = [](char c) { return name_char(c) || c == '.'; };
  return colon >= 2 && shaped(text.substr(0, colon), lower, domain_char, lower_or_digit) &&
         name(text.substr(colon + 1));
}

// `us-east5`: words joined by `-`, at least two, the last ending with digits.
bool region(std::string_view text) {
  const auto words = text::split(text, '-');
  if (words.size() < 2) return false;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i].empty() || !all(words[i], lower)) return false;
  }
  const std::string_view last = words.back();
  const std::size_t number = last.find_first_of("0123456789");
  return number != 0 && number != std::string_view::npos && all(last.substr(0, number), lower) &&
         all(last.substr(number), digit);
}

bool zone(std::string_view text) {
  const std::size_t dash = text.rfind('-');
  if (dash == std::string_view::npos) return false;
  const std::string_view suffix = text.substr(dash + 1);
  return !suffix.empty() && all(suffix, lower_or_digit) && region(text.substr(0, dash));
}

bool gke_version(std::string_view text) {
  const auto number = [](std::string_view part) { return !part.empty() && all(part, digit); };
  std::string_view build;
  if (const std::size_t dash = text.find("-gke."); dash != std::string_view::npos) {
    build = text.substr(dash + 5);
    if (!number(build)) return false;
    text = text.substr(0, dash);
  }
  const auto parts = text::split(text, '.');
  for (std::string_view part : parts) {
    if (!number(part)) return false;
  }
  return build.empty() ? parts.size() == 2 || parts.size() == 3 : parts.size() == 3;
}

bool label_key(std::string_view text) {
  if (const std::size_t slash = text.find('/'); slash != std::string_view::npos) {
    if (slash > 253 || !dns_subdomain(text.substr(0, slash))) return false;
    text = text.substr(slash + 1);
  }
  return text.size() <= 63 && shaped(text, letter_or_digit, label_char, letter_or_digit);
}

bool label_value(std::string_view text) {
  return text.empty() || shaped(text, letter_or_digit, label_char, letter_or_digit);
}

// Environment variables and keys of data become files, so neither is the folder itself nor leaves
// it.
bool file_name(std::string_view text) {
  return !text.empty() && all(text, label_char) && text != "." && !text.starts_with("..");
}

bool env_name(std::string_view text) { return file_name(text) && !digit(text.front()); }

// A service name of IANA's.
bool port_name(std::string_view text) {
  return shaped(text, lower_or_digit, name_char, lower_or_digit) &&
         text.find("--") == std::string_view::npos && !all(text, digit_or_dash);
}

bool quantity(std::string_view text) {
  return !text.starts_with('-') && parse_quantity(text).has_value();
}

bool image(std::string_view text) {
  if (text.empty() || !letter_or_digit(text.front()) ||
      text.find_first_of(" \t\n\r") != std::string_view::npos)
    return false;
  // A tag or a port stands behind a colon.
  return text.back() != ':' && text.find("::") == std::string_view::npos &&
         text.find(":/") == std::string_view::npos;
}

bool absolute_path(std::string_view text) {
  return text.starts_with('/') && text.find_first_of(":\n\r") == std::string_view::npos;
}

// A path of the node that stays below what it names.
bool node_path(std::string_view text) {
  if (!absolute_path(text)) return false;
  const auto parts = text::split(text, '/');
  return std::find(parts.begin(), parts.end(), "..") == parts.end();
}

bool bucket(std::string_view text) {
  return text.size() >= 3 &&
         shaped(
             text, lower_or_digit, [](char c) { return name_char(c) || c == '_' || c == '.'; },
             lower_or_digit);
}

bool reservation(std::string_view text) {
  std::vector<std::string_view> parts = text::split(text, '/');
  std::size_t at = 0;
  if (parts.front() == "projects") {
    const auto project_char = [](char c) { return name_char(c) || c == '.' || c == ':'; };
    if (parts.size() < 4 || parts[1].empty() || !all(parts[1], project_char) ||
        parts[2] != "reservations")
      return false;
    at = 3;
  }
  const auto short_name = [](std::string_view part) { return part.size() <= 63 && name(part); };
  if (!short_name(parts[at])) return false;
  ++at;
  for (std::string_view level : {"reservationBlocks", "reservationSubBlocks"}) {
    if (at == parts.size()) return true;
    if (parts[at] != level || at + 1 >= parts.size() || !short_name(parts[at + 1])) return false;
    at += 2;
  }
  return at == parts.size();
}

}  // namespace

const PatternRow& row(Pattern pattern) { return rows[static_cast<std::size_t>(pattern)]; }

bool matches(Pattern pattern, std::string_view text) {
  if (text.size() > row(pattern).max) return false;
  switch (pattern) {
    case Pattern::any:
      return true;
    case Pattern::workload_name:
    case Pattern::gke_name:
      return name(text);
    case Pattern::dns_label:
      return dns_label(text);
    case Pattern::dns_subdomain:
      return dns_subdomain(text);
    case Pattern::project:
      return project(text);
    case Pattern::location:
      return region(text) || zone(text);
    case Pattern::zone:
      return zone(text);
    case Pattern::gke_version:
      return gke_version(text);
    case Pattern::label_key:
      return label_key(text);
    case Pattern::label_value:
      return label_value(text);
    case Pattern::env_name:
      return env_name(text);
    case Pattern::duration:
      return duration_seconds(text).has_value();
    case Pattern::quantity:
      return quantity(text);
    case Pattern::image:
      return image(text);
    case Pattern::absolute_path:
      return absolute_path(text);
    case Pattern::node_path:
      return node_path(text);
    case Pattern::bucket:
      return bucket(text);
    case Pattern::data_key:
      return file_name(text);
    case Pattern::port_name:
      return port_name(text);
    case Pattern::reservation:
      return reservation(text);
  }
  return false;
}

std::optional<std::int64_t> duration_seconds(std::string_view text) {
  std::int64_t total = 0;
  int parts = 0;
  while (!text.empty()) {
    const std::size_t unit = text.find_first_not_of("0123456789");
    if (unit == 0 || unit == std::string_view::npos || unit > 9 || ++parts > 4) return std::nullopt;
    std::int64_t scale = 0;
    switch (text[unit]) {
      case 's':
        scale = 1;
        break;
      case 'm':
        scale = 60;
        break;
      case 'h':
        scale = 3600;
        break;
      case 'd':
        scale = 86400;
        break;
      default:
        return std::nullopt;
    }
    total += *text::whole_number(text.substr(0, unit)) * scale;
    text.remove_prefix(unit + 1);
  }
  if (parts == 0) return std::nullopt;
  return total;
}

}  // namespace flexslice::schema
