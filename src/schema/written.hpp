// Values and keys in the form of another tool, and what to write in their place: written.yaml.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace flexslice::schema {

// `path` is that of the field: `workload.volumes[0].gcs`. Nothing: no row has such a value.
std::optional<std::string> help_for_value(std::string_view path, std::string_view value);
// How long a text may be for what is made of it, and why; nothing: as long as its field allows.
struct TextRoom {
  std::size_t longest = 0;
  std::string_view why;
};
std::optional<TextRoom> text_room(std::string_view path);
// The field of a spec from which the value at the path of an object follows.
std::optional<std::string_view> field_behind(std::string_view kind, std::string_view path);
// For a key at the top of a spec.
std::optional<std::string> help_for_key(std::string_view key);

}  // namespace flexslice::schema
