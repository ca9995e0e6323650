#include "extract/toolkit_modules.hpp"

#include <algorithm>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "yaml/embedded.hpp"

namespace flexslice::extract {

using yaml::View;

namespace {

View module_table() {
  return embedded::root_of(embedded::kubernetes, "extract/toolkit_modules.yaml");
}

// A name and its marks, as the head of the table says.
ModuleInput read_input_word(std::string_view word) {
  using Type = ModuleInput::Type;
  ModuleInput input;
  const std::size_t end = std::min(word.find_first_of("!-[{#?*"), word.size());
  input.name = word.substr(0, end);
  for (char mark : word.substr(end)) {
    if (mark == '!') input.is_required = true;
    if (mark == '[') input.type = Type::list;
    if (mark == '{') input.type = Type::mapping;
    if (mark == '#') input.type = Type::number;
    if (mark == '?') input.type = Type::boolean;
    if (mark == '*') input.type = Type::unknown;
  }
  return input;
}

}  // namespace

const ModuleInput* ToolkitModule::input(std::string_view name) const {
  return find_where(takes, [&](const ModuleInput& each) { return each.name == name; });
}

ToolkitModule toolkit_module(std::string_view path) {
  ToolkitModule module;
  const View row = module_table().find(path);
  if (!row) return module;
  if (const View takes = row.find("takes")) {
    for (std::string_view word : text::split(takes.text(), ' '))
      module.takes.push_back(read_input_word(word));
  }
  if (const View gives = row.find("gives")) module.gives = text::split(gives.text(), ' ');
  return module;
}

std::string_view path_of_module(std::string_view source) {
  const std::size_t begin = source.find("modules/");
  if (begin == source.npos) return {};
  constexpr std::string_view community = "community/";
  const bool is_community = source.substr(0, begin).ends_with(community);
  const std::string_view path = source.substr(is_community ? begin - community.size() : begin);
  const std::string_view plain = path.substr(0, path.find('?'));
  return plain.substr(0, plain.find_last_not_of('/') + 1);
}

std::vector<std::string_view> toolkit_paths() {
  std::vector<std::string_view> paths;
  for (const View row : module_table()) paths.push_back(row.key());
  return paths;
}

bool is_embedded_module(std::string_view source) {
  return source.starts_with("modules/") || source.starts_with("community/modules/");
}

}  // namespace flexslice::extract
