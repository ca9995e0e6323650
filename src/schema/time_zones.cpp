#include "schema/time_zones.hpp"

#include <utility>

#include "base/text.hpp"

namespace flexslice::schema {

namespace {

constexpr std::pair<std::string_view, std::string_view> regions[] = {
#define FS_TIME_ZONES(region, places) {region, places},
#include "schema/time_zones.def"
#undef FS_TIME_ZONES
};

// Calls `visit` with the region, the place in it, and its hours, until it returns true.
void visit_zones(const auto& visit) {
  for (const auto& [region, places] : regions) {
    for (const std::string_view each : text::split(places, ' ')) {
      const std::size_t equals = each.find('=');
      const std::string_view hours = equals == each.npos ? "" : each.substr(equals + 1);
      if (visit(region, each.substr(0, equals), hours)) return;
    }
  }
}

std::optional<std::string_view> hours_of(std::string_view name) {
  std::optional<std::string_view> found;
  visit_zones([&](std::string_view region, std::string_view place, std::string_view hours) {
    if (name.size() == region.size() + place.size() && name.starts_with(region) &&
        name.ends_with(place))
      found = hours;
    return found.has_value();
  });
  return found;
}

}  // namespace

bool is_time_zone(std::string_view name) { return hours_of(name).has_value(); }

std::optional<std::string> time_zone_like(std::string_view text) {
  std::string wanted = text::lower(text);
  for (char& c : wanted) c = c == ' ' ? '_' : c;
  std::vector<std::string> names;
  std::optional<std::string> found;
  visit_zones([&](std::string_view region, std::string_view place, std::string_view) {
    const std::string name =
        text::lower(names.emplace_back(std::string(region) + std::string(place)));
    if (name == wanted || (!region.empty() && name.substr(name.rfind('/') + 1) == wanted))
      found = names.back();
    return found.has_value();
  });
  if (found) return found;
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  if (const auto near = text::nearest(text, candidates)) return std::string(*near);
  return std::nullopt;
}

std::vector<int> hours_of_clock_changes(std::string_view name) {
  std::vector<int> hours;
  const auto listed = hours_of(name);
  if (!listed || listed->empty()) return hours;
  for (const std::string_view hour : text::split(*listed, ','))
    hours.push_back(static_cast<int>(text::whole_number(hour).value_or(0)));
  return hours;
}

}  // namespace flexslice::schema
