#include "explain/codes.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.hpp"
#include "explain/layout.hpp"

namespace flexslice::explain {

// Examples of what is wrong and right are paragraphs of their own.
std::string diagnostic_text(const diag::Row& row) {
  constexpr std::string_view levels[] = {"error", "error, can be allowed", "warning", "note"};
  const std::string_view level = levels[static_cast<std::size_t>(row.level)];
  std::string out = fmt::format("{}: {} ({})\n\n", diag::code_text(row.code), row.name(), level);
  for (const std::string& line : explain::wrapped(diag::summary(row), explain::page_width - 2))
    out += "  " + line + "\n";
  for (std::string_view rest = row.explanation(); !rest.empty();) {
    const std::size_t end = std::min({rest.find(" Wrong: "), rest.find(" Right: "), rest.size()});
    out += "\n";
    for (const std::string& line : explain::wrapped(rest.substr(0, end), explain::page_width))
      out += line + "\n";
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  const std::vector<std::string> earlier = diag::earlier_codes(row.code);
  if (!earlier.empty())
    out += fmt::format("\nEarlier versions called it {} too, which is still accepted.\n",
                       text::join(earlier, " and "));
  return out;
}

}  // namespace flexslice::explain
