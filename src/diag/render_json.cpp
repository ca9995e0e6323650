// What programs read: our own JSON, and SARIF 2.1.0
// (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html). The only file that includes
// nlohmann-json: it takes long to compile.
#define JSON_NO_IO
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/ascii.hpp"
#include "diag/format.hpp"

namespace flexslice::diag {

namespace {

using Json = nlohmann::ordered_json;

// On one line, in ASCII: what would act on a terminal is escaped, and so is what is not UTF-8.
std::string dumped(const Json& json) {
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

// Both formats end with a list of findings, each on a line.
void append_finding(const Rendering& run, const Json& finding, std::string& out) {
  out += run.shown == 0 ? "\n" : ",\n";
  out += dumped(finding);
}

Json place_members(const Place& place) {
  const auto number = [](const std::optional<Position>& position, int Position::*part) {
    return position ? Json((*position).*part) : Json();
  };
  return {{"file", place.file.empty() ? Json() : Json(place.file)},
          {"line", number(place.begin, &Position::line)},
          {"column", number(place.begin, &Position::column)},
          {"endLine", number(place.end, &Position::line)},
          {"endColumn", number(place.end, &Position::column)}};
}

void json_finding(const Rendering& run, Locator& locator, const Diagnostic& finding,
                  std::string& out) {
  Json json = {{"code", code_text(finding.code)},
               {"name", row(finding.code).name()},
               {"level", level_text(finding.level)}};
  json.update(place_members(locator.place(finding.where)));
  json.update({{"message", finding.message},
               {"notes", finding.notes},
               {"helps", finding.helps},
               {"fixes", Json::array()},
               {"related", Json::array()}});
  for (const Edit& edit : finding.fixes) {
    Json fix = place_members(locator.place(edit.where));
    fix["text"] = edit.text;
    json["fixes"].push_back(std::move(fix));
  }
  for (const Related& each : finding.related) {
    Json related = place_members(locator.place(each));
    related["message"] = each.text;
    json["related"].push_back(std::move(related));
  }
  append_finding(run, json, out);
}

Json text_object(std::string_view text) { return {{"text", text}}; }

Json rules() {
  Json list = Json::array();
  for (const Row& rule : rows) {
    list.push_back({{"id", code_text(rule.code)},
                    {"name", rule.name()},
                    {"shortDescription", text_object(summary(rule))},
                    {"fullDescription", text_object(rule.explanation())},
                    {"help", {{"text", rule.explanation()}, {"markdown", rule.explanation()}}},
                    {"defaultConfiguration", {{"level", level_text(rule.level)}}}});
  }
  return list;
}

constexpr std::string_view sarif_tail = "]}]}";  // of the results, the run, the runs and the log

void sarif_begin(std::string_view version, std::string& out) {
  Json driver = {{"name", "flexslice"}, {"rules", rules()}};
  if (!version.empty()) driver["version"] = version;
  const Json only_run = {{"tool", {{"driver", driver}}},
                         {"columnKind", "unicodeCodePoints"},
                         {"results", Json::array()}};
  out += dumped({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                 {"version", "2.1.0"},
                 {"runs", Json::array({only_run})}});
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

Json artifact(const Place& place) { return {{"uri", uri(place.file)}}; }

Json region(const Place& place) {
  return {{"startLine", place.begin->line},
          {"startColumn", place.begin->column},
          {"endLine", place.end->line},
          {"endColumn", place.end->column}};
}

Json location(const Place& place) {
  Json location = {{"artifactLocation", artifact(place)}};
  if (place.begin) location["region"] = region(place);
  return {{"physicalLocation", location}};
}

Json related_locations(const Diagnostic& finding, Locator& locator) {
  Json all = Json::array();
  for (const Related& related : finding.related) {
    const Place place = locator.place(related);
    if (!place.is_file()) continue;
    Json one = location(place);
    one["message"] = text_object(related.text);
    all.push_back(std::move(one));
  }
  return all;
}

// One fix of all edits: they belong together. The command line is no file to change.
Json sarif_fixes(const Diagnostic& finding, Locator& locator) {
  if (finding.fixes.empty()) return Json::array();
  const Span first = finding.fixes.front().where;
  const Place place = locator.place(first);
  Json replacements = Json::array();
  for (const Edit& edit : finding.fixes) {
    if (!place.begin || edit.where.source != first.source) return Json::array();
    replacements.push_back({{"deletedRegion", region(locator.place(edit.where))},
                            {"insertedContent", text_object(edit.text)}});
  }
  const Json change = {{"artifactLocation", artifact(place)}, {"replacements", replacements}};
  const std::string& description = finding.helps.empty() ? finding.message : finding.helps.front();
  return Json::array(
      {{{"description", text_object(description)}, {"artifactChanges", Json::array({change})}}});
}

void sarif_finding(const Rendering& run, Locator& locator, const Diagnostic& finding,
                   std::string& out) {
  const Place place = locator.place(finding.where);
  Json result = {{"ruleId", code_text(finding.code)},
                 {"ruleIndex", std::distance(std::begin(rows), &row(finding.code))},
                 {"level", level_text(finding.level)},
                 {"message", text_object(whole_message(locator, finding))},
                 {"locations", Json::array()}};
  if (place.is_file()) result["locations"].push_back(location(place));
  if (Json related = related_locations(finding, locator); !related.empty())
    result["relatedLocations"] = std::move(related);
  if (Json fixes = sarif_fixes(finding, locator); !fixes.empty())
    result["fixes"] = std::move(fixes);
  append_finding(run, result, out);
}

}  // namespace

const FormatRow json_format = {json_finding, [](std::string_view, std::string& out) { out += '['; },
                               [](const Rendering&, std::string& out) { out += "\n]\n"; }};
const FormatRow sarif_format = {sarif_finding, sarif_begin, [](const Rendering&, std::string& out) {
                                  out += fmt::format("\n{}\n", sarif_tail);
                                }};

}  // namespace flexslice::diag
