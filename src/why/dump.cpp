#include "why/dump.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/lines.hpp"
#include "base/text.hpp"
#include "yaml/made.hpp"
#include "yaml/parse.hpp"

namespace flexslice::why {

namespace {

using yaml::Node;

std::optional<Node> parse_part(std::string_view text) {
  Sources sources;
  sources.add({"", std::string(text), 1});
  diag::Sink sink;
  return yaml::parse(sources, 0, sink, {.merge_keys = false, .last_wins = true});
}

Node scalar_members(std::initializer_list<std::pair<std::string_view, std::string_view>> members) {
  Node mapping = yaml::mapping_at();
  for (const auto& [key, value] : members) yaml::member_at(mapping, key) = yaml::plain_at(value);
  return mapping;
}

// gcloud's resources have no kind of their own.
void name_kind(Node& object) {
  if (object.find("kind") != nullptr) return;
  std::string_view kind;
  if (object.find("operationType") != nullptr) kind = "Operation";
  if (object.find("config") != nullptr && object.find("name") != nullptr) kind = "NodePool";
  if (kind.empty()) return;
  yaml::member_at(object, "kind") = yaml::plain_at(kind);
}

// Tables of gcloud, by their first column and another two. They have no states, or no reasons.
struct GcloudTable {
  std::string_view what, columns[2], lacks, command;
};
constexpr GcloudTable gcloud_tables[] = {
    {"operations", {"TARGET", "STATUS"}, "reasons", "gcloud container operations list"},
    {"node pools", {"MACHINE_TYPE", "NODE_VERSION"}, "states", "gcloud container node-pools list"},
};
const GcloudTable* gcloud_table(std::string_view text) {
  const std::string_view first = text.substr(0, text.find('\n'));
  for (const GcloudTable& table : gcloud_tables) {
    if (first.starts_with("NAME") && std::ranges::all_of(table.columns, [&](std::string_view name) {
          return first.find(name) != std::string_view::npos;
        }))
      return &table;
  }
  return nullptr;
}

// `Not found: projects/P/locations/L/clusters/C/nodePools/NAME.`: the pool is not there.
void add_unsaved(std::string_view file, std::string_view why, Dump& dump) {
  constexpr std::string_view pools = "/nodePools/";
  const std::size_t pool = why.find(pools);
  if (why.find("ot found") == std::string_view::npos || pool == std::string_view::npos) {
    dump.remarks.push_back(fmt::format("{} lacks what could not be saved: {}", file, why));
    return;
  }
  const std::string_view address = why.substr(0, why.find_first_of(". '\"", pool));
  Node absent = scalar_members({{"kind", "NodePool"},
                                {"name", address.substr(pool + pools.size())},
                                {"status", "ABSENT"},
                                {"selfLink", address.substr(address.find_last_of(" '\"") + 1)}});
  dump.objects.push_back(std::move(absent));
}

// Cuts a text into the output of each command, also where no `---` is between two.
class OutputSplitter {
 public:
  explicit OutputSplitter(std::string_view text) {
    std::size_t begin = 0;
    for (std::size_t at = 0; at < text.size(); at = text::next_line(text, at)) {
      const std::string_view line = text.substr(at, text::line_end(text, at) - at);
      const bool is_typed = line.starts_with("$ ");
      if (!is_typed && !starts(line)) continue;
      close(text.substr(begin, at - begin));
      begin = is_typed ? text::next_line(text, at) : at;
      form_ = Form::none;
      keys_.clear();
      if (!is_typed) starts(line);
    }
    close(text.substr(std::min(begin, text.size())));
  }
  std::vector<std::string_view> parts;

 private:
  enum class Form : std::uint8_t { none, yaml, json, described, table };

  void close(std::string_view part) {
    if (!text::trim(part).empty()) parts.push_back(part);
  }

  // Returns whether the line is the first of another output than that so far, which it notes else.
  bool starts(std::string_view line) {
    if (line.empty() || line[0] == ' ' || line[0] == '\t' || line[0] == '-' || line[0] == '#' ||
        line[0] == '\r')
      return false;
    if (form_ == Form::json && !ended_) {
      ended_ = line[0] == '}' || line[0] == ']';
      return false;
    }
    const Form form = form_of(line);
    const bool is_other = form_ != Form::none && form != Form::none &&
                          (form != form_ || form == Form::json || is_again(line));
    if (is_other) return true;
    if (form == Form::yaml) keys_.insert(key_of(line));
    if (form_ == Form::none) {
      form_ = form;
      ended_ =
          form == Form::json && line.size() > 1 && (line.ends_with('}') || line.ends_with(']'));
    }
    if (line.starts_with("kind: ") && line.ends_with("List")) is_list_ = true;
    return false;
  }

  // A key of a mapping that has it, or one that a list has not.
  bool is_again(std::string_view line) {
    if (form_ == Form::table) return true;
    if (form_ != Form::yaml) return false;
    const std::string_view key = key_of(line);
    const bool again =
        keys_.contains(key) ||
        (is_list_ && key != "metadata" && key != "apiVersion" && key != "items" && key != "kind");
    if (again) is_list_ = false;
    return again;
  }

  // Text that belongs to what is before it has none: rows of a table, blocks of a description.
  Form form_of(std::string_view line) const {
    if (line[0] == '{' || line[0] == '[') return Form::json;
    if (is_event_table(line) || is_pod_table(line) || gcloud_table(line) != nullptr)
      return Form::table;
    const std::string_view name = "Name:";
    if (line.starts_with(name) && line.size() > name.size() && line[name.size()] == ' ')
      return Form::described;
    if (form_ == Form::described || form_ == Form::table) {
      return line.starts_with("apiVersion: ") || line.starts_with("items:") ? Form::yaml
                                                                            : Form::none;
    }
    return line.find(':') == std::string_view::npos ? Form::none : Form::yaml;
  }

  static std::string_view key_of(std::string_view line) { return line.substr(0, line.find(':')); }

  Form form_ = Form::none;
  bool ended_ = false, is_list_ = false;
  std::set<std::string_view> keys_;
};

// Returns whether kubectl or gcloud print the line in place of what they were asked for.
bool is_refusal(std::string_view line) {
  constexpr std::string_view begins[] = {"Error from server", "error: You must be logged in",
                                         "error: the server doesn't have a resource type",
                                         "Unable to connect to the server", "ERROR: (gcloud."};
  return std::ranges::any_of(begins,
                             [&](std::string_view begin) { return line.starts_with(begin); }) ||
         line == "Unauthorized";
}

// Reads the lines that stand for a whole output.
void read_plain_lines(std::string_view file, std::string_view text, Dump& dump) {
  for (std::size_t at = 0; at < text.size(); at = text::next_line(text, at)) {
    std::string_view line = text.substr(at, text::line_end(text, at) - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (is_refusal(line))
      dump.remarks.push_back(fmt::format("{} lacks what could not be saved: {}", file, line));
    if (line == "No resources found" || line.starts_with("No resources found in "))
      dump.has_empty_list = true;
  }
}

class DumpReader {
 public:
  DumpReader(std::string_view file, Dump& dump) : file_(file), dump_(dump) {}

  void json(std::string_view text) {
    const std::size_t list = list_in(text);
    if (list == std::string_view::npos) return add(text);
    std::size_t begin = list, depth = 0, at = list;
    for (; at < text.size(); ++at) {
      const char c = text[at];
      if (c == '"') {
        at = string_end(text, at);
      } else if (c == '{' || c == '[') {
        if (depth++ == 0) begin = at;
      } else if (c == '}' || c == ']') {
        if (depth == 0) {
          dump_.has_empty_list = dump_.has_empty_list || number_ == 0;
          return;
        }
        if (--depth == 0) add(text.substr(begin, at + 1 - begin));
      }
    }
    cut_off();
  }

  // `items:` of a list has each item at the beginning of a line, and comes before the list's kind.
  void yaml(std::string_view text) {
    constexpr std::string_view list = "items:\n";
    const std::size_t found = text.starts_with(list) ? 0 : text.find("\nitems:\n");
    if (found == std::string_view::npos) return add(text);
    std::size_t at = text::next_line(text, found == 0 ? 0 : found + 1);
    std::string item;
    while (at < text.size()) {
      const std::size_t next = text::next_line(text, at);
      std::string line(text.substr(at, next - at));
      const bool begins = line.starts_with("- ");
      if (!begins && !line.starts_with(' ') && line != "\n") break;
      if (begins && !item.empty()) add(std::exchange(item, {}));
      if (begins) line[0] = ' ';
      item += line;
      at = next;
    }
    const bool whole = at < text.size() && text.ends_with('\n');
    if (!item.empty()) add(item);
    if (!whole) cut_off();
  }

 private:
  // Behind the bracket of the list that the document is, or has as `items`.
  static std::size_t list_in(std::string_view text) {
    std::size_t depth = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
      const char c = text[at];
      if (c == '"') {
        const std::size_t end = string_end(text, at);
        const std::string_view key = text.substr(at, end + 1 - at);
        at = end;
        if (depth != 1 || key != "\"items\"") continue;
        const std::size_t value = text.find_first_not_of(" \t\r\n:", end + 1);
        return value != std::string_view::npos && text[value] == '[' ? value + 1
                                                                     : std::string_view::npos;
      }
      if (c == '[' && depth == 0) return at + 1;
      if (c == '{' || c == '[') ++depth;
      if ((c == '}' || c == ']') && --depth == 0) return std::string_view::npos;
    }
    return std::string_view::npos;
  }

  static std::size_t string_end(std::string_view text, std::size_t at) {
    for (++at; at < text.size() && text[at] != '"'; ++at) {
      if (text[at] == '\\') ++at;
    }
    return std::min(at, text.size() - 1);
  }

  void add(std::string_view text) {
    ++number_;
    std::optional<Node> object = parse_part(text);
    if (!object) {
      dump_.remarks.push_back(fmt::format(
          "{}: object {} cannot be read as YAML or JSON and is left out", file_, number_));
    } else if (const Node* items = object->find("items"); items != nullptr) {
      dump_.has_empty_list = dump_.has_empty_list || items->items.empty();
      for (const Node& item : items->items) keep(item);
    } else {
      for (const Node& item : object->items) keep(item);
      if (object->kind == yaml::Kind::mapping) keep(std::move(*object));
    }
  }
  void keep(Node object) {
    if (object.kind != yaml::Kind::mapping) return;
    name_kind(object);
    if (object.text_at({"kind"}).empty()) return;
    dump_.objects.push_back(std::move(object));
  }
  void cut_off() {
    dump_.remarks.push_back(
        fmt::format("{} ends in the middle of a list: it is cut off, and what is missing in it may "
                    "exist nevertheless",
                    file_));
  }

  std::string_view file_;
  Dump& dump_;
  std::size_t number_ = 0;
};

void read_output(std::string_view file, std::string_view text, Dump& dump) {
  const std::string_view trimmed = text::trim(text);
  if (is_described(trimmed)) {
    for (Node& object : read_described(text)) dump.objects.push_back(std::move(object));
    if (text.find("\nEvents:") == std::string_view::npos)
      dump.remarks.push_back(fmt::format(
          "{} has a description without its events: it is cut off, or was filtered", file));
    return;
  }
  if (is_event_table(trimmed)) {
    for (Node& object : read_event_table(trimmed)) dump.objects.push_back(std::move(object));
    return;
  }
  if (is_pod_table(trimmed)) {
    for (Node& object : read_pod_table(trimmed)) dump.objects.push_back(std::move(object));
    dump.remarks.push_back(
        fmt::format("{} has a table of pods, which has no reasons: save them with `kubectl get "
                    "pods,jobs,events,nodes -o yaml`, or with status.sh",
                    file));
    return;
  }
  if (const GcloudTable* table = gcloud_table(trimmed)) {
    dump.remarks.push_back(
        fmt::format("{} has a table of {}, which has no {}: save it with `{} "
                    "--format=yaml`",
                    file, table->what, table->lacks, table->command));
    return;
  }
  DumpReader reader(file, dump);
  // JSON objects one after another are read one by one.
  if (trimmed.starts_with('{') || trimmed.starts_with('[')) {
    reader.json(trimmed);
  } else {
    reader.yaml(text);
  }
}

}  // namespace

void read_dump(std::string_view file, std::string_view text, Dump& dump) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    dump.remarks.push_back(
        fmt::format("{} is in UTF-16, which PowerShell writes for `>`: save it with `| Out-File "
                    "-Encoding utf8`",
                    file));
    return;
  }
  const std::size_t before = dump.objects.size();
  constexpr std::string_view left_out = "# not saved: ";
  for (std::size_t at = text.find(left_out); at != std::string_view::npos;
       at = text.find(left_out, at + 1)) {
    if (at != 0 && text[at - 1] != '\n') continue;
    const std::size_t begin = at + left_out.size();
    add_unsaved(file, text.substr(begin, text::line_end(text, at) - begin), dump);
  }
  constexpr std::string_view byte_order = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order)) text.remove_prefix(byte_order.size());
  read_plain_lines(file, text, dump);
  for (const yaml::Document& document : yaml::split_documents(text)) {
    for (const std::string_view part : OutputSplitter(document.text).parts)
      read_output(file, part, dump);
  }
  if (dump.objects.size() == before)
    dump.remarks.push_back(fmt::format(
        "{} has no objects of a cluster: save them with `kubectl get … -o yaml` and `gcloud … "
        "--format=yaml`, or with status.sh",
        file));
}

}  // namespace flexslice::why
