// Which shapes exist, and which machine types form them: the compiler agrees with the hand-written
// table for every pair of sizes and every pair of machine type and shape.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "../catch.hpp"
#include "base/text.hpp"
#include "compiled.hpp"
#include "shapes.hpp"

namespace flexslice::law {
namespace {

std::string spec_of(std::string_view type, std::string_view topology, std::string_view machine) {
  return fmt::format(
      "apiVersion: flexslice/v1\nname: law\ncluster: {{mode: autopilot}}\ntpu: {{type: {}, "
      "topology: {}{}}}\n"
      "provisioning: {{model: on-demand}}\n"
      "workload: {{image: busybox, resources: {{ephemeral-storage: 1Gi}}}}\n",
      type, topology, machine.empty() ? std::string() : fmt::format(", machineType: {}", machine));
}

std::set<std::string_view> types() {
  std::set<std::string_view> all;
  for (const Machine& machine : machines()) all.insert(machine.type);
  return all;
}

// Without a machine type: fine when one forms the shape, one error when none does or when several
// do.
std::string fault_of(std::string_view type, const std::string& topology) {
  const Case made = check(spec_of(type, topology, {}));
  const std::size_t expected = forming(type, topology).size() == 1 ? 0 : 1;
  return made.errors() == expected ? "" : fmt::format("{} {}: {}", type, topology, made.findings());
}

std::vector<std::string> all_shapes() {
  std::vector<std::string> shapes;
  for (int a = 1; a <= 33; ++a) {
    for (int b = 1; b <= 33; ++b) {
      if (a <= 5 || b <= 5 || (a % 8 == 0 && b % 8 == 0))
        shapes.push_back(fmt::format("{}x{}", a, b));
    }
  }
  constexpr int some[] = {1, 2, 3, 4, 8, 12};
  for (int a : some) {
    for (int b : some) {
      for (int c : some) shapes.push_back(fmt::format("{}x{}x{}", a, b, c));
    }
  }
  for (const char* large :
       {"16x16x24", "16x24x24", "8x16x32", "16x16x16", "4x32x32", "16x24x25", "24x24x16",
        "20x20x24", "4x4x256", "4x4x260", "4x4x512", "999x999x999", "32x64", "64x64", "999x999"}) {
    shapes.emplace_back(large);
  }
  return shapes;
}

TEST_CASE("exactly the known shapes exist", "[property]") {
  std::vector<std::string> faults;
  for (const std::string& shape : all_shapes()) {
    for (std::string_view type : types()) {
      if (auto fault = fault_of(type, shape); !fault.empty()) faults.push_back(std::move(fault));
    }
  }
  CHECK(faults == std::vector<std::string>{});
}

// The last of a generation's shapes exists, and what lies just above is too large.
TEST_CASE("the largest slices compile, and the next ones are too large", "[property]") {
  const std::map<std::string_view, std::pair<const char*, const char*>> bounds = {
      {"v4", {"16x16x16", "16x16x20"}},
      {"v5p", {"16x16x24", "16x16x28"}},
      {"tpu7x", {"16x24x24", "16x24x28"}}};
  for (const auto& [type, pair] : bounds) {
    CHECK(check(spec_of(type, pair.first, {})).errors() == 0);
    const Case above = check(spec_of(type, pair.second, {}));
    REQUIRE(above.compiled.diagnostics.size() == 1);
    CHECK(above.compiled.diagnostics[0].code == diag::Code::TopologyTooLarge);
  }
}

// A machine type of another generation is one error, whatever else is wrong with it.
TEST_CASE("a machine type forms its shapes and no other", "[property]") {
  std::vector<std::string> shapes;
  for (const Machine& machine : machines()) {
    for (std::string_view shape : text::split(machine.listed, ' ')) shapes.emplace_back(shape);
  }
  for (const char* more : {"4x4x4", "4x4x8", "8x8x16", "16x16x16", "3x3", "2x2x3", "4x6"})
    shapes.emplace_back(more);
  std::sort(shapes.begin(), shapes.end());
  shapes.erase(std::unique(shapes.begin(), shapes.end()), shapes.end());

  std::vector<std::string> faults;
  for (std::string_view type : types()) {
    for (const std::string& shape : shapes) {
      const bool exists = !forming(type, shape).empty();
      for (const Machine& machine : machines()) {
        const bool own = machine.type == type;
        const std::size_t expected =
            (own ? 0 : 1) + (exists ? 0 : 1) + (own && exists && !forms(machine, shape) ? 1 : 0);
        const Case made = check(spec_of(type, shape, machine.name));
        if (made.errors() != expected)
          faults.push_back(fmt::format("{} {} {}: {}", type, shape, machine.name, made.findings()));
      }
    }
  }
  CHECK(faults == std::vector<std::string>{});
}

}  // namespace
}  // namespace flexslice::law
