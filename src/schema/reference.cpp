#include <fmt/core.h>

#include "base/text.hpp"
#include "schema/json_schema.hpp"

namespace flexslice::schema {

namespace {

// A longer list is the catalog's to show.
constexpr std::size_t most_choices = 8;

std::string type_words(const Type& type, const Constraint& constraint, const Choices& choices) {
  switch (type.category) {
    case Category::text: {
      std::vector<std::string> words(constraint.choices.begin(), constraint.choices.end());
      if (!constraint.choices_of.empty()) words = choices(constraint.choices_of);
      if (words.size() > most_choices) words.clear();
      if (!words.empty()) return "`" + text::join(words, "` `") + "`";
      return constraint.pattern == Pattern::any ? "string"
                                                : std::string(row(constraint.pattern).words);
    }
    case Category::integer:
      if (constraint.min == INT64_MIN) return "whole number";
      return constraint.max == INT64_MAX
                 ? fmt::format("whole number, at least {}", constraint.min)
                 : fmt::format("whole number, {} to {}", constraint.min, constraint.max);
    case Category::flag:
      return "`true` or `false`";
    case Category::tree:
      return "as in Kubernetes";
    default:
      break;
  }
  const bool list = type.category == Category::list;
  if (type.element == nullptr || type.element->category == Category::record)
    return list ? "list" : "mapping";
  return (list ? "list of: " : "mapping to: ") + type_words(*type.element, constraint, choices);
}

const Type& innermost(const Type& type) {
  return type.element == nullptr ? type : innermost(*type.element);
}

void append(const Table& table, const std::string& prefix, const Choices& choices,
            std::vector<FieldDoc>& docs) {
  for (const Field& field : table.fields) {
    const std::string path = prefix + std::string(field.key);
    docs.push_back({path, &field, type_words(*field.type, field.constraint, choices)});
    const Type& inner = innermost(*field.type);
    if (inner.category != Category::record) continue;
    const std::string step = field.type->category == Category::list  ? "[]."
                             : field.type->category == Category::map ? ".NAME."
                                                                     : ".";
    append(*inner.table, path + step, choices, docs);
  }
}

}  // namespace

std::vector<FieldDoc> field_docs(const Table& table, const Choices& choices) {
  std::vector<FieldDoc> docs;
  append(table, "", choices, docs);
  return docs;
}

std::string reference(const Table& table, const Choices& choices) {
  std::string out =
      "# Fields of a spec\n\nMade from the field table by `flexslice schema --reference`. A "
      "duration is a number with a unit, `s`, `m`, `h` or `d`, or a sum such as `1h30m`.\n\n";
  for (const auto& [path, field, type] : field_docs(table, choices)) {
    out += fmt::format("### `{}`\n\n{}\n\n- type: {}\n", path, field->doc, type);
    if (field->presence == Presence::required) out += "- required\n";
    if (!field->fallback.empty()) out += fmt::format("- default: {}\n", field->fallback);
    if (!field->example.empty())
      out += fmt::format("- example: `{}: {}`\n", field->key, field->example);
    out += "\n";
  }
  out.pop_back();
  return out;
}

}  // namespace flexslice::schema
