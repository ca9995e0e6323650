// Programs read these formats: our own JSON, and SARIF 2.1.0
// (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html).
#include <fmt/core.h>

#include <iterator>

#include "base/ascii.hpp"
#include "base/json.hpp"
#include "base/lists.hpp"
#include "diag/format.hpp"

namespace flexslice::diag {

using json::members, json::object, json::quoted;

namespace {

// Both formats end with a list of findings, each on a line.
void append_finding(const Rendering& run, std::string_view finding, std::string& out) {
  out.append(run.shown == 0 ? "\n" : ",\n").append(finding);
}

std::string place_members(const Place& place) {
  const auto number = [](const std::optional<Position>& position, int Position::*part) {
    return position ? std::to_string((*position).*part) : "null";
  };
  return members({{"file", place.file.empty() ? "null" : quoted(place.file)},
                  {"line", number(place.begin, &Position::line)},
                  {"column", number(place.begin, &Position::column)},
                  {"endLine", number(place.end, &Position::line)},
                  {"endColumn", number(place.end, &Position::column)}});
}

std::string placement_json(const Diagnostic& finding) {
  std::string all;
  for (const auto& [name, value] : finding.placement)
    all += fmt::format("{}{}:{}", all.empty() ? "" : ",", quoted(name), quoted(value));
  return all.empty() ? all : '{' + all + '}';
}

void json_finding(const Rendering& run, Locator& locator, const Diagnostic& finding,
                  std::string& out) {
  const auto fix = [&](const Edit& edit) {
    return object({{"", place_members(locator.place(edit.where))}, {"text", quoted(edit.text)}});
  };
  const auto related = [&](const Related& each) {
    return object({{"", place_members(locator.place(each))}, {"message", quoted(each.text)}});
  };
  append_finding(run,
                 object({{"code", quoted(code_text(finding.code))},
                         {"name", quoted(row(finding.code).name())},
                         {"level", quoted(level_text(finding.level))},
                         {"", place_members(locator.place(finding.where))},
                         {"message", quoted(finding.message)},
                         {"notes", json::list(finding.notes, quoted)},
                         {"helps", json::list(finding.helps, quoted)},
                         {"fixes", json::list(finding.shown_fixes(), fix)},
                         {"related", json::list(finding.related, related)},
                         {"placement", placement_json(finding)}}),
                 out);
}

std::string text_object(std::string_view text) { return object({{"text", quoted(text)}}); }

std::string rule(const Row& rule) {
  const std::string explanation = quoted(rule.explanation());
  return object({{"id", quoted(code_text(rule.code))},
                 {"name", quoted(rule.name())},
                 {"shortDescription", text_object(summary(rule))},
                 {"fullDescription", text_object(rule.explanation())},
                 {"help", object({{"text", explanation}, {"markdown", explanation}})},
                 {"defaultConfiguration", object({{"level", quoted(level_text(rule.level))}})}});
}

constexpr std::string_view sarif_tail = "]}]}";  // of the results, the run, the runs and the log

void sarif_begin(std::string_view version, std::string& out) {
  const std::string driver = object({{"name", quoted("flexslice")},
                                     {"rules", json::list(rows, rule)},
                                     {"version", version.empty() ? "" : quoted(version)}});
  const std::string only_run = object({{"tool", object({{"driver", driver}})},
                                       {"columnKind", quoted("unicodeCodePoints")},
                                       {"results", "[]"}});
  out += object({{"$schema", quoted("https://json.schemastore.org/sarif-2.1.0.json")},
                 {"version", quoted("2.1.0")},
                 {"runs", '[' + only_run + ']'}});
  out.resize(out.size() - sarif_tail.size());
}

// A path as a URI reference. Bytes that a URI may not hold, and `:`, which would make a scheme of
// what is before it, are escaped.
std::string uri(std::string_view path) {
  constexpr std::string_view kept = "-._~/!$&'()*+,;=@";
  while (path.starts_with("./")) path.remove_prefix(2);
  std::string escaped = path.starts_with('/') ? "file://" : "";
  for (char c : path) {
    if (ascii::is_letter_or_digit(c) || kept.find(c) != std::string_view::npos) {
      escaped += c;
    } else {
      escaped += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return escaped;
}

std::string artifact(const Place& place) { return object({{"uri", quoted(uri(place.file))}}); }

std::string region(const Place& place) {
  return object({{"startLine", std::to_string(place.begin->line)},
                 {"startColumn", std::to_string(place.begin->column)},
                 {"endLine", std::to_string(place.end->line)},
                 {"endColumn", std::to_string(place.end->column)}});
}

std::string location_members(const Place& place) {
  return members({{"physicalLocation", object({{"artifactLocation", artifact(place)},
                                               {"region", place.begin ? region(place) : ""}})}});
}

std::string related_locations(const Diagnostic& finding, Locator& locator) {
  return json::list(finding.related, [&](const Related& related) {
    const Place place = locator.place(related);
    return place.is_file()
               ? object({{"", location_members(place)}, {"message", text_object(related.text)}})
               : "";
  });
}

// One fix of all edits: they belong together. The command line is no file to change.
std::string sarif_fixes(const Diagnostic& finding, Locator& locator) {
  const auto fixes = finding.shown_fixes();
  if (fixes.empty()) return {};
  const Span first = fixes.front().where;
  const Place place = locator.place(first);
  if (!place.begin ||
      any_of(fixes, [&](const Edit& edit) { return edit.where.source != first.source; }))
    return {};
  const auto replacement = [&](const Edit& edit) {
    return object({{"deletedRegion", region(locator.place(edit.where))},
                   {"insertedContent", text_object(edit.text)}});
  };
  const std::string change = object(
      {{"artifactLocation", artifact(place)}, {"replacements", json::list(fixes, replacement)}});
  return '[' +
         object({{"description",
                  text_object(finding.helps.empty() ? finding.message : finding.helps.front())},
                 {"artifactChanges", '[' + change + ']'}}) +
         ']';
}

void sarif_finding(const Rendering& run, Locator& locator, const Diagnostic& finding,
                   std::string& out) {
  const Place place = locator.place(finding.where);
  const std::string related = related_locations(finding, locator);
  append_finding(
      run,
      object({{"ruleId", quoted(code_text(finding.code))},
              {"ruleIndex", std::to_string(&row(finding.code) - std::begin(rows))},
              {"level", quoted(level_text(finding.level))},
              {"message", text_object(whole_message(locator, finding))},
              {"locations", place.is_file() ? "[{" + location_members(place) + "}]" : "[]"},
              {"relatedLocations", related == "[]" ? "" : related},
              {"fixes", sarif_fixes(finding, locator)}}),
      out);
}

}  // namespace

const FormatRow json_format = {json_finding, [](std::string_view, std::string& out) { out += '['; },
                               [](const Rendering&, std::string& out) { out += "\n]\n"; }};
const FormatRow sarif_format = {sarif_finding, sarif_begin, [](const Rendering&, std::string& out) {
                                  out += fmt::format("\n{}\n", sarif_tail);
                                }};

}  // namespace flexslice::diag
