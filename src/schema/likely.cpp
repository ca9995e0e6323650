#include "schema/likely.hpp"

#include <algorithm>
#include <span>

#include "base/ascii.hpp"
#include "base/text.hpp"

namespace flexslice::schema {

namespace {

// How people write a unit, in lower case, and what it is here.
struct Unit {
  std::string_view word;
  std::string_view suffix;
};

constexpr Unit amounts[] = {
    {"", ""},      {"core", ""}, {"cores", ""}, {"cpu", ""},  {"cpus", ""},  {"vcpu", ""},
    {"vcpus", ""}, {"k", "k"},   {"kb", "k"},   {"m", "M"},   {"mb", "M"},   {"g", "G"},
    {"gb", "G"},   {"t", "T"},   {"tb", "T"},   {"ki", "Ki"}, {"kib", "Ki"}, {"mi", "Mi"},
    {"mib", "Mi"}, {"gi", "Gi"}, {"gib", "Gi"}, {"ti", "Ti"}, {"tib", "Ti"},
};

// gcloud counts in seconds where no unit is given.
constexpr Unit times[] = {
    {"", "s"},        {"s", "s"}, {"sec", "s"}, {"secs", "s"}, {"second", "s"},
    {"seconds", "s"}, {"m", "m"}, {"min", "m"}, {"mins", "m"}, {"minute", "m"},
    {"minutes", "m"}, {"h", "h"}, {"hr", "h"},  {"hrs", "h"},  {"hour", "h"},
    {"hours", "h"},   {"d", "d"}, {"day", "d"}, {"days", "d"},
};

// As many characters as `is` holds for.
std::string_view take(std::string_view& text, bool (*is)(char)) {
  const auto end = std::find_if_not(text.begin(), text.end(), is);
  const std::string_view taken = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(taken.size());
  return taken;
}

// `1 hour 30 min` as `1h30m`: each number with its unit's suffix.
std::string with_suffixes(std::string_view text, std::span<const Unit> units) {
  std::string made;
  const std::string lowered = text::lower(text);
  for (std::string_view rest = text::trim(lowered); !rest.empty(); rest = text::trim(rest)) {
    const std::string_view number =
        take(rest, [](char c) { return ascii::is_digit(c) || c == '.'; });
    rest = text::trim(rest);
    const std::string_view word = take(rest, ascii::is_lower);
    const auto unit = std::find_if(units.begin(), units.end(),
                                   [&](const Unit& each) { return each.word == word; });
    if (number.empty() || unit == units.end() || (word.empty() && !rest.empty())) return {};
    made += number;
    made += unit->suffix;
  }
  return made;
}

// Lower case, and `-` for what stands between the words of a name.
std::string as_name(std::string_view text) {
  std::string made = text::lower(text::trim(text));
  std::replace_if(
      made.begin(), made.end(), [](char c) { return c == '_' || c == ' '; }, '-');
  return made;
}

// `us-east5b` as `us-east5-b`.
std::string as_zone(std::string_view text) {
  std::string made = as_name(text);
  if (made.size() >= 2 && ascii::is_digit(made[made.size() - 2]) && !ascii::is_digit(made.back()))
    made.insert(made.size() - 1, 1, '-');
  return made;
}

std::string as_bucket(std::string_view text) {
  if (text.starts_with("gs://")) text.remove_prefix(5);
  if (text.ends_with('/')) text.remove_suffix(1);
  return text::lower(text);
}

// `https://docker.io/library/busybox` without the scheme.
std::string as_image(std::string_view text) {
  const std::size_t scheme = text.find("://");
  return std::string(scheme == std::string_view::npos ? text : text.substr(scheme + 3));
}

std::string guess(Pattern pattern, std::string_view text) {
  switch (pattern) {
    case Pattern::quantity:
      return with_suffixes(text, amounts);
    case Pattern::duration:
      return with_suffixes(text, times);
    case Pattern::zone:
    case Pattern::location:
      return as_zone(text);
    case Pattern::bucket:
      return as_bucket(text);
    case Pattern::image:
      return as_image(text);
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

}  // namespace

std::optional<std::string> likely(Pattern pattern, std::string_view text) {
  std::string guessed = guess(pattern, text);
  if (guessed.empty() || guessed == text || !matches(pattern, guessed)) return std::nullopt;
  return guessed;
}

}  // namespace flexslice::schema
