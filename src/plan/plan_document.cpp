// The plan as one document, and its JSON Schema, both made from the field tables.
#include <algorithm>

#include "plan/plan.hpp"
#include "schema/read.hpp"

namespace flexslice::plan {

using schema::Category;
using schema::Field;
using schema::Table;
using schema::Type;
using yaml::Value;

namespace {

void put(Value& mapping, std::string_view key, std::string_view text) {
  if (!text.empty()) mapping.add(key, Value::string(text));
}

Value of_type(std::string_view type, std::string_view doc = {}) {
  Value schema = Value::mapping();
  put(schema, "type", type);
  put(schema, "description", doc);
  return schema;
}

Value properties_of(const Table& table);

// `doc` is empty for the elements of a list.
Value schema_of(const Type& type, std::string_view doc = {}) {
  constexpr std::string_view by_category[] = {"string", "number", "boolean", "",
                                              "array",  "object", "object"};
  Value schema = of_type(by_category[static_cast<std::size_t>(type.category)], doc);
  if (type.category == Category::list) schema.add("items", schema_of(*type.element));
  if (type.category == Category::map) schema.add("additionalProperties", schema_of(*type.element));
  if (type.category == Category::record) schema.add("properties", properties_of(*type.table));
  return schema;
}

Value properties_of(const Table& table) {
  Value properties = Value::mapping();
  const auto add = [&](const Field& field) {
    if (!field.internal) properties.add(field.key, schema_of(*field.type, field.doc));
  };
  std::ranges::for_each(table.fields, add);
  table.for_each_claim(add);
  return properties;
}

using Texts = std::initializer_list<std::pair<std::string_view, std::string_view>>;

Value mapping_of(Texts members) {
  Value mapping = Value::mapping();
  for (const auto& [key, text] : members) put(mapping, key, text);
  return mapping;
}

// The document has lists that are derived from the values, in addition to the plan's own rows.
Value listed(std::string_view doc, Texts members) {
  Value schema = of_type("array", doc);
  Value& properties = schema.add("items", of_type("object")).add("properties", Value::mapping());
  for (const auto& [key, text] : members) properties.add(key, of_type("string", text));
  return schema;
}

std::string citation_of(const catalog::Evidence* evidence) {
  return evidence == nullptr ? std::string() : catalog::citation(*evidence);
}

void append(Value& to, Value from) {
  std::ranges::move(from.members, std::back_inserter(to.members));
}

}  // namespace

Value document(const Plan& plan) {
  Value document = mapping_of({{"apiVersion", "flexslice-plan/v1"}});
  append(document, schema::encode(schema::ref(plan)));
  Value& needs = document.add("needs", Value::sequence());
  for (const Need& need : plan.needs)
    needs.push(mapping_of(
        {{"version", need.version}, {"for", need.what}, {"source", citation_of(need.evidence)}}));
  Value& controllers = document.add("controllers", Value::sequence());
  for (const ControllerNeed& need : plan.controllers) {
    Value& controller = controllers.push(mapping_of({{"name", need.controller->name}}));
    Value& versions = controller.add("versions", Value::sequence());
    for (std::string_view version : need.minimum->versions) versions.push(Value::string(version));
    append(controller, mapping_of({{"for", need.minimum->title},
                                   {"source", citation_of(&need.minimum->evidence)}}));
  }
  Value& reasons = document.add("reasons", Value::sequence());
  for (const auto& [path, value, reason] : schema::reasons(schema::ref(plan)))
    reasons.push(mapping_of(
        {{"path", path}, {"because", reason->because}, {"source", citation_of(reason->evidence)}}));
  return document;
}

Value json_schema(std::string_view id, std::string_view title) {
  constexpr std::string_view source = "Source, confidence and date of the fact.";
  Value schema = mapping_of({{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                             {"$id", id},
                             {"title", title},
                             {"type", "object"}});
  Value& properties = schema.add("properties", Value::mapping());
  properties.add(
      "apiVersion",
      of_type(
          "string",
          "Version of this document, `flexslice-plan/v1`. Paths are only added within a version."));
  append(properties, properties_of(schema::TableOf<Plan>::table));
  properties.add("needs", listed("GKE versions that the cluster needs, the highest first.",
                                 {{"version", "The lowest version with the feature."},
                                  {"for", "What requires it."},
                                  {"source", source}}));
  Value& controllers =
      properties.add("controllers", listed("Versions of controllers that the objects need.",
                                           {{"name", "The controller, `Kueue` or `JobSet`."},
                                            {"for", "What requires it."},
                                            {"source", source}}));
  Value versions = of_type(
      "array",
      "The first release with the feature on each release branch; all later branches have it.");
  versions.add("items", of_type("string"));
  controllers.find("items")->find("properties")->add("versions", std::move(versions));
  properties.add("reasons", listed("Reasons of derived values.",
                                   {{"path", "Path of the value."},
                                    {"because", "The reason, with its arithmetic."},
                                    {"source", source}}));
  return schema;
}

}  // namespace flexslice::plan
