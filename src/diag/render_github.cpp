// https://docs.github.com/en/actions/reference/workflow-commands-for-github-actions
#include <fmt/core.h>

#include "diag/format.hpp"
#include "diag/visible.hpp"

namespace flexslice::diag {

namespace {

void append_escaped(std::string_view text, bool property, std::string& out) {
  std::string visible;
  append_visible_lines(text, visible);
  for (char c : visible) {
    if (c == '%') {
      out += "%25";
    } else if (c == '\n') {
      out += "%0A";
    } else if (property && c == ':') {
      out += "%3A";
    } else if (property && c == ',') {
      out += "%2C";
    } else {
      out += c;
    }
  }
}

void append_place(const Place& place, std::string& out) {
  if (!place.is_file()) return;
  out += "file=";
  append_escaped(place.file, true, out);
  out += ',';
  if (!place.begin) return;
  out += fmt::format("line={},col={},endLine={}", place.begin->line, place.begin->column,
                     place.end->line);
  // GitHub refuses an end column where the lines differ.
  if (place.begin->line == place.end->line) out += fmt::format(",endColumn={}", place.end->column);
  out += ',';
}

void github_finding(const Rendering&, const Sources&, Locator& locator, const Diagnostic& finding,
                    std::string& out) {
  out += "::";
  out += level_text(finding.level);
  out += ' ';
  const Place place = locator.place(finding.where);
  append_place(place, out);
  out += "title=" + code_text(finding.code) + "::";
  append_escaped(whole_message(place, finding), false, out);
  out += '\n';
}

}  // namespace

const FormatRow github_format = {nullptr, github_finding, nullptr};

}  // namespace flexslice::diag
