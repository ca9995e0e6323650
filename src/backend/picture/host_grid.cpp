#include "backend/picture/host_grid.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>

#include "base/text.hpp"
#include "catalog/topology.hpp"

namespace flexslice::picture {

namespace {

constexpr int most_boxes = 16, most_rows = 16, widest_line = 76;

std::string repeated(int count, std::string_view text) {
  std::string out;
  for (int i = 0; i < count; ++i) out += text;
  return out;
}

}  // namespace

bool is_of_boards(const plan::TpuSlices& tpu) {
  return tpu.in_generation != nullptr && tpu.in_generation->wiring == catalog::Wiring::boards;
}

HostGrid host_grid(const plan::TpuSlices& tpu) {
  const catalog::Topology topology =
      catalog::parse_topology(tpu.topology).value_or(catalog::Topology{});
  const auto chips = static_cast<int>(tpu.chips_per_host.value);
  const auto& size = topology.size;
  HostGrid grid;
  if (is_of_boards(tpu)) {
    const int rows = std::gcd(chips, size[0]), columns = std::gcd(chips / rows, size[1]);
    const int layers = std::gcd(chips / (rows * columns), size[2]);
    return {{rows, columns, layers}, size[0] / rows, size[1] / columns, size[2] / layers};
  }
  int best = INT32_MAX;
  for (int rows = 1; rows <= size[0]; ++rows) {
    for (int columns = 1; columns <= size[1]; ++columns) {
      if (chips % (rows * columns) != 0) continue;
      const int layers = chips / (rows * columns);
      if (size[0] % rows != 0 || size[1] % columns != 0 || size[2] % layers != 0) continue;
      const int badness = 1000 * layers + std::abs(rows - columns);
      if (badness >= best) continue;
      best = badness;
      grid = {{rows, columns, layers}, size[0] / rows, size[1] / columns, size[2] / layers};
    }
  }
  return grid;
}

std::vector<std::string> small_picture(const plan::Plan& plan) {
  const HostGrid grid = host_grid(plan.tpu);
  // Pods without chips come before those with chips.
  const int first = plan.group && plan.group->leader_apart ? 1 : 0;
  const int chips = grid.block[1] * 2 - 1;
  const int wide =
      std::max<int>(chips, static_cast<int>(std::to_string(plan.tpu.hosts.value).size()));
  const int rows = std::min(grid.rows, most_rows);
  const int columns = std::min(grid.columns, widest_line / (wide + 2));
  const bool boxes =
      grid.rows * grid.columns <= most_boxes && grid.columns * (wide + 3) + 1 <= widest_line;
  std::vector<std::string> lines;
  const auto add = [&](std::string_view left, std::string_view between, std::string_view right,
                       auto cell) {
    std::string drawn(left);
    for (int column = 0; column < columns; ++column)
      drawn += fmt::format("{}{:<{}}", column == 0 ? "" : between, cell(column), wide);
    lines.push_back(drawn.append(right));
  };
  const auto add_edge = [&] { add("+-", "-+-", "-+", [&](int) { return repeated(wide, "-"); }); };
  const auto add_inside = [&](auto cell) { add("| ", " | ", " |", cell); };
  const auto index = [&](int row) {
    return [&grid, row, first](int column) {
      return std::to_string(grid.index(0, row, column) + first);
    };
  };
  for (int row = 0; row < rows; ++row) {
    if (!boxes) {
      add("", "  ", "", index(row));
      continue;
    }
    add_edge();
    if (plan.tpu.multi_host) add_inside(index(row));
    for (int i = 0; i < grid.block[0] * grid.block[2]; ++i)
      add_inside([&](int) { return "o" + repeated(grid.block[1] - 1, " o"); });
  }
  if (boxes) add_edge();
  if (columns < grid.columns)
    lines.push_back(fmt::format("and {}", text::count(grid.columns - columns, "more column")));
  if (rows < grid.rows)
    lines.push_back(fmt::format("and {}", text::count(grid.rows - rows, "more row")));
  if (grid.layers > 1)
    lines.push_back(fmt::format(
        "and {} like this one",
        text::count(grid.layers - 1, is_of_boards(plan.tpu) ? "more group" : "more layer")));
  return lines;
}

}  // namespace flexslice::picture
