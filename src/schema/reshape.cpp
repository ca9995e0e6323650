#include "schema/reshape.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "base/text.hpp"
#include "schema/likely.hpp"
#include "yaml/emit.hpp"

namespace flexslice::schema {

std::string as_list(std::string_view text) {
  if (text.find_first_of("'\"\\") != std::string_view::npos) return "…";
  const std::vector<std::string_view> words = text::split(text, ' ');
  if (words.size() == 1) return std::string(text);
  std::string listed;
  for (std::string_view word : words) {
    if (word.empty()) continue;
    if (!listed.empty()) listed += ", ";
    yaml::emit_json_string(word, listed);
  }
  return listed;
}

std::string as_mapping(const yaml::Node& list) {
  std::string made;
  for (const yaml::Node& item : list.items) {
    const yaml::Node* name = item.find("name");
    const yaml::Node* value = item.find("value");
    if (name == nullptr || value == nullptr || value->kind != yaml::Kind::scalar ||
        item.members.size() != 2)
      return "KEY: VALUE";
    made += fmt::format("{}{}: ", made.empty() ? "" : ", ", name->text);
    yaml::emit_json_string(value->text, made);
  }
  return made.empty() ? "KEY: VALUE" : "{" + made + "}";
}

void help_with_quotes(diag::Diagnostic& found, const yaml::Node& scalar) {
  std::string quoted;
  yaml::emit_json_string(scalar.text, quoted);
  found.help(fmt::format("put it in quotes: {}", quoted)).fix(scalar.span, quoted);
}

void help_with_scalar(diag::Diagnostic& found, std::string_view text, const Table& table) {
  const auto required = [](const Field& field) { return field.presence == Presence::required; };
  if (std::count_if(table.fields.begin(), table.fields.end(), required) != 1) return;
  const Field& field = *std::find_if(table.fields.begin(), table.fields.end(), required);
  const std::string value = likely(field.rule.pattern, text).value_or(std::string(text));
  if (matches(field.rule.pattern, value))
    found.help(fmt::format("write `{{{}: {}}}`", field.key, value));
}

}  // namespace flexslice::schema
