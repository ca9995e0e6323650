#include "explain/codes/codes.hpp"

#include <fmt/core.h>

#include "layout/layout.hpp"

namespace flexslice::explain {

std::string code_text(const diag::Row& row) {
  const std::string_view level = row.level == diag::Level::warning ? "warning"
                                 : row.level == diag::Level::soft  ? "error, can be allowed"
                                                                   : "error";
  std::string out = fmt::format("{}: {} ({})\n\n", diag::code_text(row.code), row.name, level);
  for (const std::string& line : layout::wrapped(diag::summary(row), layout::page_width - 2))
    out += "  " + line + "\n";
  out += "\n";
  for (const std::string& line : layout::wrapped(row.explanation, layout::page_width))
    out += line + "\n";
  return out;
}

}  // namespace flexslice::explain
