// The JSON Schema of the plan's document.
#include "plan/plan.hpp"

namespace flexslice::plan {

using yaml::Value;

namespace {

Value of_type(std::string_view type, std::string_view doc) {
  Value made = Value::mapping();
  const std::string_view name = type == "list" ? "array" : type == "mapping" ? "object" : type;
  if (type != "any") made["type"] = Value::string(name);
  if (!doc.empty()) made["description"] = Value::string(doc);
  return made;
}

// Where the members of a value stand in its schema: a list's are those of its elements.
Value& members(Value& schema) {
  Value* at = &schema;
  const Value* type = schema.find("type");
  if (type != nullptr && type->text == "array") {
    at = &schema["items"];
    if (at->find("type") == nullptr) *at = of_type("mapping", {});
  }
  Value& properties = (*at)["properties"];
  if (!properties.is_mapping()) properties = Value::mapping();
  return properties;
}

}  // namespace

Value json_schema(std::string_view id, std::string_view title) {
  Value schema = Value::mapping();
  schema["$schema"] = Value::string("https://json-schema.org/draft/2020-12/schema");
  schema["$id"] = Value::string(id);
  schema["title"] = Value::string(title);
  schema["type"] = Value::string("object");
  for (const PathDoc& path : paths()) {
    Value* at = &schema;
    std::string_view rest = path.path;
    for (std::size_t dot = 0; (dot = rest.find('.')) != std::string_view::npos; rest.remove_prefix(dot + 1)) {
      if (rest.substr(dot) == ".*") break;
      at = &members(*at)[rest.substr(0, dot)];
    }
    if (rest.ends_with(".*")) {
      members(*at)[rest.substr(0, rest.size() - 2)]["additionalProperties"] = of_type(path.type, {});
    } else {
      members(*at)[rest] = of_type(path.type, path.doc);
    }
  }
  return schema;
}

}  // namespace flexslice::plan
