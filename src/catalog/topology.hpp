// The shape of a TPU slice, `4x4` or `2x2x1`.
// The catalog's shapes, plan/ and lint/ work with it.
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
// Source: the form that gcloud 528 accepts for --tpu-topology.
std::optional<Topology> parse_topology(std::string_view text);

// The same sizes in ascending order.
Topology sorted(Topology topology);
// Ascending by chips, then by sizes.
bool smaller(const Topology& a, const Topology& b);

}  // namespace flexslice::catalog
