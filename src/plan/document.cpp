// The plan as one document, and its JSON Schema, both made from the field tables.
#include "base/text.hpp"
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
  Value made = Value::mapping();
  if (!type.empty()) made.add("type", Value::string(type));
  put(made, "description", doc);
  return made;
}

Value properties_of(const Table& table);

// `doc` is empty for the elements of a list.
Value schema_of(const Type& type, std::string_view doc = {}) {
  switch (type.category) {
    case Category::text:
      return of_type("string", doc);
    case Category::integer:
      return of_type("number", doc);
    case Category::flag:
      return of_type("boolean", doc);
    case Category::tree:
      return of_type({}, doc);
    case Category::list: {
      Value made = of_type("array", doc);
      made.add("items", schema_of(*type.element));
      return made;
    }
    case Category::map: {
      Value made = of_type("object", doc);
      made.add("additionalProperties", schema_of(*type.element));
      return made;
    }
    case Category::record:
      break;
  }
  Value made = of_type("object", doc);
  made.add("properties", properties_of(*type.table));
  return made;
}

Value properties_of(const Table& table) {
  Value made = Value::mapping();
  for (const Field& field : table.fields) {
    if (!field.internal) made.add(field.key, schema_of(*field.type, field.doc));
  }
  return made;
}

// What the document has beside the plan's own rows: lists that are made from the values.
Value listed(std::string_view doc,
             std::initializer_list<std::pair<std::string_view, std::string_view>> members) {
  Value made = of_type("array", doc);
  Value& items = made.add("items", of_type("object"));
  Value& properties = items.add("properties", Value::mapping());
  for (const auto& [key, text] : members) properties.add(key, of_type("string", text));
  return made;
}

}  // namespace

Value document(const Plan& plan) {
  Value made = Value::mapping();
  made.add("apiVersion", Value::string("flexslice-plan/v1"));
  for (Value::Member& member : schema::encode(schema::ref(plan)).members)
    made.members.push_back(std::move(member));
  Value& needs = made.add("needs", Value::sequence());
  for (const Need& need : plan.needs) {
    Value& each = needs.push(Value::mapping());
    each.add("version", Value::string(need.version));
    each.add("for", Value::string(need.what));
    put(each, "source", catalog::citation(*need.evidence));
  }
  Value& controllers = made.add("controllers", Value::sequence());
  for (const ControllerNeed& need : plan.controllers) {
    Value& each = controllers.push(Value::mapping());
    each.add("name", Value::string(need.controller->name));
    Value& versions = each.add("versions", Value::sequence());
    for (std::string_view version : need.minimum->versions) versions.push(Value::string(version));
    each.add("for", Value::string(need.minimum->title));
    put(each, "source", catalog::citation(need.minimum->evidence));
  }
  Value& reasons = made.add("reasons", Value::sequence());
  for (const schema::ListedReason& listed : schema::reasons(schema::ref(plan))) {
    Value& each = reasons.push(Value::mapping());
    each.add("path", Value::string(listed.path));
    each.add("because", Value::string(listed.reason->because));
    if (listed.reason->evidence != nullptr)
      put(each, "source", catalog::citation(*listed.reason->evidence));
  }
  return made;
}

Value json_schema(std::string_view id, std::string_view title) {
  constexpr std::string_view source = "Where the fact is from, how sure it is, and its date.";
  Value schema = Value::mapping();
  schema.add("$schema", Value::string("https://json-schema.org/draft/2020-12/schema"));
  schema.add("$id", Value::string(id));
  schema.add("title", Value::string(title));
  schema.add("type", Value::string("object"));
  Value& properties = schema.add("properties", Value::mapping());
  properties.add(
      "apiVersion",
      of_type(
          "string",
          "Version of this document, `flexslice-plan/v1`. Paths are only added within a version."));
  for (Value::Member& member : properties_of(schema::TableOf<Plan>::table).members)
    properties.members.push_back(std::move(member));
  properties.add("needs", listed("GKE versions that the cluster needs, the highest first.",
                                 {{"version", "The lowest version that has it."},
                                  {"for", "What needs it."},
                                  {"source", source}}));
  Value& controllers =
      properties.add("controllers", listed("Versions of controllers that the objects need.",
                                           {{"name", "The controller, `Kueue` or `JobSet`."},
                                            {"for", "What needs it."},
                                            {"source", source}}));
  Value versions = of_type(
      "array", "The first release that has it, on each release branch; every later branch has it.");
  versions.add("items", of_type("string"));
  controllers.find("items")->find("properties")->add("versions", std::move(versions));
  properties.add("reasons", listed("Why values are what they are.",
                                   {{"path", "Path of the value."},
                                    {"because", "The reason, with its arithmetic."},
                                    {"source", source}}));
  return schema;
}

}  // namespace flexslice::plan
