// What cron texts say: when a Job starts, how often, and what never comes.
#include "../catch.hpp"
#include "schema/cron.hpp"

namespace flexslice::schema {
namespace {

Cron read(std::string_view text) {
  const auto cron = read_cron(text);
  REQUIRE(std::holds_alternative<Cron>(cron));
  return std::get<Cron>(cron);
}

std::string mistake(std::string_view text) {
  const auto cron = read_cron(text);
  const auto* mistake = std::get_if<CronMistake>(&cron);
  return mistake == nullptr ? "" : mistake->part;
}

TEST_CASE("the time between two starts is that of the two which are closest") {
  CHECK(shortest_gap(read("0 2 * * *")) == 86400);
  CHECK(shortest_gap(read("@hourly")) == 3600);
  CHECK(shortest_gap(read("*/15 6,7 * * *")) == 900);
  CHECK(shortest_gap(read("0 8,20 * * *")) == 12 * 3600);
  CHECK(shortest_gap(read("30 22,1 * * *")) == 3 * 3600);  // over midnight
  CHECK(shortest_gap(read("@every 90m")) == 5400);
  CHECK(shortest_gap(read("0 2 * * mon-fri")) == 86400);
  CHECK_FALSE(shortest_gap(read("0 2 * * 1,3")));  // not from one day to the next
  CHECK_FALSE(shortest_gap(read("@monthly")));
  CHECK_FALSE(shortest_gap(read("@every 1.5h")));
  CHECK(shortest_gap(read("0 2 31 * 6,0")) == 86400);  // one of them is enough
}

TEST_CASE("starts are counted where days or weeks are alike") {
  CHECK(starts_text(read("0 2 * * *")) == "1 a day");
  CHECK(starts_text(read("*/20 * * * *")) == "72 a day");
  CHECK(starts_text(read("5/20 0-11/6 * * *")) == "6 a day");
  CHECK(starts_text(read("0 2,14 * * Mon-Fri")) == "10 a week");
  CHECK(starts_text(read("@weekly")) == "1 a week");
  CHECK(starts_text(read("@every 6h")) == "4 a day");
  CHECK(starts_text(read("@every 7h")).empty());
  CHECK(starts_text(read("0 2 1 * *")).empty());
  CHECK(starts_of_day(read("0 2 * * 1")) == 0);
}

TEST_CASE("what cannot be or never comes is named") {
  CHECK(mistake("0 22-4 * * *") == "22-4");
  CHECK(mistake("0 2 * * fri-mon") == "fri-mon");
  CHECK(mistake("0 2 31 2,4 *") == "31 2,4");
  CHECK(mistake("0 2 30 feb *") == "30 feb");
  CHECK(mistake("0 2 29 2 *").empty());
  CHECK(mistake("0 2 31 2 1").empty());
}

}  // namespace
}  // namespace flexslice::schema
