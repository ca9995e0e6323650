// References of environment variables to each other, as Kubernetes replaces them.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace flexslice {

struct NamedText {
  std::string_view name, text;
};

// The indices of variables, in an order in which each comes after those that its text names as
// `$(NAME)`: Kubernetes replaces only what comes before. Else the order stays. A circle of
// references is cut where it closes, as Kubernetes leaves such a reference as it is.
std::vector<std::size_t> after_references(std::span<const NamedText> variables);

// Kubernetes does not replace a reference to a variable that comes later, so these variables keep
// the literal `$(NAME)`.
struct NamedTooEarly {
  std::size_t variable, named;  // indices; the first that it names so
};
std::vector<NamedTooEarly> named_too_early(std::span<const NamedText> variables);

}  // namespace flexslice
