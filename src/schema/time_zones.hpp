// The time zones of the tz database, in which CronJobs may start Jobs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flexslice::schema {

bool is_time_zone(std::string_view name);
// The zone that is meant by `europe/berlin`, `Europe/Berln` or `Berlin`, if there is one.
std::optional<std::string> time_zone_like(std::string_view text);
// Local hours that changes of the zone's clocks leave out or repeat; none where they never change.
std::vector<int> hours_of_clock_changes(std::string_view name);

}  // namespace flexslice::schema
