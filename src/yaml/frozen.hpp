// A YAML tree as one flat table. The built-in templates, types of Kubernetes and help texts are
// such tables, made at build time and compiled in as constants, so that nothing is parsed at start;
// templates of the user's are parsed and frozen at run time. Both are read through View.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/source.hpp"
#include "yaml/node.hpp"

namespace flexslice::yaml {

// Cells are in document order; a collection's children follow it directly.
struct Cell {
  Kind kind = Kind::null;
  bool quoted = false;
  std::string_view key;    // of a mapping's member; empty elsewhere
  std::string_view text;   // of a scalar
  std::uint32_t size = 1;  // cells of this subtree, itself included
  Span span;               // {} in built-in tables
};

// A subtree. Cheap to copy; the table must outlive it. An empty View has no text and no children.
class View {
 public:
  class Iterator {
   public:
    Iterator() = default;
    explicit Iterator(const Cell* at) : at_(at) {}
    View operator*() const { return View(at_); }
    Iterator& operator++() {
      at_ += at_->size;
      return *this;
    }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    const Cell* at_ = nullptr;
  };

  View() = default;
  explicit View(const Cell* cell) : cell_(cell) {}

  explicit operator bool() const { return cell_ != nullptr; }
  std::string_view key() const { return cell().key; }
  std::string_view text() const { return cell().text; }
  bool quoted() const { return cell().quoted; }
  Span span() const { return cell().span; }
  bool is_scalar() const { return cell().kind == Kind::scalar; }
  bool is_sequence() const { return cell().kind == Kind::sequence; }
  bool is_mapping() const { return cell().kind == Kind::mapping; }

  bool is_empty() const { return cell().size == 1; }

  // Children of a collection, in order.
  Iterator begin() const { return Iterator(&cell() + 1); }
  Iterator end() const { return Iterator(&cell() + cell().size); }
  // The member of that name, or an empty View.
  View find(std::string_view key) const;

 private:
  static constexpr Cell nothing = {};
  const Cell& cell() const { return cell_ == nullptr ? nothing : *cell_; }

  const Cell* cell_ = nullptr;
};

// The text of a row's column; empty where it has none, or where there is no row.
std::string_view row_text(View row, std::string_view column);

// A frozen document. Not movable while Views are out.
class Frozen {
 public:
  explicit Frozen(Node root);
  Frozen(const Frozen&) = delete;
  Frozen& operator=(const Frozen&) = delete;

  View root() const { return View(cells_.data()); }

 private:
  void append(const Node& node, std::string_view key);

  Node tree_;  // has the strings
  std::vector<Cell> cells_;
};

}  // namespace flexslice::yaml
