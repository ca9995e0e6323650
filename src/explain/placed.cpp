#include "explain/placed.hpp"

#include <fmt/core.h>

#include <string_view>

namespace flexslice::explain {

void add_placement(std::span<const diag::Diagnostic> rows, Sheet& sheet) {
  constexpr std::pair<std::string_view, std::string_view> labels[] = {
      {"nodes", "nodes"},
      {"labels", "by labels"},
      {"admittedBy", "admitted by"},
      {"startsWhen", "starts when"}};
  for (const diag::Diagnostic& row : rows) {
    for (const auto& [name, value] : row.placement) {
      if (name == "pods") sheet.section(fmt::format("Placed: {}", value));
      for (const auto& [member, label] : labels) {
        if (name == member) sheet.entry(label, value);
      }
    }
  }
}

}  // namespace flexslice::explain
