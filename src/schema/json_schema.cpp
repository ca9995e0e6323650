#include "schema/json_schema.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "schema/kubernetes_types.hpp"
#include "yaml/parse.hpp"

namespace flexslice::schema {

using yaml::Value;

namespace {

// A row's text read as YAML. Null when it is none.
Value read_embedded(std::string_view text) {
  Sources sources;
  const std::uint32_t index = sources.add({"", std::string(text), 1});
  diag::Sink sink;
  const auto node = yaml::parse(sources, index, sink);
  return node ? yaml::to_value(*node) : Value{};
}

// Keywords that editors alone know.
constexpr std::string_view marked_words = "markdownDescription",
                           words_of_pattern = "patternErrorMessage";

class SchemaWriter {
 public:
  SchemaWriter(const Choices& choices, std::span<const Dependency> dependencies,
               std::string_view root)
      : choices_(choices), dependencies_(dependencies), root_(root) {}

  // Raw tables that are referred to, after the one given.
  Value definitions() const {
    Value all = Value::mapping();
    // Each may refer to more.
    std::size_t written = 0;
    for (; written < raw_.size(); ++written) all[raw_[written]->name] = table(*raw_[written]);
    return all;
  }

  Value table(const Table& table) const {
    Value schema = of_type("object");
    schema["additionalProperties"] = Value::boolean(false);
    Value required = Value::sequence();
    Value& properties = schema["properties"] = Value::mapping();
    const std::string prefix = table.name == root_ ? "" : std::string(table.name) + ".";
    for (const Field& field : table.fields) {
      if (!in_layer_ && field.presence == Presence::required && field.optional_for.empty())
        required.push(Value::string(field.key));
      properties[field.key] = table.raw ? type(*field.type, field.constraint)
                                        : described(field, prefix + std::string(field.key));
    }
    if (!required.items.empty()) schema["required"] = std::move(required);
    for (const Field& field : table.fields) {
      if (!in_layer_ && !field.optional_for.empty())
        require_unless(schema, field, table.find("kind") != nullptr);
    }
    for (const Dependency& dependency : dependencies_) {
      if (!in_layer_ && dependency.table == table.name) depend(schema, dependency);
    }
    if (!in_layer_ && !table.one_of.empty()) {
      Value& one_of = schema["oneOf"] = Value::sequence();
      for (std::string_view key : table.one_of) require(one_of.push(Value::mapping()), key);
    }
    if (table.shorthand.empty()) return schema;
    const Field& scalar = *table.find(table.shorthand);
    Value either = Value::mapping();
    Value& forms = either["anyOf"] = Value::sequence();
    forms.push(type(*scalar.type, scalar.constraint));
    forms.push(std::move(schema));
    return either;
  }

 private:
  // A reader in strict mode takes only fields that are described beside it.
  static void require(Value& schema, std::string_view field) {
    Value& properties = schema["properties"];
    if (properties.find(field) == nullptr) properties[field] = Value::boolean(true);
    schema["required"] = Value::strings({std::string(field)});
  }

  // By the kind of the workload, or by the field that is enough.
  static void require_unless(Value& schema, const Field& field, bool by_kind) {
    std::vector<std::string> kinds;
    for (std::string_view kind : text::split(field.optional_for, ' ')) kinds.emplace_back(kind);
    Value rule = Value::mapping();
    if (by_kind) rule["if"]["properties"]["kind"]["enum"] = Value::strings(kinds);
    Value* holder = &rule["if"];
    const auto keys = text::split(by_kind ? std::string_view("kind") : field.optional_for, '.');
    for (std::string_view key : keys) {
      if (key != keys.front())
        holder = &((*holder)["properties"][keys.front()] = of_type("object"));
      require(*holder, key);
    }
    require(rule["else"], field.key);
    schema["allOf"].push(std::move(rule));
  }

  static void depend(Value& schema, const Dependency& dependency) {
    const auto restrict = [](Value& to, std::string_view field,
                             const std::vector<std::string>& values) -> Value& {
      Value properties = Value::mapping();
      properties[field]["enum"] = Value::strings(values);
      to["properties"] = std::move(properties);
      return to;
    };
    // A value that is allowed for one choice would be suggested for each; so would an example.
    Value& dependent = schema["properties"][dependency.dependent];
    dependent.erase("anyOf");
    if (const Value* examples = dependent.find("examples")) {
      Value without;
      require(without["if"], dependency.field);
      without["else"]["properties"][dependency.dependent]["examples"] = *examples;
      dependent.erase("examples");
      schema["allOf"].push(std::move(without));
    }
    Value& rule = schema["allOf"].push(Value::mapping());
    restrict(rule["if"], dependency.field, dependency.values)["required"] =
        Value::strings({std::string(dependency.field)});
    restrict(rule["then"], dependency.dependent, dependency.choices);
  }

  Value described(const Field& field, const std::string& title) const {
    Value schema = type(*field.type, field.constraint);
    if (in_layer_) {
      // null takes away what lies below.
      Value either = Value::mapping();
      Value& forms = either["anyOf"] = Value::sequence();
      forms.push(std::move(schema));
      forms.push(of_type("null"));
      schema = std::move(either);
    }
    schema["title"] = Value::string(title);
    // No `default`: editors would write it into the spec with its object, where it is noise or
    // contradicts what is derived.
    std::string words(field.doc);
    if (!field.fallback.empty()) words += fmt::format(" Default: {}.", field.fallback);
    schema["description"] = Value::string(words);
    // Editors print descriptions as they are, and this one with its code marked.
    if (words.find('`') != std::string::npos) schema[marked_words] = Value::string(words);
    // A field with an enum has all of its values as examples already.
    if (field.example.empty() || schema.find("enum") != nullptr) return schema;
    const Value example = read_embedded(field.example);
    const bool text = field.type->category == Category::text && !field.constraint.any_scalar;
    (schema["examples"] = Value::sequence()).push(text ? Value::string(example.text) : example);
    return schema;
  }

  Value type(const Type& type, Constraint constraint) const {
    Value schema = of_type(names[static_cast<std::size_t>(type.category)]);
    switch (type.category) {
      case Category::text:
        return text(constraint);
      case Category::integer:
        if (constraint.min != INT64_MIN) schema["minimum"] = Value::number(constraint.min);
        if (constraint.max != INT64_MAX) schema["maximum"] = Value::number(constraint.max);
        break;
      case Category::flag:
        break;
      case Category::tree:
        return constraint.shape.empty() ? Value::mapping()
                                        : reference(kubernetes::table(constraint.shape));
      case Category::list: {
        if (std::exchange(constraint.or_one, false)) {
          Value either = Value::mapping();
          Value& forms = either["anyOf"] = Value::sequence();
          Constraint element = constraint;
          element.not_empty = false;
          forms.push(this->type(*type.element, element));
          forms.push(this->type(type, constraint));
          return either;
        }
        const bool not_empty = std::exchange(constraint.not_empty, false);
        schema["items"] = this->type(*type.element, of_element(constraint));
        if (not_empty) schema["minItems"] = Value::number(1);
        break;
      }
      case Category::map:
        schema["additionalProperties"] = this->type(*type.element, of_element(constraint));
        if (constraint.key_pattern != Pattern::any)
          schema["propertyNames"] = pattern(constraint.key_pattern);
        break;
      case Category::record: {
        if (type.table->raw) return reference(*type.table);
        const bool was_in_layer = std::exchange(in_layer_, in_layer_ || constraint.is_layer);
        schema = table(*type.table);
        in_layer_ = was_in_layer;
        break;
      }
    }
    return schema;
  }

  // By category.
  static constexpr std::string_view names[] = {"string", "integer", "boolean", "",
                                               "array",  "object",  "object"};

  static Value of_type(std::string_view name) {
    Value schema = Value::mapping();
    schema["type"] = Value::string(name);
    return schema;
  }

  static Value pattern(Pattern pattern) {
    const PatternRow& row = schema::row(pattern);
    Value schema = Value::mapping();
    if (row.pattern.empty()) return schema;
    schema["pattern"] = Value::string(row.pattern);
    schema[words_of_pattern] = Value::string(fmt::format("It must be {}.", row.words));
    schema["maxLength"] = Value::number(static_cast<std::int64_t>(row.max));
    return schema;
  }

  Value reference(const Table& raw) const {
    if (std::ranges::count(raw_, &raw) == 0) raw_.push_back(&raw);
    Value schema = Value::mapping();
    schema["$ref"] = Value::string(fmt::format("#/$defs/{}", raw.name));
    return schema;
  }

  Value text(Constraint constraint) const {
    if (std::exchange(constraint.or_true, false)) {
      Value either = Value::mapping();
      Value& forms = either["anyOf"] = Value::sequence();
      forms.push(Value::mapping())["const"] = Value::boolean(true);
      forms.push(text(constraint));
      return either;
    }
    if (std::exchange(constraint.or_integer, false)) {
      Value either = Value::mapping();
      Value& forms = either["anyOf"] = Value::sequence();
      forms.push(type({.category = Category::integer}, constraint));
      forms.push(text(constraint));
      return either;
    }
    Value schema = of_type("string");
    if (constraint.any_scalar) {
      schema["type"] = Value::strings({"string", "number"});
      const bool is_positive = constraint.pattern == Pattern::positive_quantity;
      schema[is_positive ? "exclusiveMinimum" : "minimum"] = Value::number(0);
      if (constraint.max != INT64_MAX) schema["maximum"] = Value::number(constraint.max);
    }
    for (auto& [key, value] : pattern(constraint.pattern).members) schema[key] = value;
    if (constraint.server != nullptr && !constraint.server->expression.empty())
      schema["pattern"] = Value::string(constraint.server->expression);
    if (!constraint.choices.empty())
      schema["enum"] = Value::strings({constraint.choices.begin(), constraint.choices.end()});
    if (constraint.choices_of != NameSet::none) {
      // Suggested, not demanded: an overlay of the catalog may know more.
      Value& either = schema["anyOf"] = Value::sequence();
      either.push(Value::mapping())["enum"] = Value::strings(choices_(constraint.choices_of));
      either.push(of_type("string"));
    }
    if (constraint.not_empty) schema["minLength"] = Value::number(1);
    return schema;
  }

  const Choices& choices_;
  std::span<const Dependency> dependencies_;
  std::string_view root_;  // of the table whose fields have no prefix
  mutable std::vector<const Table*> raw_;
  mutable bool in_layer_ = false;  // what another record has may be missing
};

// A schema that takes strings and numbers is split into one for either.
Value of_one_type(const Value& schema, std::string_view type) {
  constexpr std::string_view of_numbers[] = {"minimum", "exclusiveMinimum", "maximum"};
  constexpr std::string_view of_texts[] = {"pattern", "minLength", "maxLength"};
  Value one = Value::mapping();
  one["type"] = Value::string(type);
  for (const Value::Member& member : schema.members) {
    if (type == "number" ? contains(of_numbers, member.key) : contains(of_texts, member.key))
      one[member.key] = member.value;
  }
  return one;
}

}  // namespace

void make_strict(Value& schema) {
  std::ranges::for_each(schema.items, make_strict);
  for (Value::Member& member : schema.members) make_strict(member.value);
  // A field may be called so, too.
  for (std::string_view word : {marked_words, words_of_pattern}) {
    const Value* text = schema.find(word);
    if (text != nullptr && text->is_string()) schema.erase(word);
  }
  const Value* types = schema.find("type");
  if (types == nullptr || !types->is_sequence() || types->items.size() != 2 ||
      types->items[1].text != "number")
    return;
  Value forms = Value::sequence();
  const Value text = of_one_type(schema, "string"), number = of_one_type(schema, "number");
  forms.push(text);
  forms.push(number);
  for (const Value* each : {&text, &number}) {
    for (const Value::Member& member : each->members) schema.erase(member.key);
  }
  schema["anyOf"] = std::move(forms);
}

Value json_schema(const Table& table, const Choices& choices,
                  std::span<const Dependency> dependencies, std::string_view id,
                  std::string_view title) {
  Value schema = Value::mapping();
  schema["$schema"] = Value::string("https://json-schema.org/draft/2020-12/schema");
  schema["$id"] = Value::string(id);
  schema["title"] = Value::string(title);
  const SchemaWriter writer(choices, dependencies, table.name);
  for (auto& [key, value] : writer.table(table).members) schema[key] = std::move(value);
  if (Value raw = writer.definitions(); !raw.is_empty()) schema["$defs"] = std::move(raw);
  return schema;
}

}  // namespace flexslice::schema
