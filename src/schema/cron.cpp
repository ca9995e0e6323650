#include "schema/cron.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "base/text.hpp"
#include "schema/pattern.hpp"

namespace flexslice::schema {

namespace {

struct CronField {
  Cron::Field Cron::*field;
  std::string_view name;
  int first, last;
  std::string_view words;  // that stand for the numbers, from the first on
};

constexpr CronField cron_rows[] = {
    {&Cron::minute, "minutes", 0, 59, {}},
    {&Cron::hour, "hours", 0, 23, {}},
    {&Cron::day, "days", 1, 31, {}},
    {&Cron::month, "months", 1, 12, "jan feb mar apr may jun jul aug sep oct nov dec"},
    {&Cron::weekday, "weekdays", 0, 6, "sun mon tue wed thu fri sat"},
};

constexpr std::pair<std::string_view, std::string_view> macros[] = {
    {"@yearly", "0 0 1 1 *"}, {"@annually", "0 0 1 1 *"}, {"@monthly", "0 0 1 * *"},
    {"@weekly", "0 0 * * 0"}, {"@daily", "0 0 * * *"},    {"@midnight", "0 0 * * *"},
    {"@hourly", "0 * * * *"},
};

constexpr std::int64_t of_minute = 60, of_day = 24 * 60 * of_minute;

int value_in_field(const CronField& row, std::string_view text) {
  const auto words = text::split(row.words, ' ');
  const auto word = std::ranges::find(words, text::lower(text));
  return word != words.end() ? row.first + static_cast<int>(word - words.begin())
                             : static_cast<int>(text::whole_number(text).value_or(row.first));
}

// `*`, `5`, `1-5`, each with `/2`. A number with a step goes on to the end.
std::optional<CronMistake> add_item(const CronField& row, std::string_view item,
                                    Cron::Field& field) {
  const std::size_t slash = item.find('/');
  const bool has_step = slash != std::string_view::npos;
  const std::string_view range = item.substr(0, slash);
  const std::size_t dash = range.find('-');
  int first = row.first, last = row.last;
  const std::int64_t step =
      has_step ? text::whole_number(item.substr(slash + 1)).value_or(row.last + 1) : 1;
  if (range == "*" || range == "?") {
    field.any = step == 1;
  } else {
    first = value_in_field(row, range.substr(0, dash));
    if (dash != std::string_view::npos)
      last = value_in_field(row, range.substr(dash + 1));
    else if (!has_step)
      last = first;
  }
  if (first > last)
    return CronMistake{std::string(item),
                       fmt::format("the {} end before they start; write two ranges, such as "
                                   "`{}-{},{}-{}`",
                                   row.name, first, row.last, row.first, last)};
  for (std::int64_t value = first; value <= last; value += std::min<std::int64_t>(step, 64))
    field.values |= std::uint64_t{1} << value;
  return std::nullopt;
}

// No month of the schedule has one of its days.
bool never_comes(const Cron& cron) {
  constexpr int longest[] = {0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (!cron.weekday.any || cron.day.any) return false;
  for (int month = 1; month <= 12; ++month) {
    for (int day = 1; cron.month.has(month) && day <= longest[month]; ++day) {
      if (cron.day.has(day)) return false;
    }
  }
  return true;
}

int values_in(const Cron::Field& field) { return std::popcount(field.values); }

bool is_every_day(const Cron& cron) {
  return (cron.day.any || cron.day.values == 0xfffffffe) && values_in(cron.weekday) == 7 &&
         values_in(cron.month) == 12;
}

bool is_weekly(const Cron& cron) { return cron.day.any && values_in(cron.month) == 12; }

// Returns whether a day with starts can follow another one.
bool has_neighbours(const Cron& cron) {
  if (is_every_day(cron)) return true;
  const auto is_next = [](const Cron::Field& field, int first, int last) {
    for (int value = first; value < last; ++value) {
      if (field.has(value) && field.has(value + 1)) return true;
    }
    return field.has(last) && field.has(first);
  };
  return (!cron.weekday.any && is_next(cron.weekday, 0, 6)) ||
         (!cron.day.any && is_next(cron.day, 1, 31));
}

}  // namespace

std::variant<Cron, CronMistake> read_cron(std::string_view text) {
  Cron cron;
  constexpr std::string_view every = "@every ";
  if (text.starts_with(every)) {
    cron.every = duration_seconds(text.substr(every.size())).value_or(0);
    return cron;
  }
  for (const auto& [macro, fields] : macros) {
    if (text == macro) text = fields;
  }
  std::vector<std::string_view> fields = text::split(text, ' ');
  std::erase(fields, "");
  for (std::size_t i = 0; i < std::min(fields.size(), std::size(cron_rows)); ++i) {
    for (std::string_view item : text::split(fields[i], ',')) {
      if (auto mistake = add_item(cron_rows[i], item, cron.*cron_rows[i].field)) return *mistake;
    }
  }
  if (never_comes(cron))
    return CronMistake{fmt::format("{} {}", fields[2], fields[3]), "no month has such a day"};
  return cron;
}

std::optional<std::int64_t> shortest_gap(const Cron& cron) {
  if (cron.every > 0) return cron.every;
  std::vector<std::int64_t> starts;  // of a day, in minutes
  for (int hour = 0; hour < 24; ++hour) {
    for (int minute = 0; cron.hour.has(hour) && minute < 60; ++minute) {
      if (cron.minute.has(minute)) starts.push_back(hour * 60 + minute);
    }
  }
  if (starts.empty()) return std::nullopt;
  std::optional<std::int64_t> gap;
  const auto add = [&](std::int64_t minutes) {
    if (!gap || minutes * of_minute < *gap) gap = minutes * of_minute;
  };
  for (std::size_t i = 1; i < starts.size(); ++i) add(starts[i] - starts[i - 1]);
  if (has_neighbours(cron)) add(of_day / of_minute - starts.back() + starts.front());
  return gap;
}

std::int64_t starts_of_day(const Cron& cron) {
  if (cron.every > 0) return of_day % cron.every == 0 ? of_day / cron.every : 0;
  return is_every_day(cron) ? values_in(cron.minute) * values_in(cron.hour) : 0;
}

std::string starts_text(const Cron& cron) {
  if (const std::int64_t starts = starts_of_day(cron); starts > 0)
    return fmt::format("{} a day", starts);
  if (cron.every > 0 || !is_weekly(cron)) return {};
  return fmt::format("{} a week",
                     values_in(cron.minute) * values_in(cron.hour) * values_in(cron.weekday));
}

}  // namespace flexslice::schema
