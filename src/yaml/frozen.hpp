// A YAML tree as one flat table. The built-in catalog and templates are such tables, made at build
// time and compiled in as constexpr data, so that nothing is parsed at start; overlays are parsed
// and frozen at run time. The loader of the catalog and the templates' expansion read both through
// View.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.hpp"
#include "yaml/node.hpp"

namespace flexslice::yaml {

// Cells stand in document order; a collection's children follow it directly. Their texts are places
// in characters beside them: pointers in built-in tables would have to be adjusted, page by page,
// whenever the program starts.
struct Cell {
  struct Text {
    std::uint32_t begin = 0;
    std::uint32_t size = 0;
  };

  Kind kind = Kind::null;
  bool quoted = false;
  Text key;                // of a mapping's member; empty elsewhere
  Text text;               // of a scalar
  std::uint32_t size = 1;  // cells of this subtree, itself included
  Span span;               // {} in built-in tables
};

// A subtree. Cheap to copy; the table must outlive it.
class View {
 public:
  class Iterator {
   public:
    Iterator() = default;
    Iterator(const Cell* at, const char* texts) : at_(at), texts_(texts) {}
    View operator*() const { return View(at_, texts_); }
    Iterator& operator++() {
      at_ += at_->size;
      return *this;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    const Cell* at_ = nullptr;
    const char* texts_ = nullptr;
  };

  View() = default;
  View(const Cell* cell, const char* texts) : cell_(cell), texts_(texts) {}

  explicit operator bool() const { return cell_ != nullptr; }
  std::string_view key() const { return view(cell_->key); }
  std::string_view text() const { return view(cell_->text); }
  bool quoted() const { return cell_->quoted; }
  Span span() const { return cell_->span; }
  bool is_scalar() const { return cell_->kind == Kind::scalar; }
  bool is_sequence() const { return cell_->kind == Kind::sequence; }
  bool is_mapping() const { return cell_->kind == Kind::mapping; }

  bool is_empty() const { return cell_->size == 1; }

  // Children of a collection, in order.
  Iterator begin() const { return {cell_ + 1, texts_}; }
  Iterator end() const { return {cell_ + cell_->size, texts_}; }
  // The member of that name, or an empty View.
  View find(std::string_view key) const;

 private:
  std::string_view view(Cell::Text text) const { return {texts_ + text.begin, text.size}; }

  const Cell* cell_ = nullptr;
  const char* texts_ = nullptr;
};

// A frozen document. Not movable while Views are out.
class Frozen {
 public:
  explicit Frozen(const Node& root);
  Frozen(const Frozen&) = delete;
  Frozen& operator=(const Frozen&) = delete;

  View root() const { return {cells_.data(), texts_.data()}; }
  const std::vector<Cell>& cells() const { return cells_; }
  const std::string& texts() const { return texts_; }

 private:
  void append(const Node& node, std::string_view key);

  std::vector<Cell> cells_;
  std::string texts_;
};

}  // namespace flexslice::yaml
