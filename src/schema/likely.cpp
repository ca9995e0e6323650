#include "schema/likely.hpp"

#include <algorithm>
#include <span>

#include "base/ascii.hpp"
#include "base/text.hpp"

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

// gcloud counts in seconds where no unit is given.
constexpr Unit times[] = {
    {" s sec secs second seconds", "s"},
    {"m min mins minute minutes", "m"},
    {"h hr hrs hour hours", "h"},
    {"d day days", "d"},
};

// As many characters as `is` holds for.
std::string_view take(std::string_view& text, bool (*is)(char)) {
  const auto end = std::ranges::find_if_not(text, is);
  const std::string_view taken = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(taken.size());
  return taken;
}

// `1 hour 30 min` as `1h30m`: each number with its unit's suffix.
std::string with_suffixes(std::string_view text, std::span<const Unit> units) {
  std::string amount;
  const std::string lowered = text::lower(text);
  for (std::string_view rest = text::trim(lowered); !rest.empty(); rest = text::trim(rest)) {
    const std::string_view number =
        take(rest, [](char c) { return ascii::is_digit(c) || c == '.'; });
    rest = text::trim(rest);
    const std::string_view word = take(rest, ascii::is_lower);
    const auto unit = std::ranges::find_if(units, [&](const Unit& candidate) {
      return std::ranges::count(text::split(candidate.words, ' '), word) > 0;
    });
    if (number.empty() || unit == units.end() || (word.empty() && !rest.empty())) return {};
    amount += number;
    amount += unit->suffix;
  }
  return amount;
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
