#include "record/schema.hpp"

namespace flexslice::record {

using yaml::Value;

namespace {

class SchemaWriter {
 public:
  explicit SchemaWriter(const Choices& choices) : choices_(choices) {}

  Value table(const Table& table) const {
    Value made = Value::mapping();
    made["type"] = Value::string("object");
    made["additionalProperties"] = Value::boolean(false);
    Value required = Value::sequence();
    Value& properties = made["properties"] = Value::mapping();
    for (const Field& each : table.fields) {
      if (each.presence == Presence::required) required.push(Value::string(each.key));
      properties[each.key] = field(each);
    }
    if (!required.items.empty()) made["required"] = std::move(required);
    if (!table.one_of.empty()) {
      Value& one_of = made["oneOf"] = Value::sequence();
      for (std::string_view key : table.one_of) one_of.push(Value::mapping())["required"] = Value::strings({std::string(key)});
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
  Value field(const Field& field) const {
    Value made = type(*field.type, field.rule);
    made["description"] = Value::string(field.fallback.empty() ? std::string(field.doc)
                                                               : std::string(field.doc) + " Default: " + std::string(field.fallback) + ".");
    return made;
  }

  Value type(const Type& type, const Rule& rule) const {
    switch (type.kind) {
      case Kind::text:
        return text(rule);
      case Kind::integer:
        return integer(rule);
      case Kind::flag:
        return of_type("boolean");
      case Kind::tree:
        return Value::mapping();
      case Kind::list: {
        Value made = of_type("array");
        Rule of_element = rule;
        of_element.not_empty = false;
        made["items"] = this->type(*type.element, of_element);
        if (rule.not_empty) made["minItems"] = Value::number(1);
        return made;
      }
      case Kind::map: {
        Value made = of_type("object");
        made["additionalProperties"] = this->type(*type.element, rule);
        if (rule.key_form != Form::any) made["propertyNames"] = form(rule.key_form);
        return made;
      }
      case Kind::record:
        return table(*type.table);
    }
    return {};
  }

  static Value of_type(std::string_view name) {
    Value made = Value::mapping();
    made["type"] = Value::string(name);
    return made;
  }

  static Value form(Form form) {
    const FormRow& row = record::row(form);
    Value made = Value::mapping();
    if (row.pattern.empty()) return made;
    made["pattern"] = Value::string(row.pattern);
    made["maxLength"] = Value::number(static_cast<std::int64_t>(row.max));
    return made;
  }

  Value text(const Rule& rule) const {
    Value made = of_type("string");
    if (rule.any_scalar) {
      made["type"] = Value::strings({"string", "number"});
      made["minimum"] = Value::number(0);
    }
    for (auto& [key, value] : form(rule.form).members) made[key] = value;
    if (!rule.choices.empty()) {
      Value& choices = made["enum"] = Value::sequence();
      for (std::string_view choice : rule.choices) choices.push(Value::string(choice));
    }
    if (!rule.choices_of.empty()) {
      // Suggested, not demanded: an overlay of the catalog may know more.
      Value& examples = made["examples"] = Value::sequence();
      for (const std::string& choice : choices_(rule.choices_of)) examples.push(Value::string(choice));
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
};

}  // namespace

Value json_schema(const Table& table, const Choices& choices, std::string_view title) {
  Value schema = Value::mapping();
  schema["$schema"] = Value::string("https://json-schema.org/draft/2020-12/schema");
  schema["title"] = Value::string(title);
  for (auto& [key, value] : SchemaWriter(choices).table(table).members) schema[key] = std::move(value);
  return schema;
}

}  // namespace flexslice::record
