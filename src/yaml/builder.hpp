// Builds the tree of a document from what the reader meets, event by event: finds where every node
// ends, checks what the reader lets pass, and keeps the limits. parse feeds it; it knows nothing of
// yaml-cpp. All offsets are bytes of the whole source.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.hpp"
#include "diag/diag.hpp"
#include "yaml/node.hpp"

namespace flexslice::yaml {

// Thrown after something was reported that ends the reading. parse catches it.
struct Stop {};

class Builder {
 public:
  Builder(const Sources& sources, std::uint32_t index, diag::Sink& sink);

  // `at` is where the reader says that the node begins, which is its tag or anchor if it has one.
  // `anchor` counts anchors from 1, 0 is none. `tag` is the whole name, `?` when there is none.
  void document(std::size_t at);
  void document_end() { finished_ = true; }
  void null(std::size_t at, std::size_t anchor);
  void alias(std::size_t at, std::size_t anchor);
  void scalar(std::size_t at, std::string_view tag, std::size_t anchor, const std::string& value);
  void open(Kind kind, std::size_t at, std::string_view tag, std::size_t anchor, bool flow);
  void close();
  void anchor(std::size_t at, std::string_view name);

  // Says why the reader gave up.
  void fail(std::size_t at, std::string_view reason);
  // YAML that is valid but not for us; true when there was some. Known only when the reader has
  // come to the end: before a syntax error it sees keys where none are.
  bool report_refusals();

  // Behind the document's value.
  std::size_t end() const;
  // That value. A key that is given twice is reported and its second value left out.
  Node take();

 private:
  // A collection whose end the reader has not met.
  struct Frame {
    Node* node = nullptr;
    bool flow = false;           // between brackets
    std::uint32_t children = 0;  // keys and values count each
    Span key;                    // the last one, as written
    std::size_t key_mark = 0;    // where the reader says that it begins
  };
  struct Refusal {
    Span where;
    std::string message;
    std::string help;
  };
  // The way from the root to a node, by the number of the child: later siblings move nodes that are
  // there already.
  using Path = std::vector<std::uint32_t>;

  Span span(std::size_t begin, std::size_t end) const;
  std::string_view slice(std::size_t begin, std::size_t end) const {
    return text_.substr(begin, end - begin);
  }
  char character(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }
  bool in_mapping() const { return !frames_.empty() && frames_.back().node->kind == Kind::mapping; }
  bool expects_key() const { return in_mapping() && frames_.back().children % 2 == 0; }
  bool expects_value() const { return in_mapping() && frames_.back().children % 2 != 0; }
  bool is_empty_entry(std::size_t at) const;
  bool has_bracket(const Node& node) const;
  std::size_t closing_bracket(const Node& node) const;
  Span absent(std::size_t at) const;
  void check_colon(std::size_t at);
  void check_indentation(std::size_t at);
  void check_key(const Node& key);
  void apply_tag(Node& node, std::string_view tag, std::size_t at);
  static Node& place(Frame& parent, std::size_t at, Span where);
  Node& add(Kind kind, std::size_t at, Span where, std::size_t anchor);
  Node& at(const Path& path);
  void refuse(std::size_t begin, std::size_t end, std::string message, std::string help = {});
  template <diag::Code C>
  [[noreturn]] void stop(Span where, std::string_view message, std::string_view help = {});

  void drop_duplicates(Node& node);

  const Source& source_;
  std::uint32_t index_;  // of that source
  std::string_view text_;
  std::size_t base_;  // behind the byte order mark
  diag::Sink& sink_;
  bool has_tabs_;
  bool finished_ = false;
  std::size_t cursor_ = 0;  // behind the last node, or at the beginning of the last collection
  std::size_t nodes_ = 0;   // so far, aliases expanded
  Span last_scalar_;        // the last node, if it was a scalar
  Node root_;
  std::vector<Frame> frames_;
  std::vector<Path> anchors_;  // by number less one
  std::vector<Refusal> refusals_;
  std::optional<LineIndex> lines_;
  int duplicates_ = 0;
};

}  // namespace flexslice::yaml
