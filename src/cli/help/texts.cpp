#include "cli/help/texts.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "yaml/embedded.hpp"

namespace flexslice::cli {

yaml::View embedded_text(std::string_view file) {
  return std::ranges::find(embedded::texts, file, &embedded::File::name)->root();
}

std::string filled_text(std::string_view file, const std::vector<Substitute>& substitutes) {
  std::string text(embedded_text(file).text());
  for (const auto& [name, value] : substitutes) {
    // Whole lines replace a whole line.
    const std::string placeholder = fmt::format("@{}@{}", name, value.ends_with('\n') ? "\n" : "");
    text.replace(text.find(placeholder), placeholder.size(), value);
  }
  return text;
}

}  // namespace flexslice::cli
