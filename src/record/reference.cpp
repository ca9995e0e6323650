#include "base/text.hpp"
#include "record/schema.hpp"

namespace flexslice::record {

namespace {

// A longer list is the catalog's to show.
constexpr std::size_t most_choices = 8;

std::string type_words(const Type& type, const Rule& rule, const Choices& choices) {
  switch (type.kind) {
    case Kind::text: {
      std::vector<std::string> words(rule.choices.begin(), rule.choices.end());
      if (!rule.choices_of.empty()) words = choices(rule.choices_of);
      if (words.size() > most_choices) words.clear();
      if (!words.empty()) return "`" + text::join(words, "` `") + "`";
      return rule.form == Form::any ? "string" : std::string(row(rule.form).words);
    }
    case Kind::integer:
      if (rule.min == INT64_MIN) return "whole number";
      return rule.max == INT64_MAX ? text::format("whole number, at least {}", rule.min)
                                   : text::format("whole number, {} to {}", rule.min, rule.max);
    case Kind::flag:
      return "`true` or `false`";
    case Kind::tree:
      return "as in Kubernetes";
    case Kind::list:
      return type.element->kind == Kind::record ? "list" : "list of: " + type_words(*type.element, rule, choices);
    case Kind::map:
      return type.element->kind == Kind::record ? "mapping" : "mapping to: " + type_words(*type.element, rule, choices);
    case Kind::record:
      return "mapping";
  }
  return {};
}

const Type& innermost(const Type& type) { return type.element == nullptr ? type : innermost(*type.element); }

void append(const Table& table, const std::string& prefix, const Choices& choices, std::vector<FieldDoc>& docs) {
  for (const Field& field : table.fields) {
    const std::string path = prefix + std::string(field.key);
    docs.push_back({path, &field, type_words(*field.type, field.rule, choices)});
    const Type& inner = innermost(*field.type);
    if (inner.kind != Kind::record) continue;
    const std::string step = field.type->kind == Kind::list ? "[]." : field.type->kind == Kind::map ? ".NAME." : ".";
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
      "# Fields of a spec\n\nMade from the field table by `flexslice schema --reference`. A duration is a number with a unit, `s`, `m`, "
      "`h` or `d`, or a sum such as "
      "`1h30m`.\n\n";
  for (const auto& [path, field, type] : field_docs(table, choices)) {
    out += text::format("### `{}`\n\n{}\n\n- type: {}\n", path, field->doc, type);
    if (field->presence == Presence::required) out += "- required\n";
    if (!field->fallback.empty()) out += text::format("- default: {}\n", field->fallback);
    if (!field->example.empty()) out += text::format("- example: `{}: {}`\n", field->key, field->example);
    out += "\n";
  }
  out.pop_back();
  return out;
}

}  // namespace flexslice::record
