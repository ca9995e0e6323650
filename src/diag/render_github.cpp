// https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
#include "diag/format.hpp"
#include "diag/visible.hpp"

namespace flexslice::diag {

namespace {

std::string escaped_for_github(std::string_view text, std::string_view special) {
  std::string out;
  for (char c : visible(text, true)) {
    if (special.find(c) != std::string_view::npos) {
      out += fmt::format("%{:02X}", static_cast<int>(c));
    } else {
      out += c;
    }
  }
  return out;
}

void github_finding(const Rendering&, Locator& locator, const Diagnostic& finding,
                    std::string& out) {
  const Place place = locator.place(finding.where);
  out += fmt::format("::{} ", finding.level == Level::note ? "notice" : level_text(finding.level));
  if (place.is_file()) out += fmt::format("file={},", escaped_for_github(place.file, "%\n:,"));
  if (place.is_file() && place.begin) {
    out += fmt::format("line={},col={},endLine={},", place.begin->line, place.begin->column,
                       place.end->line);
    // GitHub rejects an end column where the lines differ.
    if (place.begin->line == place.end->line)
      out += fmt::format("endColumn={},", place.end->column);
  }
  out += fmt::format("title={}::{}\n", code_text(finding.code),
                     escaped_for_github(whole_message(locator, finding), "%\n"));
}

}  // namespace

const FormatRow github_format = {github_finding};

}  // namespace flexslice::diag
