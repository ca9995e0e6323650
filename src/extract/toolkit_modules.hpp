// Modules of Cluster Toolkit, by the table of what they take and give.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace flexslice::extract {

// A variable of a module.
struct ModuleInput {
  enum class Type : std::uint8_t { unknown, text, number, boolean, list, mapping };
  std::string_view name;
  Type type = Type::text;
  bool is_required = false;
};

struct ToolkitModule {
  std::vector<ModuleInput> takes;
  std::vector<std::string_view> gives;

  const ModuleInput* input(std::string_view name) const;
};

// Returns a module without inputs and outputs for a path that the toolkit does not have.
ToolkitModule toolkit_module(std::string_view path);

// The path of a module of the toolkit within a `source`; empty: it may be another one's. A `source`
// that names a release has other modules than the table, but the same paths.
std::string_view path_of_module(std::string_view source);

// Returns the paths of all modules.
std::vector<std::string_view> toolkit_paths();

// True where `gcluster` brings the module along.
bool is_embedded_module(std::string_view source);

}  // namespace flexslice::extract
