// A cron text says when a Job starts, and how often; it is read as github.com/robfig/cron/v3 reads
// it for Kubernetes. rules/ judges schedules by it, and explain counts starts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace flexslice::schema {

// The values of each field, a bit each. What is `any` is `*` or `?`: of days and weekdays, if
// neither is, one of them is enough.
struct Cron {
  struct Field {
    std::uint64_t values = 0;
    bool any = false;
    bool has(int value) const { return (values >> value & 1u) != 0; }
  };
  Field minute, hour, day, month, weekday;
  std::int64_t every = 0;  // seconds, of `@every`; 0: at the times of the fields
};

// A part of a text of the right form that means nothing, and why.
struct CronMistake {
  std::string part, why;
};

// The text must have the form of Pattern::schedule.
std::variant<Cron, CronMistake> read_cron(std::string_view text);

// The seconds between two starts that follow each other soonest; nothing: not known.
std::optional<std::int64_t> shortest_gap(const Cron& cron);
// `3 a day`, `5 a week`; empty where it differs from day to day or from week to week.
std::string starts_text(const Cron& cron);
// The starts of a day, where all days are alike; 0: they are not.
std::int64_t starts_of_day(const Cron& cron);

}  // namespace flexslice::schema
