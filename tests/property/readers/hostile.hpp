// Strings and trees that a writer of YAML gets wrong first. The law tests and the corpus for other
// readers draw from here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "yaml/value.hpp"

namespace flexslice::hostile {

// The same numbers on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 2 + 1) {}

  // From 0 to below `end`.
  std::size_t below(std::size_t end) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return static_cast<std::size_t>((state_ >> 11) % end);
  }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <class List>
  const auto& pick(const List& list) {
    return list[below(std::size(list))];
  }

 private:
  std::uint64_t state_;
};

// Chosen by hand: words, numbers and dates of some reader, indicators, blanks, breaks, characters
// that are not safe everywhere.
const std::vector<std::string>& strings();
// Put together from pieces of syntax.
std::string string(Random& random);
// A collection of any of these, with comments.
yaml::Value tree(Random& random, int depth);

}  // namespace flexslice::hostile
