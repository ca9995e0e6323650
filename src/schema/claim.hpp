// A source is read as claims: each value with its place, or the fact that it was not said. The
// structs of a spec consist of claims; the readers of manifests and commands fill the same types.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/source.hpp"
#include "yaml/node.hpp"

namespace flexslice::schema {

// A value was written here. If it was left out, the span is that of the nearest enclosing thing
// that was written.
struct Where {
  Span span = {};
  bool given = false;  // written, and of the right type and pattern
  bool bad = false;  // wrong, or missing though required; already reported, so later passes do not
                     // report it again
  // Written as a placeholder such as `$ZONE`: given, but its value is not known.
  bool placeholder = false;
  // The source has this name for the value: `maxNodes`, `completions`, `--num-nodes`.
  std::string_view label = {};

  // Returns whether there is a value to judge.
  bool usable() const { return given && !bad && !placeholder; }
};

template <class T>
struct Claim {
  Where where;
  T value{};

  bool usable() const { return where.usable(); }
};
using Text = Claim<std::string>;
using Integer = Claim<std::int64_t>;
using Flag = Claim<bool>;
using Tree = Claim<yaml::Node>;  // any YAML, kept as it was written

// A text that no source says.
inline Text derived_text(std::string text) { return {{.given = true}, std::move(text)}; }

template <class T>
struct List {
  Where where;
  std::vector<T> items;
};
template <class T>
struct Entry {
  Text key;
  T value;
};
template <class T>
struct Map {
  Where where;
  std::vector<Entry<T>> entries;
};

}  // namespace flexslice::schema
