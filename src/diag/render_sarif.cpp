// SARIF 2.1.0: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
#include <algorithm>
#include <iterator>

#include "diag/render_parts.hpp"

namespace flexslice::diag {

namespace {

void append_member(std::string_view key, std::string_view value, std::string& out) {
  append_json(key, out);
  out += ": ";
  append_json(value, out);
}

void append_rule(const Row& rule, std::string& out) {
  out += "{";
  append_member("id", code_text(rule.code), out);
  out += ", ";
  append_member("name", rule.name, out);
  out += ", \"shortDescription\": {";
  append_member("text", summary(rule), out);
  out += "}, \"fullDescription\": {";
  append_member("text", rule.explanation, out);
  out += "}, \"help\": {";
  append_member("text", rule.explanation, out);
  out += ", ";
  append_member("markdown", rule.explanation, out);
  out += "}, \"defaultConfiguration\": {";
  append_member("level", level_text(rule.level), out);
  out += "}}";
}

void sarif_begin(const Rendering& run, std::string& out) {
  out +=
      "{\n"
      "  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n"
      "  \"version\": \"2.1.0\",\n"
      "  \"runs\": [{\n"
      "    \"tool\": {\"driver\": {\"name\": \"flexslice\", ";
  if (!run.options.version.empty()) {
    append_member("version", run.options.version, out);
    out += ", ";
  }
  out += "\"rules\": [";
  for (const Row& rule : rows) {
    out += &rule == rows ? "\n      " : ",\n      ";
    append_rule(rule, out);
  }
  out +=
      "\n    ]}},\n"
      "    \"columnKind\": \"unicodeCodePoints\",\n"
      "    \"results\": [";
}

// A path as a URI reference. Bytes that a URI may not hold, and `:`, which would make a scheme of what is before it, are escaped.
std::string uri(std::string_view path) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  constexpr std::string_view kept = "-._~/!$&'()*+,;=@";
  while (path.starts_with("./")) path.remove_prefix(2);
  std::string escaped = path.starts_with('/') ? "file://" : "";
  for (char c : path) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || kept.find(c) != std::string_view::npos) {
      escaped += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      escaped += {'%', digits[byte >> 4], digits[byte & 15u]};
    }
  }
  return escaped;
}

void append_artifact(const Place& place, std::string& out) {
  out += "\"artifactLocation\": {";
  append_member("uri", uri(place.file), out);
  out += '}';
}

void append_region(const Place& place, std::string& out) {
  out += text::format("{\"startLine\": {}, \"startColumn\": {}, \"endLine\": {}, \"endColumn\": {}}", place.begin->line,
                      place.begin->column, place.end->line, place.end->column);
}

void append_locations(const Place& place, std::string& out) {
  out += ", \"locations\": [";
  if (place.is_file()) {
    out += "{\"physicalLocation\": {";
    append_artifact(place, out);
    if (place.begin) {
      out += ", \"region\": ";
      append_region(place, out);
    }
    out += "}}";
  }
  out += ']';
}

// One fix of all edits: they belong together. The command line is no file to mend.
void append_fix(const Diagnostic& finding, Locator& locator, std::string& out) {
  if (finding.fixes.empty()) return;
  const Span first = finding.fixes.front().where;
  const Place place = locator.place(first);
  const bool one_file =
      std::all_of(finding.fixes.begin(), finding.fixes.end(), [&](const Edit& each) { return each.where.source == first.source; });
  if (!place.begin || !one_file) return;
  out += ", \"fixes\": [{\"description\": {";
  append_member("text", finding.helps.empty() ? finding.message : finding.helps.front(), out);
  out += "}, \"artifactChanges\": [{";
  append_artifact(place, out);
  out += ", \"replacements\": [";
  const char* separator = "";
  for (const Edit& edit : finding.fixes) {
    out += separator;
    out += "{\"deletedRegion\": ";
    append_region(locator.place(edit.where), out);
    out += ", \"insertedContent\": {";
    append_member("text", edit.text, out);
    out += "}}";
    separator = ", ";
  }
  out += "]}]}]";
}

void sarif_finding(const Rendering& run, const Sources&, Locator& locator, const Diagnostic& finding, std::string& out) {
  const Place place = locator.place(finding.where);
  out += run.shown == 0 ? "\n      {" : ",\n      {";
  append_member("ruleId", code_text(finding.code), out);
  out += text::format(", \"ruleIndex\": {}, ", std::distance(std::begin(rows), &row(finding.code)));
  append_member("level", level_text(finding.level), out);
  out += ", \"message\": {";
  append_member("text", whole_message(place, finding), out);
  out += '}';
  append_locations(place, out);
  append_fix(finding, locator, out);
  out += '}';
}

void sarif_end(const Rendering& run, std::string& out) { out += run.shown == 0 ? "]\n  }]\n}\n" : "\n    ]\n  }]\n}\n"; }

}  // namespace

const FormatRow sarif_format = {Format::sarif, sarif_begin, sarif_finding, sarif_end};

}  // namespace flexslice::diag
