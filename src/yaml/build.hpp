// The flat record of what the reader met, and the tree that is made of it. parse fills the record.
// Flat first, because an alias is then a range to build again, and its size is known before anything is copied.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "diag/diag.hpp"
#include "yaml/node.hpp"

namespace flexslice::yaml {

struct Item {
  enum class What : std::uint8_t { null, scalar, sequence, mapping, alias };

  What what = What::null;
  bool quoted = false;
  std::uint8_t height = 0;  // levels of collections: a collection of scalars has 1
  std::uint32_t begin = 0;  // in bytes of the source
  std::uint32_t end = 0;
  std::uint32_t next = 0;      // the item behind this one and all its children; 0 while a collection is open
  std::uint32_t children = 0;  // keys and values count each
  std::uint32_t weight = 1;    // nodes, after aliases are expanded
  std::uint32_t target = 0;    // alias: the item that it stands for
  std::string_view text;
};

// The tree of items[0]. A key that is given twice is reported and its second value left out.
Node build(const std::vector<Item>& items, std::uint32_t source, const Sources& sources, diag::Sink& sink);

}  // namespace flexslice::yaml
