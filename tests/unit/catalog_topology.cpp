#include "../catch.hpp"
#include "catalog/catalog.hpp"

using namespace flexslice::catalog;

TEST_CASE("a topology is two or three numbers", "[catalog]") {
  CHECK(parse_topology("4x8") == Topology{{4, 8, 1}, 2});
  CHECK(parse_topology("2x2x1") == Topology{{2, 2, 1}, 3});
  CHECK(parse_topology("12x16x256") == Topology{{12, 16, 256}, 3});
  CHECK(parse_topology("999x999x999")->chips() == 997'002'999);
  for (const char* text :
       {"",       "x",   "4",       "4x",   "x4",   "4x4x", "4xx4", "0x4",   "04x4", "4x04",
        "1000x1", "4X4", "4x4x4x4", " 4x4", "4x4 ", "-4x4", "4*4",  "4x4\n", "+4x4", "4x4x0"}) {
    INFO(text);
    CHECK_FALSE(parse_topology(text));
  }
}

TEST_CASE("a topology prints as it was read", "[catalog]") {
  for (const char* text : {"1x1", "2x4", "16x16", "2x2x1", "1x1x1", "8x16x16", "999x1x999"})
    CHECK(parse_topology(text)->text() == text);
}

TEST_CASE("sorting a topology keeps its sizes and dimensions", "[catalog]") {
  CHECK(sorted(*parse_topology("8x4x4")).text() == "4x4x8");
  CHECK(sorted(*parse_topology("16x4x8")).text() == "4x8x16");
  CHECK(sorted(*parse_topology("8x4")).text() == "4x8");
  CHECK(sorted(*parse_topology("4x8")).text() == "4x8");
  CHECK(sorted(*parse_topology("2x2x1")).text() == "1x2x2");
}

TEST_CASE("versions compare as versions, not as texts", "[catalog]") {
  const auto version = [](const char* text) { return parse_version(text).value(); };
  CHECK(version("1.9.0") < version("1.10.0"));
  CHECK(version("1.33.0-gke.1712000") < version("1.33.0-gke.10000000"));
  CHECK(version("1.33.0-gke.1712000") < version("1.33.1-gke.1"));
  CHECK(version("1.33.10-gke.1") > version("1.33.9-gke.9"));
  CHECK(version("1.34") > version("1.33.9-gke.9999999"));
  CHECK(version("1.33") == version("1.33.0"));
  CHECK(version("1.33.0") < version("1.33.0-gke.1"));
  CHECK(version("2.0") > version("1.99"));
  for (const char* text : {"", "1", "1.", ".33", "1.33.", "v1.33", "1.33.0-gke", "1.33.0-gke.",
                           "1.33-gke.1", "1.33.0-gke.1.2", "1.33.0.1", "1.33.0 ", "1.x", "latest",
                           "1.33.0-gke.-1", "1.33.0-gke.99999999999999999999"}) {
    INFO(text);
    CHECK_FALSE(parse_version(text));
  }
}
