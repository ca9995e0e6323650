#include "catalog/topology.hpp"

#include <utility>

namespace flexslice::catalog {

std::string Topology::text() const {
  std::string text = std::to_string(size[0]);
  for (std::size_t i = 1; i < static_cast<std::size_t>(dimensions); ++i)
    text += 'x' + std::to_string(size[i]);
  return text;
}

std::optional<Topology> parse_topology(std::string_view text) {
  constexpr int most = 999;  // three digits
  Topology topology;
  std::size_t index = 0;
  int number = 0;
  for (const char c : text) {
    if (c == 'x' && number > 0 && index < 2) {
      topology.size[index++] = number;
      number = 0;
    } else if (c >= '0' && c <= '9' && (number > 0 || c != '0')) {
      number = number * 10 + (c - '0');
      if (number > most) return std::nullopt;
    } else {
      return std::nullopt;
    }
  }
  if (number == 0 || index == 0) return std::nullopt;
  topology.size[index] = number;
  topology.dimensions = static_cast<int>(index) + 1;
  return topology;
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
