#include <set>

#include "../catch.hpp"
#include "base/text.hpp"
#include "catalog/catalog.hpp"

using namespace flexslice::catalog;

namespace {

const Catalog& facts() {
  static const Catalog catalog = built_in();
  return catalog;
}

const Generation& generation(std::string_view id) { return *find_generation(facts(), id); }

bool exists(std::string_view id, std::string_view topology) {
  return !machine_types_for(generation(id), parse_topology(topology).value()).empty();
}

std::string names_for(std::string_view id, std::string_view topology) {
  std::vector<std::string_view> names;
  for (const MachineType* machine :
       machine_types_for(generation(id), parse_topology(topology).value()))
    names.push_back(machine->name);
  return flexslice::text::join(names, " ");
}

std::string text(const std::vector<Topology>& topologies) {
  std::vector<std::string> texts;
  texts.reserve(topologies.size());
  for (const Topology& topology : topologies) texts.push_back(topology.text());
  return flexslice::text::join(texts, " ");
}

std::string nearest(std::string_view id, std::string_view wanted) {
  return text(nearest_topologies(generation(id), parse_topology(wanted).value()));
}

}  // namespace

TEST_CASE("how many shapes the rule of cubes gives", "[catalog]") {
  CHECK(topologies(generation("v4"), 4096).size() == 186);
  CHECK(topologies(generation("v5p"), 6144).size() == 278);
  CHECK(topologies(generation("tpu7x"), 9216).size() == 432);
}

TEST_CASE("the rule of cubes agrees with counting", "[catalog]") {
  for (const char* id : {"v4", "v5p", "tpu7x"}) {
    std::set<std::string> counted{"2x2x1", "2x2x2", "2x2x4", "2x4x4"};
    for (int a = 1; a <= 300; ++a) {
      for (int b = a; std::int64_t{a} * b * b <= generation(id).max_chips; ++b) {
        for (int c = b; std::int64_t{a} * b * c <= generation(id).max_chips && c <= 256; ++c) {
          if (a % 4 == 0 && b % 4 == 0 && c % 4 == 0) counted.insert(Topology{{a, b, c}, 3}.text());
        }
      }
    }
    std::set<std::string> found;
    for (const Topology& topology : topologies(generation(id), generation(id).max_chips)) {
      CHECK(exists(id, topology.text()));
      found.insert(topology.text());
    }
    CHECK(found == counted);
  }
}

TEST_CASE("shapes that do not exist", "[catalog]") {
  for (const char* id : {"v4", "v5p", "tpu7x"}) {
    for (const char* topology : {"2x2x8", "4x4x6", "2x4x8", "8x4x4", "1x2x2", "2x1x2", "4x4", "1x1",
                                 "2x2x3", "4x2x2", "4x4x2", "4x4x260", "6x6x6", "1x1x4"}) {
      INFO(id << ' ' << topology);
      CHECK_FALSE(exists(id, topology));
    }
  }
  for (const char* id : {"v5e", "v6e"}) {
    for (const char* topology :
         {"4x2", "8x4", "2x8", "4x6", "1x2", "1x4", "16x32", "32x32", "2x2x1", "3x3", "4x16"}) {
      INFO(id << ' ' << topology);
      CHECK_FALSE(exists(id, topology));
    }
  }
  for (const char* topology : {"1x1", "2x4", "32x64", "8x4"}) CHECK_FALSE(exists("v3", topology));
}

TEST_CASE("the largest slices", "[catalog]") {
  CHECK(exists("v4", "16x16x16"));
  CHECK_FALSE(exists("v4", "16x16x20"));
  CHECK(exists("v5p", "16x16x24"));
  CHECK_FALSE(exists("v5p", "16x16x28"));
  CHECK_FALSE(exists("v5p", "16x16x32"));
  // Tools know it beyond the limits: it can be allowed, and is not suggested.
  CHECK(exists("v5p", "16x20x28"));
  CHECK_FALSE(fits_limits(generation("v5p"), parse_topology("16x20x28").value()));
  CHECK(exists("tpu7x", "16x16x36"));
  CHECK_FALSE(exists("tpu7x", "16x16x40"));
  CHECK(exists("tpu7x", "4x4x256"));
  CHECK_FALSE(exists("tpu7x", "4x4x512"));
}

TEST_CASE("machine types for a shape", "[catalog]") {
  CHECK(names_for("v6e", "2x4") == "ct6e-standard-4t ct6e-standard-8t");
  CHECK(names_for("v5e", "2x4") == "ct5lp-hightpu-4t ct5lp-hightpu-8t");
  CHECK(names_for("v6e", "2x2") == "ct6e-standard-4t");
  CHECK(names_for("v6e", "1x1") == "ct6e-standard-1t");
  CHECK(names_for("v3", "2x2") == "ct3-hightpu-4t");
  CHECK(names_for("v3", "4x4") == "ct3p-hightpu-4t");
  CHECK(names_for("tpu7x", "2x2x2") == "tpu7x-standard-4t");
  CHECK(names_for("tpu7x", "1x1x1") == "tpu7x-standard-1t");
}

TEST_CASE("lists of shapes ascend", "[catalog]") {
  CHECK(text(topologies(generation("v6e"))) == "1x1 2x2 2x4 4x4 4x8 8x8 8x16 16x16");
  CHECK(text(topologies(generation("v3"))) == "2x2 4x4 4x8 8x8 8x16 16x16 16x32 32x32");
  CHECK(text(topologies(generation("v5p"))) ==
        "2x2x1 2x2x2 2x2x4 2x4x4 4x4x4 4x4x8 4x4x12 4x4x16 4x8x8");
  CHECK(text(topologies(generation("tpu7x"), 64)) == "2x2x1 2x2x2 2x2x4 2x4x4 4x4x4");
}

TEST_CASE("the nearest shapes", "[catalog]") {
  CHECK(nearest("v6e", "4x6") == "4x4 4x8");
  CHECK(nearest("v6e", "2x8") == "4x4");
  CHECK(nearest("v6e", "8x4") == "4x8");
  CHECK(nearest("v6e", "1x2") == "1x1 2x2");
  CHECK(nearest("v6e", "32x32") == "16x16");
  CHECK(nearest("v3", "1x1") == "2x2");
  CHECK(nearest("v5p", "4x4x6") == "4x4x4 4x4x8");
  CHECK(nearest("v5p", "2x2x8") == "2x4x4");
  CHECK(nearest("v5p", "8x4x4") == "4x4x8");
  CHECK(nearest("v5p", "4x4x17") == "4x4x16 4x4x20");
  CHECK(nearest("v5p", "16x16x999") == "16x16x24");
  CHECK(nearest("v5p", "4x4") == "2x2x4");
  CHECK(nearest("tpu7x", "1x1x1") == "2x2x1");
}

TEST_CASE("shapes that are only out of order", "[catalog]") {
  CHECK(reordered_shape(generation("v5p"), *parse_topology("8x4x4"))->text() == "4x4x8");
  CHECK(reordered_shape(generation("v5p"), *parse_topology("1x2x2"))->text() == "2x2x1");
  CHECK(reordered_shape(generation("v6e"), *parse_topology("8x4"))->text() == "4x8");
  CHECK_FALSE(reordered_shape(generation("v6e"), *parse_topology("2x8")));
  CHECK_FALSE(reordered_shape(generation("v5p"), *parse_topology("4x4x6")));
  CHECK_FALSE(reordered_shape(generation("v5p"), *parse_topology("8x4")));
}
