// The part of JSON Schema that the inputs of tools are written in.
#include <fmt/core.h>

#include <algorithm>

#include "base/text.hpp"
#include "mcp/server.hpp"

namespace flexslice::mcp {

namespace {

struct TypeRow {
  std::string_view word, article;
  bool (json::*holds)() const noexcept;
};
constexpr TypeRow types[] = {
    {"object", "an object", &json::is_object},
    {"array", "a list", &json::is_array},
    {"string", "a string", &json::is_string},
    {"integer", "a whole number", &json::is_number_integer},
    {"boolean", "true or false", &json::is_boolean},
};

// `path` is empty for the arguments themselves.
std::string member_error(const json& schema, const json& value, const std::string& path) {
  const std::string in = path.empty() ? "" : " in " + path;
  const json& properties = schema.at("properties");
  std::vector<std::string_view> known;
  for (const auto& [name, property] : properties.items()) known.push_back(name);
  for (const auto& [name, member] : value.items()) {
    const auto property = properties.find(name);
    if (property == properties.end()) {
      const auto near = text::nearest(name, known);
      return fmt::format("unknown argument `{}`{}{}", name, in,
                         near ? fmt::format("; did you mean `{}`?", *near)
                              : "; expected one of " + text::join(known, ", "));
    }
    std::string found = argument_error(*property, member, "`" + name + "`");
    if (!found.empty()) return found;
  }
  for (const json& name : schema.value("required", json::array())) {
    const auto& key = name.get_ref<const std::string&>();
    if (!value.contains(key)) return fmt::format("missing argument `{}`{}", key, in);
  }
  return {};
}

}  // namespace

std::string argument_error(const json& schema, const json& value, const std::string& path) {
  const auto& word = schema.at("type").get_ref<const std::string&>();
  const auto* type = std::ranges::find(types, word, &TypeRow::word);
  if (!(value.*type->holds)())
    return fmt::format("{} must be {}", path.empty() ? "arguments" : path, type->article);
  if (value.is_object()) return member_error(schema, value, path);
  if (value.is_number_integer() && schema.contains("minimum") && value < schema.at("minimum"))
    return fmt::format("{} must be at least {}", path, schema.at("minimum").dump());
  if (value.is_string() && schema.contains("enum") &&
      std::ranges::count(schema.at("enum"), value) == 0) {
    const auto words = schema.at("enum").get<std::vector<std::string>>();
    return fmt::format("{} must be one of {}", path, text::join(words, ", "));
  }
  if (!value.is_array()) return {};
  if (value.size() < schema.value("minItems", std::size_t{0}))
    return fmt::format("{} must have an item", path);
  if (value.size() > schema.value("maxItems", value.size()))
    return fmt::format("{} has {} items; at most {}", path, value.size(),
                       schema.at("maxItems").dump());
  for (std::size_t i = 0; i < value.size(); ++i) {
    std::string found =
        argument_error(schema.at("items"), value[i], fmt::format("{}[{}]", path, i));
    if (!found.empty()) return found;
  }
  return {};
}

}  // namespace flexslice::mcp
