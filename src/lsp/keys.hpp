// The keys of YAML or JSON with their places, found by indentation and brackets alone: it also
// works in a text that does not parse, because somebody is typing it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "yaml/path.hpp"

namespace flexslice::lsp {

// An item of a list, in paths.
inline constexpr std::string_view item = "[]";

// A key with what follows it on its line, or an item of a list that is a scalar.
struct KeyEntry {
  yaml::Path path;
  std::size_t key_begin = 0, key_end = 0;
  std::size_t value_begin = 0, value_end = 0;
  std::string value;  // a scalar without its quotes; empty: none, or a collection
};

// A spot says where an offset of the text is.
struct Spot {
  yaml::Path path;  // of the key, or of the collection in which a key may be typed
  enum class On : std::uint8_t { collection, key, value } on = On::collection;
  std::size_t begin = 0, end = 0;  // of the word there
  std::size_t column = 0;          // of the word, or of the key that it is the value of
  bool in_brackets = false;
};

struct Keys {
  std::vector<KeyEntry> entries;  // in order
  std::optional<Spot> spot;       // nothing: in a comment or in a block of text

  // The value of the first entry of that path, `tpu.type`; empty: it has none.
  std::string_view value(std::string_view path) const;
};

Keys find_keys(std::string_view text, std::size_t offset);

}  // namespace flexslice::lsp
