// How rows of the catalog keep strings and lists of other rows. Built-in rows are constants without
// pointers: the program is position independent, and each pointer in a constant is relocated at
// every start. So a row says how far something is from the built-in rows. What an overlay adds is
// on the heap, and is reached by its distance too.
#pragma once

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace flexslice::catalog {

// All built-in strings and rows. Generated; tools/embed defines an empty one for itself.
struct BuiltIn;
extern const BuiltIn built_in_rows;

// Distances are sums of addresses as numbers, since arithmetic on pointers ends at the end of an
// object. The empty assembler statement keeps the compiler from concluding the same of the sum.
inline const void* at_distance(std::intptr_t distance) {
  std::uintptr_t address =
      reinterpret_cast<std::uintptr_t>(&built_in_rows) + static_cast<std::uintptr_t>(distance);
  asm("" : "+r"(address));
  return reinterpret_cast<const void*>(address);  // NOLINT(performance-no-int-to-ptr)
}
inline std::intptr_t distance_to(const void* place) {
  return static_cast<std::intptr_t>(reinterpret_cast<std::uintptr_t>(place) -
                                    reinterpret_cast<std::uintptr_t>(&built_in_rows));
}

template <class T>
class List {
 public:
  using value_type = T;

  constexpr List() = default;
  constexpr List(std::intptr_t distance, std::size_t size) : distance_(distance), size_(size) {}
  // Of rows that outlive the list.
  static List of(const T* rows, std::size_t size) { return {distance_to(rows), size}; }

  const T* begin() const { return static_cast<const T*>(at_distance(distance_)); }
  const T* end() const { return begin() + size_; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T& operator[](std::size_t i) const { return begin()[i]; }
  const T& front() const { return *begin(); }
  std::vector<std::string_view> list() const { return {begin(), end()}; }

 private:
  std::intptr_t distance_ = 0;
  std::size_t size_ = 0;
};

struct Text : List<char> {
  using List::List;
  // Of characters that outlive the row.
  explicit Text(std::string_view text) : List(of(text.data(), text.size())) {}

  operator std::string_view() const { return {begin(), size()}; }
  friend bool operator==(Text a, std::string_view b) { return std::string_view(a) == b; }
  friend bool operator==(Text a, Text b) { return a == std::string_view(b); }
};
using Texts = List<Text>;

}  // namespace flexslice::catalog

// Not fmt's own formatter of strings, which is in a header that one file alone includes.
template <>
struct fmt::formatter<flexslice::catalog::Text> {
  constexpr auto parse(fmt::format_parse_context& context) { return context.begin(); }
  template <class Context>
  auto format(std::string_view text, Context& context) const {
    return std::copy(text.begin(), text.end(), context.out());
  }
};
