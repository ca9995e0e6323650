// Makes the flat record of a document from what the reader meets, event by event: finds where every node ends, checks what the reader
// lets pass, and keeps the limits. parse feeds it; it knows nothing of yaml-cpp. All offsets are bytes of the whole source.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.hpp"
#include "diag/diag.hpp"
#include "yaml/blame.hpp"
#include "yaml/build.hpp"
#include "yaml/parse.hpp"

namespace flexslice::yaml {

// Thrown after something was reported that ends the reading. parse catches it.
struct Stop {};

class Recorder {
 public:
  Recorder(std::string_view text, std::uint32_t source, diag::Sink& sink);

  // `at` is where the reader says that the node begins, which is its tag or anchor if it has one. `anchor` counts anchors from 1, 0 is
  // none. `tag` is the whole name, `?` when there is none.
  void document(std::size_t at);
  void document_end() { finished_ = true; }
  void null(std::size_t at, std::size_t anchor);
  void alias(std::size_t at, std::size_t anchor);
  void scalar(std::size_t at, std::string_view tag, std::size_t anchor, const std::string& value);
  void open(Item::What what, std::size_t at, std::string_view tag, std::size_t anchor, bool flow);
  void close();
  void anchor(std::size_t at, std::string_view name);

  // Says why the reader gave up.
  void fail(std::size_t at, std::string_view reason);
  // YAML that is valid but not for us; true when there was some. Known only when the reader has come to the end: before a syntax error
  // it sees keys where none are.
  bool report_refusals();

  const std::vector<Item>& items() const { return items_; }
  // Behind the document's value.
  std::size_t end() const;

 private:
  // A collection whose end the reader has not met.
  struct Frame {
    std::uint32_t item = 0;
    std::uint32_t key = 0;     // mapping: the last key
    std::size_t key_mark = 0;  // where the reader says that this key begins
    std::uint8_t height = 0;   // of the highest child
    bool flow = false;         // between brackets
  };
  struct Refusal {
    Span where;
    std::string message;
    std::string help;
  };

  Span span(std::size_t begin, std::size_t end) const;
  std::string_view slice(std::size_t begin, std::size_t end) const { return text_.substr(begin, end - begin); }
  const Item& parent() const { return items_[frames_.back().item]; }
  bool expects_key() const;
  bool expects_value() const;
  bool is_empty_entry(std::size_t at) const;
  bool has_bracket(const Item& item) const;
  std::size_t closing_bracket(const Item& item) const;
  Span absent(std::size_t at) const;
  void check_colon(std::size_t at);
  void check_indentation(std::size_t at);
  void apply_tag(Item& item, std::string_view tag, std::size_t at);
  std::string_view keep(const Item& item, const std::string& value);
  Item& add(Item::What what, std::size_t begin, std::size_t end, std::size_t anchor);
  void key_added(std::size_t mark);
  void refuse(std::size_t begin, std::size_t end, std::string message, std::string help = {});
  template <diag::Code C>
  [[noreturn]] void stop(Span where, std::string_view message, std::string_view help = {});

  std::string_view text_;
  std::size_t base_;  // behind the byte order mark
  std::uint32_t source_;
  diag::Sink& sink_;
  bool has_tabs_;
  bool finished_ = false;
  std::size_t cursor_ = 0;    // behind the last node, or at the beginning of the last collection
  std::uint32_t weight_ = 0;  // nodes so far, aliases expanded
  std::vector<Frame> frames_;
  std::vector<Item> items_;
  std::vector<std::uint32_t> anchors_;  // the item of each, by number less one
  std::deque<std::string> texts_;       // values that are not a slice of the source
  std::vector<Refusal> refusals_;
};

}  // namespace flexslice::yaml
