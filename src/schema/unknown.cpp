#include "schema/unknown.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.hpp"

namespace flexslice::schema {

namespace {

constexpr std::size_t few = 8;  // fields that are listed in a message

bool has_field(const Table& table, std::string_view key) {
  return std::any_of(table.fields.begin(), table.fields.end(),
                     [&](const Field& field) { return field.key == key; });
}

// `node-locations` and `node_locations` are the same word as `nodeLocations`.
bool same_word(std::string_view a, std::string_view b) {
  const auto bare = [](std::string_view text) {
    std::string made = text::lower(text);
    std::erase_if(made, [](char c) { return c == '-' || c == '_'; });
    return made;
  };
  return bare(a) == bare(b);
}

// Where the key is a field: at the top, or one level below. Empty when it is nowhere.
std::string home_of(std::string_view key, const Table& table, const Table& root) {
  if (&root != &table && has_field(root, key))
    return fmt::format("`{}` stands at the top of the spec", key);
  for (const Field& field : root.fields) {
    if (field.type->category == Category::record && has_field(*field.type->table, key))
      return fmt::format("`{}` is a field of `{}`", key, field.key);
  }
  return {};
}

}  // namespace

std::string_view report_unknown(const yaml::Node& key, const Table& table, const Table& root,
                                std::string_view path, diag::Sink& sink) {
  diag::Diagnostic& found = sink.report<diag::Code::UnknownField>(
      key.span, key.text, path.empty() ? "the spec" : fmt::format("`{}`", path));
  for (const Foreign& foreign : table.foreign) {
    if (!same_word(foreign.key, key.text)) continue;
    found.help(foreign.help.empty() ? fmt::format("write `{}`", foreign.instead)
                                    : std::string(foreign.help));
    return foreign.instead;
  }
  std::vector<std::string_view> keys;
  for (const Field& field : table.fields) keys.push_back(field.key);
  if (const auto near = text::nearest(key.text, keys)) {
    found.help(fmt::format("did you mean `{}`?", *near));
    return *near;
  }
  const std::string home = home_of(key.text, table, root);
  if (!home.empty()) {
    found.help(home);
  } else if (keys.size() <= few) {
    found.note(fmt::format("the fields are {}", text::quoted_list(keys)));
  } else if (!table.otherwise.empty()) {
    found.help(std::string(table.otherwise));
  }
  return {};
}

}  // namespace flexslice::schema
