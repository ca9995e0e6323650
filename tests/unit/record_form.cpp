// Durations in seconds, and some values of each form that the general law would not think of.
#include "../catch.hpp"
#include "record/form.hpp"

namespace flexslice::record {

TEST_CASE("durations are sums of seconds, minutes, hours and days") {
  CHECK(duration_seconds("90s") == 90);
  CHECK(duration_seconds("10m") == 600);
  CHECK(duration_seconds("2h") == 7200);
  CHECK(duration_seconds("7d") == 604800);
  CHECK(duration_seconds("1h30m") == 5400);
  CHECK(duration_seconds("1d2h3m4s") == 93784);
  CHECK(duration_seconds("0s") == 0);
  CHECK(duration_seconds("007s") == 7);
  CHECK(duration_seconds("999999999d") == 86399999913600);
  for (const char* text :
       {"", "90", "s", "1.5h", "-1s", " 1s", "1s ", "1 s", "1w", "1S", "1000000000s", "1s1s1s1s1s", "1h30", "ms", "1ms"}) {
    CAPTURE(text);
    CHECK_FALSE(duration_seconds(text));
  }
}

TEST_CASE("a zone is a region with a suffix, and a location is either") {
  CHECK(matches(Form::zone, "us-east5-b"));
  CHECK(matches(Form::zone, "us-south1-ai1b"));
  CHECK_FALSE(matches(Form::zone, "us-east5"));
  CHECK(matches(Form::location, "us-east5"));
  CHECK(matches(Form::location, "us-east5-b"));
  CHECK_FALSE(matches(Form::location, "us"));
  CHECK_FALSE(matches(Form::location, "us-east"));
  CHECK_FALSE(matches(Form::location, "us-east5-"));
  CHECK_FALSE(matches(Form::location, "us-5"));
}

TEST_CASE("a reservation has a block, and a sub-block only in a block") {
  CHECK(matches(Form::reservation, "r"));
  CHECK(matches(Form::reservation, "projects/p/reservations/r"));
  CHECK(matches(Form::reservation, "projects/example.com:p/reservations/r/reservationBlocks/b/reservationSubBlocks/s"));
  CHECK_FALSE(matches(Form::reservation, "r/reservationSubBlocks/s"));
  CHECK_FALSE(matches(Form::reservation, "r/reservationBlocks"));
  CHECK_FALSE(matches(Form::reservation, "r/reservationBlocks/b/"));
  CHECK_FALSE(matches(Form::reservation, "projects/p/r"));
  CHECK_FALSE(matches(Form::reservation, "projects//reservations/r"));
  CHECK_FALSE(matches(Form::reservation, "a/b"));
}

}  // namespace flexslice::record
