#include "schema/help.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "base/text.hpp"
#include "schema/likely.hpp"
#include "yaml/emit.hpp"

namespace flexslice::schema {

namespace {

constexpr std::size_t few = 8;  // fields that are listed in a message

std::string quoted(std::string_view text) {
  std::string json;
  yaml::emit_json_string(text, json);
  return json;
}

// `node-locations` and `node_locations` are the same word as `nodeLocations`.
std::string bare(std::string_view key) {
  std::string letters = text::lower(key);
  std::erase_if(letters, [](char c) { return c == '-' || c == '_'; });
  return letters;
}

// Where the key is a field: at the top, or one level below. Empty when it is nowhere.
std::string home_of(std::string_view key, const Table& table, const Table& root) {
  if (&root != &table && root.find(key) != nullptr)
    return fmt::format("`{}` stands at the top of the spec", key);
  for (const Field& field : root.fields) {
    if (field.type->category == Category::record && field.type->table->find(key) != nullptr)
      return fmt::format("`{}` is a field of `{}`", key, field.key);
  }
  return {};
}

}  // namespace

std::string as_list(std::string_view text) {
  if (text.find_first_of("'\"\\") != std::string_view::npos) return "…";
  std::vector<std::string> words;
  for (std::string_view word : text::split(text, ' ')) {
    if (!word.empty()) words.push_back(quoted(word));
  }
  return text.find(' ') == std::string_view::npos ? std::string(text) : text::join(words, ", ");
}

std::string as_mapping(const yaml::Node& list) {
  std::vector<std::string> members;
  for (const yaml::Node& item : list.items) {
    const yaml::Node* name = item.find("name");
    const yaml::Node* value = item.find("value");
    if (name == nullptr || value == nullptr || value->kind != yaml::Kind::scalar ||
        item.members.size() != 2)
      return "KEY: VALUE";
    members.push_back(fmt::format("{}: {}", name->text, quoted(value->text)));
  }
  return members.empty() ? "KEY: VALUE" : "{" + text::join(members, ", ") + "}";
}

void help_with_quotes(diag::Diagnostic& report, const yaml::Node& scalar) {
  const std::string text = quoted(scalar.text);
  report.help(fmt::format("put it in quotes: {}", text)).fix(scalar.span, text);
}

void help_with_scalar(diag::Diagnostic& report, std::string_view text, const Table& table) {
  if (std::ranges::count(table.fields, Presence::required, &Field::presence) != 1) return;
  const Field& field = *std::ranges::find(table.fields, Presence::required, &Field::presence);
  const std::string value = likely(field.rule.pattern, text).value_or(std::string(text));
  if (matches(field.rule.pattern, value))
    report.help(fmt::format("write `{{{}: {}}}`", field.key, value));
}

std::string_view report_unknown(const yaml::Node& key, const Table& table, const Table& root,
                                std::string_view path, diag::Sink& sink) {
  diag::Diagnostic& report = sink.report<diag::Code::UnknownField>(
      key.span, key.text, path.empty() ? "the spec" : fmt::format("`{}`", path));
  for (const Foreign& foreign : table.foreign) {
    if (bare(foreign.key) != bare(key.text)) continue;
    report.help(foreign.help.empty() ? fmt::format("write `{}`", foreign.instead)
                                     : std::string(foreign.help));
    return foreign.instead;
  }
  std::vector<std::string_view> keys;
  for (const Field& field : table.fields) keys.push_back(field.key);
  if (const auto near = text::nearest(key.text, keys)) {
    report.help(fmt::format("did you mean `{}`?", *near));
    return *near;
  }
  if (const std::string home = home_of(key.text, table, root); !home.empty()) {
    report.help(home);
  } else if (keys.size() <= few) {
    report.note(fmt::format("the fields are {}", text::quoted_list(keys)));
  } else if (!table.otherwise.empty()) {
    report.help(std::string(table.otherwise));
  }
  return {};
}

}  // namespace flexslice::schema
