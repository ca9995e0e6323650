#include "diag/render_parts.hpp"

namespace flexslice::diag {

namespace {

void append_number(std::string_view key, std::optional<int> number, std::string& out) {
  out += text::format("\"{}\": ", key);
  out += number ? std::to_string(*number) : "null";
}

void append_lines(const std::optional<LineColumn>& begin, const std::optional<LineColumn>& end, std::string& out) {
  const auto line = [](const std::optional<LineColumn>& at) { return at ? std::optional(at->line) : std::nullopt; };
  const auto column = [](const std::optional<LineColumn>& at) { return at ? std::optional(at->column) : std::nullopt; };
  append_number("line", line(begin), out);
  out += ", ";
  append_number("column", column(begin), out);
  out += ", ";
  append_number("endLine", line(end), out);
  out += ", ";
  append_number("endColumn", column(end), out);
}

void append_file(std::string_view file, std::string& out) {
  out += "\"file\": ";
  if (file.empty()) {
    out += "null";
  } else {
    append_json(file, out);
  }
}

void append_strings(std::string_view key, const std::vector<std::string>& strings, std::string& out) {
  out += text::format(", \"{}\": [", key);
  const char* separator = "";
  for (const std::string& each : strings) {
    out += separator;
    append_json(each, out);
    separator = ", ";
  }
  out += ']';
}

void append_fixes(const std::vector<Edit>& fixes, Locator& locator, std::string& out) {
  out += ", \"fixes\": [";
  const char* separator = "";
  for (const Edit& edit : fixes) {
    const Place place = locator.place(edit.where);
    out += separator;
    out += '{';
    append_file(place.file, out);
    out += ", ";
    append_lines(place.begin, place.end, out);
    out += ", \"text\": ";
    append_json(edit.text, out);
    out += '}';
    separator = ", ";
  }
  out += ']';
}

void json_begin(const Rendering&, std::string& out) { out += '['; }

void json_finding(const Rendering& run, const Sources&, Locator& locator, const Diagnostic& finding, std::string& out) {
  const Place place = locator.place(finding.where);
  out += run.shown == 0 ? "\n" : ",\n";
  out += text::format("  {\"code\": \"{}\", \"name\": \"{}\", \"level\": \"{}\", ", code_text(finding.code), row(finding.code).name,
                      level_text(finding.level));
  append_file(place.file, out);
  out += ", ";
  append_lines(place.begin, place.end, out);
  out += ", \"message\": ";
  append_json(finding.message, out);
  append_strings("notes", finding.notes, out);
  append_strings("helps", finding.helps, out);
  append_fixes(finding.fixes, locator, out);
  out += '}';
}

void json_end(const Rendering& run, std::string& out) { out += run.shown == 0 ? "]\n" : "\n]\n"; }

}  // namespace

const FormatRow json_format = {Format::json, json_begin, json_finding, json_end};

}  // namespace flexslice::diag
