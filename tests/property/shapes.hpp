// What the sources say about TPUs on GKE, written down a second time and by hand: the laws hold the
// catalog and the compiler against it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace flexslice::law {

// One machine type and the shapes that it forms.
struct Machine {
  std::string_view type;  // generation
  std::string_view name;
  std::string_view accelerator;  // label
  std::int64_t chips;
  std::string_view listed;  // shapes, separated by blanks
  std::int64_t largest;     // chips of a slice made of cubes; 0: only listed shapes
};

std::span<const Machine> machines();

// Chips of `4x4` or `2x2x1`.
std::int64_t chips_of(std::string_view topology);
// Whether the machine type forms the shape.
bool forms(const Machine& machine, std::string_view topology);
// The machine types of a generation that form the shape.
std::vector<const Machine*> forming(std::string_view type, std::string_view topology);
// All listed shapes, all cubes of up to 512 chips, and some up to the largest; those just above are
// not among them.
std::vector<std::string> sample(const Machine& machine);

}  // namespace flexslice::law
