// The shape of a TPU slice, `4x4` or `2x2x1`.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace flexslice::catalog {

struct Topology {
  std::array<int, 3> size{1, 1, 1};  // in chips; size[2] is 1 for two dimensions
  int dimensions = 2;                // 2 or 3

  std::int64_t chips() const { return std::int64_t{size[0]} * size[1] * size[2]; }
  std::string text() const;

  friend bool operator==(const Topology&, const Topology&) = default;
};

// Two or three numbers of one to three digits, without leading zeros, joined by `x`.
// Source: the format that gcloud 528 accepts for --tpu-topology.
constexpr std::optional<Topology> parse_topology(std::string_view text) {
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

// The same sizes in ascending order.
Topology sorted(Topology topology);
// Ascending by chips, then by sizes.
bool smaller(const Topology& a, const Topology& b);

}  // namespace flexslice::catalog
