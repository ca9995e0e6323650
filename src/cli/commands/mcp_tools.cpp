#include "cli/commands/mcp_tools.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "base/utf8.hpp"
#include "cli/commands/catalog.hpp"
#include "cli/commands/lookup.hpp"
#include "cli/help/texts.hpp"
#include "diag/format.hpp"
#include "diag/policy.hpp"
#include "diag/render.hpp"
#include "driver/lint_texts.hpp"
#include "driver/spec_side.hpp"
#include "explain/codes.hpp"
#include "explain/topics.hpp"
#include "extract/file.hpp"
#include "import/import_files.hpp"
#include "schema/json_schema.hpp"
#include "spec/derived_keys.hpp"
#include "spec/document.hpp"
#include "spec/spec_fields.hpp"
#include "yaml/embedded.hpp"
#include "yaml/parse.hpp"

namespace flexslice::cli {

namespace {

using mcp::Answer, mcp::json;
using std::size_t;

constexpr size_t max_specs = 100;     // of a call
constexpr size_t max_imported = 400;  // mentions of TPUs in its texts: each workload is compiled
constexpr size_t half_answer = max_answer_bytes / 2;  // for findings, with as much for what is made
constexpr size_t max_all_bytes = 4u << 20;            // of all texts of a call

json to_json(yaml::View view) {
  if (view.is_mapping()) {
    json object = json::object();
    for (yaml::View member : view) object[std::string(member.key())] = to_json(member);
    return object;
  }
  if (view.is_sequence()) {
    json list = json::array();
    for (yaml::View item : view) list.push_back(to_json(item));
    return list;
  }
  if (view.quoted()) return view.text();
  json scalar = json::parse(view.text(), nullptr, false);
  return scalar.is_discarded() ? json(view.text()) : scalar;
}

yaml::View tool_table(std::string_view key) { return embedded_text("tools.yaml").find(key); }

json object_schema(yaml::View properties) {
  return {{"type", "object"}, {"properties", to_json(properties)}};
}

// The options of the command as arguments, by the rows that its help messages have.
void add_catalog_options(json& properties) {
  for (const Option& option : options_of("catalog")) {
    if (option.name == "help" || option.name == "format" || option.name == "catalog") continue;
    json value{{"type", option.argument.empty()  ? "boolean"
                        : option.argument == "N" ? "integer"
                                                 : "string"},
               {"description", option.text}};
    if (option.argument.find('|') != option.argument.npos)
      value["enum"] = text::split(option.argument, '|');
    if (option.name == "prices" || option.name == "sources") continue;
    properties[std::string(option.name)] = std::move(value);
  }
}

json definition_of(yaml::View row) {
  json input = object_schema(row.find("input"));
  input["additionalProperties"] = false;
  if (row.find("required")) input["required"] = to_json(row.find("required"));
  if (row.find("name").text() == "catalog") add_catalog_options(input["properties"]);
  json definition{{"name", row.find("name").text()},
                  {"title", row.find("title").text()},
                  {"description", row.find("description").text()},
                  {"inputSchema", std::move(input)},
                  {"annotations",
                   {{"readOnlyHint", true},
                    {"destructiveHint", false},
                    {"idempotentHint", true},
                    {"openWorldHint", false}}}};
  if (row.find("output")) definition["outputSchema"] = object_schema(row.find("output"));
  return definition;
}

// A part of a text from `offset` on, of whole lines if a line is not too long; the end says how to
// ask for the rest.
std::string window(std::string_view text, size_t offset, size_t room = max_answer_bytes) {
  while (offset < text.size() && utf8::continues(text[offset])) ++offset;
  const std::string_view rest = text.substr(std::min(offset, text.size()));
  if (rest.size() <= room) return std::string(rest);
  size_t end = rest.rfind('\n', room - 1) + 1;
  if (end == 0) end = room;
  while (end > 0 && utf8::continues(rest[end])) --end;
  return std::string(rest.substr(0, end));
}

std::string after_window(size_t all, size_t offset, size_t shown) {
  const size_t end = std::min(offset, all) + shown;
  return end >= all ? ""
                    : fmt::format("\n[bytes {} to {} are left out; call again with offset: {}]\n",
                                  end, all, end);
}

Answer text_answer(std::string_view text, const json& arguments, json structured = nullptr) {
  const size_t offset = arguments.value("offset", size_t{0});
  const std::string shown = window(text, offset);
  return {shown + after_window(text.size(), offset, shown.size()), std::move(structured)};
}

// Drops the last items of a list until what is left is short enough. Returns how many.
size_t shorten_list(json& list) {
  size_t bytes = 0, kept = 0;
  for (const json& item : list) {
    bytes += item.dump().size();
    if (bytes > max_answer_bytes) break;
    ++kept;
  }
  const size_t left_out = list.size() - kept;
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(kept), list.end());
  return left_out;
}

// The findings of a call: those that are shown, as text and as JSON, and how many there are.
class CallFindings {
 public:
  // `room`: for their text, and for their JSON.
  explicit CallFindings(const json& arguments, size_t room = max_answer_bytes)
      : skip_(arguments.value("skip", size_t{0})), room_(room) {
    text_.options.limit = SIZE_MAX;
    text_.options.short_notes = true;
    json_.options.format = diag::Format::json;
  }

  void add(const Sources& sources, const std::vector<diag::Diagnostic>& found) {
    diag::Locator locator(sources);
    for (const diag::Diagnostic& finding : found) add(locator, finding);
  }

  bool ok() const { return errors_ == 0; }
  size_t count() const { return count_; }

  // `1 error, 2 warnings`.
  std::string summary() const {
    const size_t others = count_ - errors_;
    if (count_ == 0) return "no findings";
    std::string text = errors_ > 0 ? text::count(errors_, "error") : "";
    if (others > 0) text += (text.empty() ? "" : ", ") + text::count(others, "other finding");
    return text;
  }

  std::string text() const {
    const size_t left_out = this->left_out();
    return report_ + (left_out == 0
                          ? ""
                          : fmt::format("\n[{} left out; call again with skip: {}]\n",
                                        text::count(left_out, "more finding"), skip_ + shown_));
  }

  json members() const {
    return {{"ok", ok()},
            {"findings", json::parse('[' + list_ + ']')},
            {"count", count_},
            {"leftOut", left_out()}};
  }

 private:
  size_t left_out() const { return count_ - std::min(count_, skip_ + shown_); }

  void add(diag::Locator& locator, const diag::Diagnostic& finding) {
    const Source& source = locator.sources()[finding.where.source];
    // A mistake in the defaults is one of each spec.
    if (!known_
             .insert(fmt::format("{}:{}:{}:{}:{}:{}", source.name, source.first_line,
                                 finding.where.begin, finding.where.end,
                                 static_cast<int>(finding.code), finding.message))
             .second)
      return;
    ++count_;
    if (finding.level == diag::Level::error || finding.level == diag::Level::soft) ++errors_;
    if (count_ <= skip_ || is_full_) return;
    std::string list, report;
    diag::render_finding(json_, locator, finding, list);
    diag::render_finding(text_, locator, finding, report);
    is_full_ =
        shown_ > 0 && std::max(list_.size() + list.size(), report_.size() + report.size()) > room_;
    if (is_full_) return;
    ++shown_;
    list_ += (list_.empty() ? "" : ",") + list.substr(list.find('{'));
    report_ += report;
  }

  size_t skip_, room_, shown_ = 0, count_ = 0, errors_ = 0;
  bool is_full_ = false;
  diag::Rendering text_, json_;
  std::string report_, list_;
  std::set<std::string> known_;
};

// Throws Failure for texts that are too large or have the same name. `name`: of what has none.
std::vector<Source> texts_of(const json& arguments, const char* key, std::string_view name) {
  std::vector<Source> texts;
  std::set<std::string> names;
  size_t bytes = 0;
  const auto list = arguments.find(key);
  if (list == arguments.end()) return texts;
  for (const json& each : *list) {
    const auto given = each.find("name");
    std::string called = given != each.end() ? given->get<std::string>()
                         : texts.empty()     ? std::string(name)
                                             : fmt::format("{} {}", name, texts.size() + 1);
    if (called.empty()) called = name;
    const auto& text = each.at("text").get_ref<const std::string&>();
    if (text.size() > max_text_bytes)
      throw wrong_usage(fmt::format("`{}` has {} bytes; a text has at most 1 MiB ({} bytes)",
                                    called, text.size(), max_text_bytes));
    if ((bytes += text.size()) > max_all_bytes)
      throw wrong_usage(
          fmt::format("`{}` has more than 4 MiB together with the texts before it; "
                      "pass fewer texts in a call",
                      called));
    if (!names.insert(called).second)
      throw wrong_usage(fmt::format("two texts have the name `{}`", called));
    texts.push_back({std::move(called), text, 1});
  }
  return texts;
}

// The layers and the policy of a call, on top of those of the command.
struct CallSettings {
  CallSettings(const Run& run, const json& arguments, bool every_code = false)
      : knowledge(run.knowledge), defaults(run.defaults), sets(run.sets), policy(run.policy) {
    for (Source& layer : texts_of(arguments, "defaults", "defaults"))
      defaults.push_back(std::move(layer));
    for (const json& set : arguments.value("set", json::array()))
      sets.push_back({"--set", set.get<std::string>(), 1});
    for (const json& code : arguments.value("allow", json::array())) {
      const auto refusal =
          diag::add_rule(policy, diag::Action::allow, code.get<std::string>(), every_code);
      if (refusal) throw wrong_usage(*refusal);
    }
  }

  Setting setting() const {
    return {knowledge.catalog, knowledge.templates, defaults, sets, &policy};
  }

  const Knowledge& knowledge;
  std::vector<Source> defaults, sets;
  diag::Policy policy;
};

// The specs of a call, compiled.
TextRun compile_specs(const CallSettings& settings, std::span<const Source> specs,
                      const CompileOptions& options, CallFindings& findings) {
  return compile_texts(
      settings.setting(), specs, options,
      [&](const Sources& sources, const std::vector<diag::Diagnostic>& found) {
        findings.add(sources, found);
      },
      max_specs);
}

std::string count_text(const TextRun& run) {
  return text::count(std::min(run.documents, max_specs), "spec") +
         (run.documents <= max_specs
              ? ""
              : fmt::format(" of {}; pass the others in further calls", run.documents));
}

Answer check_named(const Run& run, const json& arguments) {
  const CallSettings settings(run, arguments);
  CallFindings findings(arguments);
  const TextRun compiled =
      compile_specs(settings, texts_of(arguments, "specs", "spec.yaml"), {}, findings);
  const std::string text = findings.text();
  return {fmt::format("{}{}{}: {}\n", text, text.empty() ? "" : "\n", count_text(compiled),
                      findings.summary()),
          findings.members()};
}

std::vector<Emit> wanted_artifacts(const json& arguments) {
  std::vector<Emit> wanted;
  for (const json& word : arguments.value("emit", json{"manifests", "queues"})) {
    for (const EmitRow& row : emit_rows()) {
      if (row.word == word) wanted.push_back(row.emit);
    }
  }
  return wanted;
}

Answer compile_named(const Run& run, const json& arguments) {
  const CallSettings settings(run, arguments);
  CallFindings findings(arguments, half_answer);
  const TextRun compiled = compile_specs(settings, texts_of(arguments, "specs", "spec.yaml"),
                                         {.emit = wanted_artifacts(arguments)}, findings);
  const auto only = arguments.value("only", std::vector<std::string>());
  const size_t offset = arguments.value("offset", size_t{0});
  std::string text = findings.text();
  size_t room = half_answer;
  json workloads = json::array();
  size_t unlisted = 0;
  for (const Compiled& each : compiled.good) {
    if (!only.empty() && std::ranges::count(only, each.name) == 0) continue;
    if (workloads.size() == max_specs) {
      ++unlisted;
      continue;
    }
    json files = json::array();
    for (const auto& [emit, content] : each.artifacts) {
      json file{
          {"emit", api::word(emit)}, {"name", api::file_name(emit)}, {"bytes", content.size()}};
      const std::string shown = room == 0 ? "" : window(content, offset, room);
      text += fmt::format("{}==> {}/{} ({} bytes)\n", text.empty() ? "" : "\n", each.folder(),
                          api::file_name(emit), content.size());
      if (shown.empty() && !content.empty()) {
        text += fmt::format("[left out; call again with only: [{}] and emit: [{}]]\n", each.name,
                            api::word(emit));
      } else {
        text += shown + after_window(content.size(), offset, shown.size());
        file["text"] = shown;
      }
      room -= std::min(room, shown.size());
      // After a text that is cut, the others are to be asked for.
      if (shown.size() < content.size()) room = 0;
      files.push_back(std::move(file));
    }
    workloads.push_back({{"name", each.folder()}, {"files", std::move(files)}});
  }
  if (unlisted > 0)
    text +=
        fmt::format("\n[{} left out; name them in only]\n", text::count(unlisted, "more workload"));
  json structured = findings.members();
  structured["workloads"] = std::move(workloads);
  return {fmt::format("{}{}{}: {}\n", text, text.empty() ? "" : "\n", count_text(compiled),
                      findings.summary()),
          std::move(structured)};
}

std::string_view kind_of(const Source& file) {
  constexpr std::string_view words[] = {"manifest", "page",      "script",
                                        "makefile", "terraform", "makefile"};
  const auto type = extract::file_type(file.name, file.text);
  return type == extract::FileType::yaml && spec::has_spec_line(file.text)
             ? "spec"
             : words[static_cast<size_t>(type)];
}

Answer lint_named(const Run& run, const json& arguments) {
  const CallSettings settings(run, arguments, true);
  CallFindings findings(arguments);
  json kinds = json::array();
  std::vector<Source> specs, files;
  for (Source& file : texts_of(arguments, "files", "text")) {
    const std::string_view kind = kind_of(file);
    kinds.push_back({{"file", file.name}, {"kind", kind}});
    (kind == "spec" ? specs : files).push_back(std::move(file));
  }
  std::string summary;
  if (!specs.empty()) summary = count_text(compile_specs(settings, specs, {}, findings));
  const lint::RuleOptions options{arguments.value("notes", false), run.knowledge.gcloud_version};
  const auto linted =
      lint::lint_texts(files, run.knowledge.catalog, options,
                       [&](const Sources& sources, std::vector<diag::Diagnostic> found) {
                         diag::apply_policy(settings.policy, found, false);
                         findings.add(sources, found);
                       });
  if (!files.empty())
    summary += fmt::format("{}{}, {} with TPUs", summary.empty() ? "" : ", ",
                           text::count(files.size(), "file"), linted.with_tpus);
  if (linted.unread > 0)
    summary += fmt::format(", {} not read: render templates first",
                           text::count(linted.unread, "fragment"));
  json structured = findings.members();
  structured["kinds"] = std::move(kinds);
  const std::string text = findings.text();
  return {fmt::format("{}{}{}: {}\n", text, text.empty() ? "" : "\n", summary, findings.summary()),
          std::move(structured)};
}

size_t occurrences(std::string_view word, std::string_view text) {
  size_t count = 0;
  for (size_t at = text.find(word); at != text.npos; at = text.find(word, at + word.size()))
    ++count;
  return count;
}

Answer import_named(const Run& run, const json& arguments) {
  Sources sources;
  size_t mentions = 0;
  for (Source& file : texts_of(arguments, "files", "text")) {
    mentions += occurrences(spec::tpu_resource, file.text);
    if (mentions > max_imported)
      throw wrong_usage(
          fmt::format("`{}` and the texts before it request {} more than {} times; "
                      "import takes the files of some workloads in a call",
                      file.name, spec::tpu_resource, max_imported));
    sources.add(std::move(file));
  }
  const imports::Imported imported =
      imports::import_files(sources, run.knowledge.catalog, run.knowledge.templates, 1);
  CallFindings findings(arguments, half_answer);
  std::vector<diag::Diagnostic> found = imported.diagnostics;
  diag::apply_policy(run.policy, found, false);
  findings.add(sources, found);
  const size_t offset = arguments.value("offset", size_t{0});
  const std::string shown = window(imported.specs, offset, half_answer);
  json structured = findings.members();
  structured["spec"] = shown;
  structured["bytes"] = imported.specs.size();
  structured["equal"] = imported.equal;
  const std::string text = findings.text();
  return {fmt::format(
              "{}{}{}{}{}", shown, after_window(imported.specs.size(), offset, shown.size()),
              shown.empty() || text.empty() ? "" : "\n", text,
              imported.specs.empty() ? ""
              : imported.equal       ? "\nThe spec keeps all objects and commands of the input.\n"
                               : "\nThe spec does not keep all of the input; see the findings.\n"),
          std::move(structured)};
}

std::string explained_topic(const Run& run, const std::string& topic) {
  if (const diag::Row* row = diag::find_row(topic)) return explain::diagnostic_text(*row);
  if (topic == "stability") return std::string(embedded_text("stability.txt").text());
  const catalog::Catalog& catalog = run.knowledge.catalog;
  if (const auto text = explain::topic_text(catalog, topic)) return *text;
  throw wrong_usage(fmt::format("no information about `{}`{}", topic,
                                did_you_mean(topic, explain::topic_words(catalog))));
}

Answer explanation(std::string_view text, const CallFindings& findings, const json& arguments) {
  const size_t offset = arguments.value("offset", size_t{0});
  const std::string shown = window(text, offset, half_answer);
  json structured = findings.members();
  structured["explanation"] = shown;
  return {shown + after_window(text.size(), offset, shown.size()), std::move(structured)};
}

Answer explain_asked(const Run& run, const json& arguments) {
  if (arguments.contains("topic") == arguments.contains("specs"))
    throw wrong_usage("pass either `topic` or `specs`");
  CallFindings findings(arguments, half_answer);
  if (arguments.contains("topic"))
    return explanation(explained_topic(run, arguments.at("topic").get<std::string>()), findings,
                       arguments);
  const CallSettings settings(run, arguments);
  const TextRun compiled = compile_specs(settings, texts_of(arguments, "specs", "spec.yaml"),
                                         {.emit = {}, .explain = true}, findings);
  std::string text = findings.text();
  for (const Compiled& each : compiled.good) text += (text.empty() ? "" : "\n") + each.explanation;
  return explanation(text, findings, arguments);
}

// The same list as text and as JSON, which share the arguments.
Answer list_filtered(const Run& run, const json& arguments) {
  CommandLine line;
  for (const auto& [name, value] : arguments.items()) {
    if (name == "offset" || value == json(false)) continue;
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (name == "list") {
      line.words.push_back(text);
    } else {
      line.options.emplace_back(name, value.is_boolean() ? "" : text);
    }
  }
  const CatalogAnswer table = list_catalog(line, run.knowledge.catalog);
  std::string text = table.text;
  for (const std::string& note : table.notes) text += note + "\n";
  line.options.emplace_back("format", "json");
  const bool has_shapes = line.words.empty() || line.words.front() == "shapes";
  if (has_shapes && !line.has("limit")) line.options.emplace_back("limit", "12");
  json structured = json::parse(list_catalog(line, run.knowledge.catalog).text);
  size_t left_out = 0;
  for (auto& [key, member] : structured.items()) {
    if (member.is_array()) left_out += shorten_list(member);
  }
  structured["leftOut"] = left_out;
  return text_answer(text, arguments, std::move(structured));
}

// Throws Failure where a spec has an error.
SpecSide side_of(const Run& run, const json& arguments, const char* key) {
  const CallSettings settings(run, arguments);
  SpecSide side;
  CallFindings findings(arguments);
  for (const Source& text : texts_of(arguments, key, key)) {
    for (const yaml::Document& document : yaml::split_documents(text.text)) {
      const Sources sources =
          layered(settings.setting(), {text.name, std::string(document.text), document.first_line});
      auto specs = compile_document(settings.setting(), sources, side_options());
      findings.add(sources, take_findings(specs));
      if (!specs.front().ok) continue;
      add_specs(side, std::move(specs), merged(settings.setting(), sources), text.name);
    }
  }
  if (!findings.ok())
    throw Failure(cli::findings,
                  fmt::format("{}\n`{}` has errors; nothing compared\n", findings.text(), key));
  add_queue_objects(side, run.knowledge.templates);
  return side;
}

Answer diff_sides(const Run& run, const json& arguments) {
  const SpecSide before = side_of(run, arguments, "old"), after = side_of(run, arguments, "new");
  const auto changes = change::compare(before.compared, after.compared, run.knowledge.catalog);
  const bool all = arguments.value("all", false);
  json structured = json::parse(change::json(changes, all));
  structured["leftOut"] = shorten_list(structured["changes"]);
  return text_answer(change::text(changes, all), arguments, std::move(structured));
}

struct ToolRow {
  std::string_view name;
  Answer (*call)(const Run& run, const json& arguments);
};
constexpr ToolRow tool_rows[] = {
    {"check", check_named},   {"compile", compile_named}, {"lint", lint_named},
    {"import", import_named}, {"explain", explain_asked}, {"catalog", list_filtered},
    {"diff", diff_sides},
};

// A mistake in the arguments is answered as text, for the assistant to correct.
Answer attempted(const ToolRow& row, const Run& run, const json& arguments) {
  try {
    return row.call(run, arguments);
  } catch (const Failure& failure) {
    std::string text = failure.what();
    constexpr std::string_view program = "flexslice: ";
    if (text.starts_with(program)) text.erase(0, program.size());
    return {std::move(text), nullptr, true};
  }
}

// `multi-host` of `multi-host/spec.yaml`, with the text; its first line says what it shows.
json example_definition(const embedded::File& file) {
  const std::string_view name = file.name.substr(0, file.name.find('/'));
  const std::string_view text = file.root().text();
  json definition{{"uri", fmt::format("flexslice://examples/{}", name)},
                  {"name", name},
                  {"title", fmt::format("Example {}", name)},
                  {"mimeType", "application/yaml"}};
  if (text.starts_with("# ")) definition["description"] = text.substr(2, text.find('\n') - 2);
  return definition;
}

std::string language_page(const catalog::Catalog& catalog) {
  const schema::Choices choices = [&](catalog::NameSet set) {
    return catalog::names(catalog, set);
  };
  return filled_text(
      "language.md",
      {{"FIELDS", schema::short_reference(schema::TableOf<spec::Claims>::table, choices)}});
}

}  // namespace

mcp::Offer mcp_offer(const Run& run) {
  mcp::Offer offer;
  offer.instructions = tool_table("instructions").text();
  for (yaml::View row : tool_table("tools")) {
    const auto* tool = std::ranges::find(tool_rows, row.find("name").text(), &ToolRow::name);
    offer.tools.push_back({definition_of(row), [&run, tool](const json& arguments) {
                             return attempted(*tool, run, arguments);
                           }});
  }
  for (yaml::View row : tool_table("resources"))
    offer.resources.push_back(
        {to_json(row), row.find("name").text() == "language"
                           ? language_page(run.knowledge.catalog)
                           : std::string(embedded_text("stability.txt").text())});
  for (const embedded::File& file : embedded::examples)
    offer.resources.push_back({example_definition(file), std::string(file.root().text())});
  return offer;
}

std::string findings_schema() {
  const json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                    {"$id", "urn:flexslice:findings:v1"},
                    {"title", "flexslice findings"},
                    {"type", "array"},
                    {"items", to_json(tool_table("finding"))}};
  return schema.dump(2) + "\n";
}

}  // namespace flexslice::cli
