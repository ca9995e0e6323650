#include "shapes.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace flexslice::law {

namespace {

constexpr std::string_view small_cubes = "2x2x1 2x2x2 2x2x4 2x4x4";
constexpr std::string_view flat = "2x2 2x4 4x4 4x8 8x8 8x16 16x16";

constexpr Machine table[] = {
    {"v3", "ct3-hightpu-4t", "tpu-v3-device", 4, "2x2", 0},
    {"v3", "ct3p-hightpu-4t", "tpu-v3-slice", 4, "4x4 4x8 8x8 8x16 16x16 16x32 32x32", 0},
    {"v4", "ct4p-hightpu-4t", "tpu-v4-podslice", 4, small_cubes, 4096},
    {"v5e", "ct5lp-hightpu-1t", "tpu-v5-lite-podslice", 1, "1x1", 0},
    {"v5e", "ct5lp-hightpu-4t", "tpu-v5-lite-podslice", 4, flat, 0},
    {"v5e", "ct5lp-hightpu-8t", "tpu-v5-lite-podslice", 8, "2x4", 0},
    {"v5p", "ct5p-hightpu-4t", "tpu-v5p-slice", 4, small_cubes, 6144},
    {"v6e", "ct6e-standard-1t", "tpu-v6e-slice", 1, "1x1", 0},
    {"v6e", "ct6e-standard-4t", "tpu-v6e-slice", 4, flat, 0},
    {"v6e", "ct6e-standard-8t", "tpu-v6e-slice", 8, "2x4", 0},
    {"tpu7x", "tpu7x-standard-4t", "tpu7x", 4, small_cubes, 9216},
    {"tpu7x", "tpu7x-standard-1t", "tpu7x", 1, "1x1x1", 0},
};

// The sizes, the third being 0 in two dimensions.
std::array<std::int64_t, 3> sizes(std::string_view topology) {
  std::array<std::int64_t, 3> found{};
  std::size_t count = 0;
  for (std::string_view part : text::split(topology, 'x'))
    found[count++] = *text::whole_number(part);
  return found;
}

bool is_cube(const Machine& machine, std::string_view topology) {
  const auto [a, b, c] = sizes(topology);
  return machine.largest > 0 && c > 0 && a % 4 == 0 && b % 4 == 0 && c % 4 == 0 && a <= b &&
         b <= c && c <= 256 && a * b * c <= machine.largest;
}

}  // namespace

std::span<const Machine> machines() { return table; }

std::int64_t chips_of(std::string_view topology) {
  const auto [a, b, c] = sizes(topology);
  return a * b * std::max<std::int64_t>(c, 1);
}

bool forms(const Machine& machine, std::string_view topology) {
  const auto listed = text::split(machine.listed, ' ');
  return std::find(listed.begin(), listed.end(), topology) != listed.end() ||
         is_cube(machine, topology);
}

std::vector<const Machine*> forming(std::string_view type, std::string_view topology) {
  std::vector<const Machine*> found;
  for (const Machine& machine : table) {
    if (machine.type == type && forms(machine, topology)) found.push_back(&machine);
  }
  return found;
}

std::vector<std::string> sample(const Machine& machine) {
  std::vector<std::string> shapes;
  for (std::string_view shape : text::split(machine.listed, ' ')) shapes.emplace_back(shape);
  std::int64_t seen = 0;
  for (std::int64_t a = 4; a * a * a <= machine.largest; a += 4) {
    for (std::int64_t b = a; a * b * b <= machine.largest; b += 4) {
      for (std::int64_t c = b; a * b * c <= machine.largest; c += 4) {
        const std::string shape = fmt::format("{}x{}x{}", a, b, c);
        const bool wanted = a * b * c <= 512 || a * b * c == machine.largest || ++seen % 17 == 0;
        if (wanted && forms(machine, shape)) shapes.push_back(shape);
      }
    }
  }
  return shapes;
}

}  // namespace flexslice::law
