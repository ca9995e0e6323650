#include "schema/json_schema.hpp"

#include <fmt/core.h>

#include "base/text.hpp"
#include "yaml/parse.hpp"

namespace flexslice::schema {

using yaml::Value;

namespace {

// A row's text read as YAML. Null when it is none.
Value read(std::string_view text) {
  Sources sources;
  const std::uint32_t index = sources.add({"", std::string(text), 1});
  diag::Sink sink;
  const auto node = yaml::parse(sources, index, sink);
  return node ? yaml::to_value(*node) : Value{};
}

class SchemaWriter {
 public:
  SchemaWriter(const Choices& choices, std::string_view root) : choices_(choices), root_(root) {}

  Value table(const Table& table) const {
    Value made = Value::mapping();
    made["type"] = Value::string("object");
    made["additionalProperties"] = Value::boolean(false);
    Value required = Value::sequence();
    Value& properties = made["properties"] = Value::mapping();
    for (const Field& each : table.fields) {
      if (each.presence == Presence::required) required.push(Value::string(each.key));
      properties[each.key] =
          field(each, table.name == root_ ? std::string(each.key)
                                          : fmt::format("{}.{}", table.name, each.key));
    }
    if (!required.items.empty()) made["required"] = std::move(required);
    if (!table.one_of.empty()) {
      Value& one_of = made["oneOf"] = Value::sequence();
      for (std::string_view key : table.one_of)
        one_of.push(Value::mapping())["required"] = Value::strings({std::string(key)});
    }
    if (table.shorthand.empty()) return made;
    Value either = Value::mapping();
    Value& ways = either["anyOf"] = Value::sequence();
    for (const Field& each : table.fields) {
      if (each.key == table.shorthand) ways.push(type(*each.type, each.rule));
    }
    ways.push(std::move(made));
    return either;
  }

 private:
  Value field(const Field& field, const std::string& title) const {
    Value made = type(*field.type, field.rule);
    made["title"] = Value::string(title);
    // No `default`: editors would write it into the spec with its object, where it is noise or
    // contradicts what is derived.
    std::string words(field.doc);
    if (!field.fallback.empty()) words += fmt::format(" Default: {}.", field.fallback);
    made["description"] = Value::string(words);
    // Editors print descriptions as they are, and this one with its code marked.
    if (words.find('`') != std::string::npos) made["markdownDescription"] = Value::string(words);
    // A text that only the catalog knows has all of them as examples already.
    if (!field.example.empty() && made.find("enum") == nullptr)
      (made["examples"] = Value::sequence()).push(example(field));
    return made;
  }

  static Value example(const Field& field) {
    Value value = read(field.example);
    if (field.type->category == Category::text && !field.rule.any_scalar)
      return Value::string(value.text);
    return value;
  }

  Value type(const Type& type, const Rule& rule) const {
    switch (type.category) {
      case Category::text:
        return text(rule);
      case Category::integer:
        return integer(rule);
      case Category::flag:
        return of_type("boolean");
      case Category::tree:
        return Value::mapping();
      case Category::list: {
        Value made = of_type("array");
        Rule of_element = rule;
        of_element.not_empty = false;
        made["items"] = this->type(*type.element, of_element);
        if (rule.not_empty) made["minItems"] = Value::number(1);
        return made;
      }
      case Category::map: {
        Value made = of_type("object");
        made["additionalProperties"] = this->type(*type.element, rule);
        if (rule.key_pattern != Pattern::any) made["propertyNames"] = pattern(rule.key_pattern);
        return made;
      }
      case Category::record:
        return table(*type.table);
    }
    return {};
  }

  static Value of_type(std::string_view name) {
    Value made = Value::mapping();
    made["type"] = Value::string(name);
    return made;
  }

  static Value pattern(Pattern pattern) {
    const PatternRow& row = schema::row(pattern);
    Value made = Value::mapping();
    if (row.pattern.empty()) return made;
    made["pattern"] = Value::string(row.pattern);
    made["patternErrorMessage"] = Value::string(fmt::format("It must be {}.", row.words));
    made["maxLength"] = Value::number(static_cast<std::int64_t>(row.max));
    return made;
  }

  Value text(const Rule& rule) const {
    Value made = of_type("string");
    if (rule.any_scalar) {
      made["type"] = Value::strings({"string", "number"});
      made["minimum"] = Value::number(0);
    }
    for (auto& [key, value] : pattern(rule.pattern).members) made[key] = value;
    if (!rule.choices.empty()) {
      Value& choices = made["enum"] = Value::sequence();
      for (std::string_view choice : rule.choices) choices.push(Value::string(choice));
    }
    if (!rule.choices_of.empty()) {
      // Suggested, not demanded: an overlay of the catalog may know more.
      Value& either = made["anyOf"] = Value::sequence();
      Value& choices = either.push(Value::mapping())["enum"] = Value::sequence();
      for (const std::string& choice : choices_(rule.choices_of))
        choices.push(Value::string(choice));
      either.push(of_type("string"));
    }
    if (rule.not_empty) made["minLength"] = Value::number(1);
    return made;
  }

  static Value integer(const Rule& rule) {
    Value made = of_type("integer");
    if (rule.min != INT64_MIN) made["minimum"] = Value::number(rule.min);
    if (rule.max != INT64_MAX) made["maximum"] = Value::number(rule.max);
    return made;
  }

  const Choices& choices_;
  std::string_view root_;  // of the table whose fields have no prefix
};

}  // namespace

Value json_schema(const Table& table, const Choices& choices, std::string_view id,
                  std::string_view title) {
  Value schema = Value::mapping();
  schema["$schema"] = Value::string("https://json-schema.org/draft/2020-12/schema");
  schema["$id"] = Value::string(id);
  schema["title"] = Value::string(title);
  for (auto& [key, value] : SchemaWriter(choices, table.name).table(table).members)
    schema[key] = std::move(value);
  return schema;
}

}  // namespace flexslice::schema
