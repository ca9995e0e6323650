// Durations in seconds, and some values of each form that the general law would not think of.
#include "../catch.hpp"
#include "schema/pattern.hpp"

namespace flexslice::schema {

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
  for (const char* text : {"", "90", "s", "1.5h", "-1s", " 1s", "1s ", "1 s", "1w", "1S",
                           "1000000000s", "1s1s1s1s1s", "1h30", "ms", "1ms"}) {
    CAPTURE(text);
    CHECK_FALSE(duration_seconds(text));
  }
}

TEST_CASE("seconds as people write them") {
  CHECK(duration_text(600) == "10m");
  CHECK(duration_text(604800) == "7d");
  CHECK(duration_text(5400) == "1h30m");
  CHECK(duration_text(93784) == "1d2h3m4s");
  CHECK(duration_text(0) == "0s");
}

TEST_CASE("names of buckets") {
  const std::string long_part(64, 'a');
  for (const std::string& text : {std::string("abc"), std::string("a_b-c"), std::string("a.b"),
                                  std::string("1a.b_c.d2"), long_part.substr(1)}) {
    CAPTURE(text);
    CHECK(matches(Pattern::bucket, text));
  }
  for (const std::string& text :
       {std::string("ab"), std::string("_"), std::string("_ab"), std::string("Abc"),
        std::string("ab."), std::string("a..b"), long_part, "a." + long_part}) {
    CAPTURE(text);
    CHECK_FALSE(matches(Pattern::bucket, text));
  }
}

TEST_CASE("a zone is a region with a suffix, and a location is either") {
  CHECK(matches(Pattern::zone, "us-east5-b"));
  CHECK(matches(Pattern::zone, "us-south1-ai1b"));
  CHECK_FALSE(matches(Pattern::zone, "us-east5"));
  CHECK(matches(Pattern::location, "us-east5"));
  CHECK(matches(Pattern::location, "us-east5-b"));
  CHECK_FALSE(matches(Pattern::location, "us"));
  CHECK_FALSE(matches(Pattern::location, "us-east"));
  CHECK_FALSE(matches(Pattern::location, "us-east5-"));
  CHECK_FALSE(matches(Pattern::location, "us-5"));
}

TEST_CASE("a reservation has a block, and a sub-block only in a block") {
  CHECK(matches(Pattern::reservation, "r"));
  CHECK(matches(Pattern::reservation, "projects/p/reservations/r"));
  CHECK(
      matches(Pattern::reservation,
              "projects/example.com:p/reservations/r/reservationBlocks/b/reservationSubBlocks/s"));
  CHECK_FALSE(matches(Pattern::reservation, "r/reservationSubBlocks/s"));
  CHECK_FALSE(matches(Pattern::reservation, "r/reservationBlocks"));
  CHECK_FALSE(matches(Pattern::reservation, "r/reservationBlocks/b/"));
  CHECK_FALSE(matches(Pattern::reservation, "projects/p/r"));
  CHECK_FALSE(matches(Pattern::reservation, "projects//reservations/r"));
  CHECK_FALSE(matches(Pattern::reservation, "a/b"));
}

TEST_CASE("a port name has a letter, and no two hyphens in a row") {
  for (const char* text : {"a", "1a", "1-a", "a-1-2", "1-2-3c", "abcdefghijklmno"}) {
    CAPTURE(text);
    CHECK(matches(Pattern::port_name, text));
  }
  for (const char* text : {"", "1", "123", "1-2", "a--b", "-a", "a-", "A", "abcdefghijklmnop"}) {
    CAPTURE(text);
    CHECK_FALSE(matches(Pattern::port_name, text));
  }
}

TEST_CASE("keys are names of files that stay in their folder") {
  for (const char* text : {"A", "_", "-", ".env", "a..b", "A."}) {
    CAPTURE(text);
    CHECK(matches(Pattern::data_key, text));
  }
  for (const char* text : {"", ".", "..", "..a", "...", "a/b"}) {
    CAPTURE(text);
    CHECK_FALSE(matches(Pattern::data_key, text));
  }
  CHECK(matches(Pattern::data_key, "1"));
}

TEST_CASE("a variable has any name that Kubernetes takes since 1.32") {
  for (const char* text : {"A", "1", ".", "..a", "a b", "a/b", "a(b", "~"}) {
    CAPTURE(text);
    CHECK(matches(Pattern::variable_name, text));
  }
  for (const char* text : {"", "a=b", "\u00e4", "a\tb"}) {
    CAPTURE(text);
    CHECK_FALSE(matches(Pattern::variable_name, text));
  }
}

TEST_CASE("a path of the node does not go up") {
  for (const char* text : {"/", "/tmp", "/tmp/", "//tmp", "/.", "/...", "/..a/b..c/.d"}) {
    CAPTURE(text);
    CHECK(matches(Pattern::node_path, text));
  }
  for (const char* text :
       {"", "tmp", "/..", "/../etc", "/var/..", "/var/../etc", "/a:b", "/a\nb"}) {
    CAPTURE(text);
    CHECK_FALSE(matches(Pattern::node_path, text));
  }
}

}  // namespace flexslice::schema
