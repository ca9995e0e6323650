// Quantities of Kubernetes (`500m`, `1.5Gi`, `1e3`): exact arithmetic, and the canonical text in
// which the API server stores them. plan adds up what a pod requests and compares quantities with
// it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace flexslice {

struct Quantity {
  // 128 bits: the largest quantity is 2^63 - 1 units, and a unit has 10^9 of these.
  __extension__ using Nano = __int128;
  enum class Suffix : std::uint8_t { decimal, exponent, binary };

  static constexpr Nano unit = 1'000'000'000;
  static constexpr Nano max = Nano{INT64_MAX} * unit;

  Nano nano = 0;
  Suffix suffix = Suffix::decimal;  // the family in which it was written, and is printed

  static constexpr Nano gibi = unit << 30;

  bool is_integer() const { return nano % unit == 0; }
  std::int64_t whole_gibibytes() const { return static_cast<std::int64_t>(nano / gibi); }
  // As the API server prints it: `1536Mi` for 1.5Gi, `500m` for 0.5, `1k` for 1000.
  std::string text() const;

  // The sum takes the family of the first that is not zero. Everything stops at `max`.
  Quantity& operator+=(const Quantity& other);
  friend Quantity operator+(Quantity a, const Quantity& b) { return a += b; }
  friend Quantity operator*(Quantity quantity, std::int64_t count);
  // By amount: 1Gi equals 1024Mi.
  friend bool operator==(const Quantity& a, const Quantity& b) { return a.nano == b.nano; }
  friend auto operator<=>(const Quantity& a, const Quantity& b) { return a.nano <=> b.nano; }
};

// Returns the quantity that the API server reads, or nothing if it reads none. As there, a fraction
// of a nano-unit is rounded away from zero (before a binary suffix already the tenth decimal), and
// a number beyond `max` becomes `max`.
std::optional<Quantity> parse_quantity(std::string_view text);

}  // namespace flexslice
