#include "catalog/topology.hpp"

#include <utility>

namespace flexslice::catalog {

std::string Topology::text() const {
  std::string text = std::to_string(size[0]);
  for (std::size_t i = 1; i < static_cast<std::size_t>(dimensions); ++i)
    text += 'x' + std::to_string(size[i]);
  return text;
}

Topology sorted(Topology topology) {
  auto& [a, b, c] = topology.size;
  const bool three = topology.dimensions == 3;
  if (b < a) std::swap(a, b);
  if (three && c < b) std::swap(b, c);
  if (b < a) std::swap(a, b);
  return topology;
}

bool smaller(const Topology& a, const Topology& b) {
  return a.chips() != b.chips() ? a.chips() < b.chips() : a.size < b.size;
}

}  // namespace flexslice::catalog
