// The chips of a slice as a grid of hosts. Both pictures of a plan draw it.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace flexslice::picture {

struct HostGrid {
  std::array<int, 3> block{1, 1, 1};      // chips of a host: rows, columns, layers
  int rows = 1, columns = 1, layers = 1;  // of hosts

  int index(int layer, int row, int column) const {
    return (layer * rows + row) * columns + column;
  }
};

// Says whether a layer is a group, and a column a board of it.
bool is_of_boards(const plan::TpuSlices& tpu);

// The chips of a host are a block in as few layers as can be, and as square as can be.
HostGrid host_grid(const plan::TpuSlices& tpu);

// The first layer of a slice for terminals, with the index of each host's pod. A layer of many
// hosts has the indices alone.
std::vector<std::string> small_picture(const plan::Plan& plan);

}  // namespace flexslice::picture
