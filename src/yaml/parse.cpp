#include "yaml/parse.hpp"

#include <fmt/core.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "base/utf8.hpp"
#include "yaml/blame.hpp"
#include "yaml/check_text.hpp"
#include "yaml/extent.hpp"
#include "yaml/keys.hpp"
#include "yaml/lookalikes.hpp"
#include "yaml/surrogates.hpp"

namespace flexslice::yaml {

namespace {

using diag::Code;
using std::size_t;

constexpr std::string_view core_tag = "tag:yaml.org,2002:";
constexpr size_t most_refusals = 50;

// Thrown after something was reported that ends the reading.
struct Stop {};

// yaml-cpp 0.7 makes one byte, 0x85 or 0xA0, of the escapes `\N` and `\_`. Everything else in a
// value is well-formed, so a byte that is not must be one of these.
std::string repaired(std::string_view value) {
  std::string text;
  for (const utf8::Point& point : utf8::Points(value)) {
    if (!point.valid) text += '\xC2';
    text += point.bytes;
  }
  return text;
}

// The nodes of a tree, and its levels of collections: a collection of scalars has 1.
struct Size {
  size_t nodes = 1;
  size_t height = 0;
};
Size size_of(const Node& node) {
  Size size;
  const auto count = [&](const Node& child) {
    const Size below = size_of(child);
    size.nodes += below.nodes;
    size.height = std::max(size.height, below.height);
  };
  for (const Node& item : node.items) count(item);
  for (const Member& member : node.members) {
    count(member.key);
    count(member.value);
  }
  if (node.kind == Kind::sequence || node.kind == Kind::mapping) ++size.height;
  return size;
}

// Builds the tree of a document from the events of yaml-cpp: finds where every node ends, checks
// what yaml-cpp accepts, and keeps the limits. Offsets are bytes of the whole source; yaml-cpp's
// marks count from where it begins to read. A mark is where a node's tag or anchor begins, if it
// has one. Anchors count from 1, 0 is none; a tag is the whole name, `?` when there is none.
class TreeBuilder final : public YAML::EventHandler {
  using Mark = YAML::Mark;
  using Anchor = YAML::anchor_t;
  using Style = YAML::EmitterStyle::value;

 public:
  TreeBuilder(const Sources& sources, std::uint32_t index, diag::Sink& sink, Leniency leniency)
      : leniency_(leniency),
        index_(index),
        text_(sources[index].text),
        base_(text::mark_length(text_)),
        start_(std::max(base_, text::line_begin(text_, skip_space(text_, base_)))),
        sink_(sink),
        has_tabs_(text_.find('\t') != std::string_view::npos) {
    root_.span = span(base_, base_);
    frames_.reserve(8);
  }

  Node read() {
    const size_t begin = check_directives();
    std::optional<std::string> neutral = without_surrogates(text_.substr(start_));
    has_surrogates_ = neutral.has_value();
    std::istringstream stream{neutral ? std::move(*neutral) : std::string(text_.substr(start_))};
    try {
      YAML::Parser parser(stream);
      if (parser.HandleNextDocument(*this)) parser.HandleNextDocument(*this);
    } catch (const YAML::ParserException& exception) {
      fail(offset(exception.mark), exception.msg);
    } catch (const YAML::Exception& exception) {
      stop(span(0, 0), text::lower(exception.what()));
    }
    if (!refusals_.found().empty()) end_with_refusals();
    check_rest(begin);
    drop_duplicates(root_, leniency_, sink_);
    if (has_merge_keys_ && !resolve_merge_keys(root_, sink_)) throw Stop{};
    return std::move(root_);
  }

  void OnDocumentStart(const Mark& mark) override {
    cursor_ = base_;
    if (!finished_) return;
    const bool marker = text_.substr(offset(mark)).starts_with("---");
    stop(rest_of_line(offset(mark)), marker ? "a second document, where one is expected"
                                            : "unexpected text after the end of the value");
  }

  void OnDocumentEnd() override { finished_ = true; }

  void OnNull(const Mark& mark, Anchor anchor) override {
    const size_t at = offset(mark);
    // `[1,,2]` or `{,}`: YAML knows no empty entries, but yaml-cpp accepts them.
    if (in_brackets() && character(at) == ',' && !expects_value())
      stop(span(at, at + 1), "empty list entry");
    if (expects_value()) check_colon(at);
    const size_t begin = skip_properties(text_, at);
    const size_t length = null_length(text_, begin);
    const Span where = length > 0 ? span(begin, begin + length) : absent(at);
    add({Kind::null, false, false, where, {}, {}, {}}, at, anchor, where);
  }

  void OnAlias(const Mark& mark, Anchor anchor) override {
    const size_t at = offset(mark);
    const Span where = span(at, property_end(text_, at));
    // An anchor before an alias, `&a *b`, names nothing.
    const Node& target = node_at(anchor <= anchors_.size() ? anchors_[anchor - 1] : Path());
    if (std::any_of(frames_.begin(), frames_.end(),
                    [&](const Frame& frame) { return frame.node == &target; }))
      stop(where, fmt::format("recursive alias `{}`", written(where)));
    const Size size = size_of(target);
    if (nodes_ + size.nodes > max_nodes)
      too_large(where, fmt::format("{} values after its aliases are expanded", max_nodes));
    if (frames_.size() + size.height > max_depth)
      too_large(where,
                fmt::format("{} levels of nesting after its aliases are expanded", max_depth));
    nodes_ += size.nodes - 1;
    add(Node(target), at, 0, where);
    last_scalar_ = {};
  }

  void OnScalar(const Mark& mark, const std::string& tag, Anchor anchor,
                const std::string& read) override {
    const size_t at = offset(mark);
    check_indentation(at);
    const size_t begin = skip_properties(text_, at);
    const std::string& value = has_surrogates_ ? scalar_ = with_surrogates(begin, read) : read;
    const char first = character(begin);
    const bool indicated = is_quote(first) || first == '|' || first == '>';
    // `!!str` with nothing after it: the tag is all there is to point at.
    const bool empty = value.empty() && begin != at &&
                       (!indicated || (is_quote(first) && quoted_end(text_, begin) != begin + 2));
    const size_t end = empty ? property_end(text_, at) : scalar_end(text_, begin, value);
    // yaml-cpp accepts a lone quote at the text's end.
    if (!empty && is_quote(first) && end == text_.size() &&
        quoted_end(text_, begin) == std::string_view::npos)
      stop(span(begin, begin + 1), "this quote is not closed");
    const Span where = span(empty ? at : begin, end);
    if (!indicated && !empty) {
      check_lookalikes(begin, end);
      check_colon_space(begin, end);
    }
    std::string text = first == '"' ? repaired(value) : value;
    Node node{Kind::scalar, indicated || empty, false, where, std::move(text), {}, {}};
    if (begin != at) apply_tag(node, tag, at);
    add(std::move(node), at, anchor, where);
  }

  void OnSequenceStart(const Mark& mark, const std::string& tag, Anchor anchor,
                       Style style) override {
    open(Kind::sequence, offset(mark), tag, anchor, style);
  }
  void OnMapStart(const Mark& mark, const std::string& tag, Anchor anchor, Style style) override {
    open(Kind::mapping, offset(mark), tag, anchor, style);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

  // yaml-cpp takes `&a: b` for an anchor called `a`, other readers for one called `a:` or for a
  // mistake.
  void OnAnchor(const Mark& mark, const std::string& name) override {
    const size_t begin = std::min(text_.find('&', offset(mark)), text_.size());
    const size_t end = property_end(text_, begin);
    const bool valid = std::all_of(name.begin(), name.end(), [](char c) {
      return ascii::is_letter_or_digit(c) || c == '-' || c == '_';
    });
    if (!valid || end - begin != name.size() + 1)
      stop(span(begin, end),
           "the name of an anchor has letters, digits, `-` and `_` only, and a space behind it",
           "put a value that begins with `&` into quotes");
  }

 private:
  // A collection whose end has not been met.
  struct Frame {
    Node* node = nullptr;
    bool flow = false;           // between brackets
    bool is_template = false;    // `{{ x }}`
    std::uint32_t children = 0;  // keys and values count each
    Span key;                    // the last one, as written
    size_t key_mark = 0;         // where yaml-cpp says that it begins
  };
  // The way from the root to a node, by the number of the child: later siblings move nodes that are
  // there already.
  using Path = std::vector<std::uint32_t>;

  size_t offset(const Mark& mark) const {
    return std::min(start_ + static_cast<size_t>(std::max(0, mark.pos)), text_.size());
  }
  Span span(size_t begin, size_t end) const { return {index_, begin, end}; }
  std::string_view written(Span where) const {
    return text_.substr(where.begin, where.end - where.begin);
  }
  Span rest_of_line(size_t at) const { return span(at, std::max(at, text::line_end(text_, at))); }
  char character(size_t at) const { return at < text_.size() ? text_[at] : '\0'; }
  bool in_mapping() const { return !frames_.empty() && frames_.back().node->kind == Kind::mapping; }
  bool in_brackets() const { return !frames_.empty() && frames_.back().flow; }
  bool expects_value() const { return in_mapping() && frames_.back().children % 2 != 0; }

  [[noreturn]] void stop(Span where, std::string_view message, std::string_view help = {}) {
    sink_.report<Code::InvalidYaml>(where, message).help(help);
    throw Stop{};
  }
  [[noreturn]] void too_large(Span where, std::string_view message) {
    sink_.report<Code::TooLarge>(where, message);
    throw Stop{};
  }
  // YAML that is valid but not for us. It is reported when the whole document has been read: before
  // a syntax error yaml-cpp sees keys where none are.
  template <Code code>
  diag::Diagnostic& refuse(Span where, const auto&... args) {
    if (refusals_.found().size() == most_refusals) end_with_refusals();
    return refusals_.report<code>(where, args...);
  }
  [[noreturn]] void end_with_refusals() {
    for (diag::Diagnostic& refusal : refusals_.take()) sink_.add(std::move(refusal));
    throw Stop{};
  }
  [[noreturn]] void fail(size_t at, std::string_view reason) {
    Rejection rejection{text_, index_, reason, at, cursor_, cursor_, Rejection::npos};
    if (last_scalar_.end == cursor_) rejection.last_begin = last_scalar_.begin;
    for (auto frame = frames_.rbegin();
         frame != frames_.rend() && frame->flow && rejection.open_bracket == Rejection::npos;
         ++frame) {
      if (has_bracket(*frame->node)) rejection.open_bracket = frame->node->span.begin;
    }
    blame(rejection, sink_);
    throw Stop{};
  }

  // yaml-cpp drops every line that begins with `%`, but only `%YAML` and `%TAG` may be dropped, and
  // only at the beginning. Returns where the document begins.
  size_t check_directives() {
    size_t at = skip_space(text_, base_);
    while (character(at) == '%') {
      const std::string_view line = text_.substr(at);
      if (!line.starts_with("%YAML ") && !line.starts_with("%TAG "))
        stop(rest_of_line(at), stray_directive);
      at = skip_space(text_, text::line_end(text_, at));
    }
    return at;
  }

  // Reports text after a line that begins with `%`, which yaml-cpp drops even in the middle of a
  // text.
  void check_rest(size_t begin) {
    const size_t end =
        root_.span.end == base_ ? skip_properties(text_, base_) : size_t{root_.span.end};
    size_t at = skip_properties(text_, skip_space(text_, std::max(begin, end)));
    if (text_.substr(at).starts_with("---")) at = skip_space(text_, at + 3);
    if (at < text_.size() && !text_.substr(at).starts_with("..."))
      stop(rest_of_line(at),
           text_[at] == '%' ? stray_directive : "unexpected text after the end of the value");
  }

  // A tab among the blanks before a value: readers disagree on how deep that is.
  void check_indentation(size_t at) {
    if (!has_tabs_ || in_brackets()) return;
    const size_t tab = tab_in_indentation(text_, at);
    if (tab != std::string_view::npos)
      stop(span(tab, tab + 1), "a tab cannot be indentation", "indent with spaces");
  }

  // yaml-cpp takes a line without a colon for a key without a value. It then says that the value is
  // where the key is.
  void check_colon(size_t at) {
    const Frame& frame = frames_.back();
    if (frame.flow || frame.key_mark != at || text_[at] == '?') return;
    blame_missing_colon(text_, frame.key, sink_);
    throw Stop{};
  }

  void check_lookalikes(size_t begin, size_t end) {
    if (refusals_.found().size() == most_refusals) end_with_refusals();
    if (is_space_lookalike(text_, begin) || is_quote_lookalike(text_, begin)) {
      report_lookalike(text_, begin, end, index_, refusals_);
    } else if (is_space_lookalike_before(text_, end)) {
      while (is_space_lookalike_before(text_, end)) --end;
      report_lookalike(text_, end, text_.size(), index_, refusals_);
    }
  }

  // `key:` and a character that only looks like a space, where a key can begin: YAML reads both as
  // one string.
  void check_colon_space(size_t begin, size_t end) {
    size_t colon = begin;
    while (colon < end && ascii::is_letter_or_digit(text_[colon])) ++colon;
    if (colon == begin || colon == end || text_[colon] != ':' ||
        !is_space_lookalike(text_, colon + 1))
      return;
    const size_t before = text_.find_last_not_of(" \n", begin == 0 ? 0 : begin - 1);
    const bool begins_key = before >= begin || text_[before] == '{' || text_[before] == ',' ||
                            before < text::line_begin(text_, begin) ||
                            text_.substr(before, 2) == "- ";
    if (begins_key) report_lookalike(text_, colon + 1, end, index_, refusals_);
  }

  // yaml-cpp has read another text, in which no escape is a surrogate.
  std::string with_surrogates(size_t begin, const std::string& value) {
    const char first = character(begin);
    const bool block = first == '|' || first == '>';
    if (first != '"')
      return yaml::with_surrogates(value,
                                   text_.substr(block ? text::line_end(text_, begin) : begin));
    const size_t end = std::min(quoted_end(text_, begin), text_.size());
    std::optional<size_t> lone;
    Sources joined;
    joined.add({"", joined_surrogates(text_.substr(begin, end - begin), lone), 1});
    if (lone) {
      const Span where = span(begin + *lone, begin + *lone + surrogate_escape_length);
      sink_.report<Code::LoneSurrogate>(where, written(where))
          .help("write both escapes of the pair, or the character itself");
      throw Stop{};
    }
    diag::Sink nothing;
    const std::optional<Node> scalar = parse(joined, 0, nothing);
    return scalar ? scalar->text : value;
  }

  // The location of a value that was not written.
  Span absent(size_t at) const {
    if (frames_.empty()) return span(base_, base_);
    const Frame& frame = frames_.back();
    if (frame.flow && !in_mapping()) return span(at, at);
    const size_t from = expects_value() ? frame.key.end : cursor_;
    const size_t indicator = skip_space(text_, from);
    const size_t place = character(indicator) == (in_mapping() ? ':' : '-') ? indicator + 1 : from;
    return span(place, place);
  }

  void apply_tag(Node& node, std::string_view tag, size_t at) {
    if (tag == "?" || (tag == "!" && text_[at] != '!')) return;
    const Span where = tag_at(at);
    std::string_view name = tag.starts_with(core_tag) ? tag.substr(core_tag.size()) : "";
    std::string_view text = written(where);
    if (text.ends_with('>')) text.remove_suffix(1);
    // yaml-cpp ends a tag before some characters that other readers count to it.
    const bool whole = tag == "!" ? text == "!" : !name.empty() && text.ends_with(name);
    const ScalarType type = type_of(node.text);
    if (whole && (name == "str" || tag == "!")) {
      node.quoted = true;
    } else if (whole && ((name == "null" && type == ScalarType::null) ||
                         (name == "bool" && type == ScalarType::boolean) ||
                         ((name == "int" || name == "float") && type == ScalarType::integer) ||
                         (name == "float" && type == ScalarType::floating))) {
      node.quoted = false;
      if (type == ScalarType::null) node.kind = Kind::null;
    } else {
      const bool known =
          whole && (name == "null" || name == "bool" || name == "int" || name == "float");
      if (!known) return void(refuse<Code::UnsupportedTag>(where, written(where)));
      refuse<Code::TagMismatch>(where, written(where), node.text);
    }
  }

  Span tag_at(size_t at) const {
    const size_t begin = std::min(text_.find('!', at), text_.size());
    return span(begin, property_end(text_, begin));
  }

  Node& node_at(const Path& path) {
    Node* node = &root_;
    for (std::uint32_t child : path) {
      if (node->kind == Kind::scalar) break;  // a placeholder, which was a mapping
      Member* member = node->kind == Kind::sequence ? nullptr : &node->members[child / 2];
      node = member == nullptr ? &node->items[child]
             : child % 2 == 0  ? &member->key
                               : &member->value;
    }
    return *node;
  }

  // `where` is what is written at this place: of an alias, its name.
  Node& add(Node&& node, size_t at, Anchor anchor, Span where) {
    if (++nodes_ > max_nodes) too_large(where, fmt::format("{} values", max_nodes));
    cursor_ = where.end;
    last_scalar_ = node.kind == Kind::scalar ? where : Span{};
    if (!frames_.empty()) ++frames_.back().children;
    if (anchor > 0) {
      Path path;
      for (const Frame& frame : frames_) path.push_back(frame.children - 1);
      anchors_.resize(std::max(anchors_.size(), anchor));
      anchors_[anchor - 1] = std::move(path);
    }
    if (frames_.empty()) return root_ = std::move(node);
    Frame& parent = frames_.back();
    Node& collection = *parent.node;
    // A tag with nothing after it can be the first key.
    collection.span.begin = std::min(collection.span.begin, where.begin);
    if (collection.kind == Kind::sequence) return collection.items.emplace_back(std::move(node));
    if (parent.children % 2 == 0) return collection.members.back().value = std::move(node);
    if (node.kind != Kind::scalar) {
      // `{{ x }}` of a template is a mapping with a mapping as its key.
      if (begins_template(collection))
        parent.is_template = true;
      else
        refuse<Code::ComplexKey>(where, describe(node));
    } else if (is_merge_key(node)) {
      has_merge_keys_ = true;
      if (!leniency_.merge_keys)
        refuse<Code::MergeKey>(where).help(
            "put what several specs share into a file for `--defaults`");
    }
    parent.key = where;
    parent.key_mark = at;
    // Members are large: room for a few at once saves moving them at every step of growth.
    if (collection.members.empty()) collection.members.reserve(4);
    return collection.members.emplace_back().key = std::move(node);
  }

  void open(Kind kind, size_t at, std::string_view tag, Anchor anchor, Style style) {
    check_indentation(at);
    const size_t begin = skip_properties(text_, at);
    const Span where = span(begin, begin);
    if (frames_.size() == max_depth)
      too_large(where, fmt::format("{} levels of nesting", max_depth));
    if (tag != "?" && (!tag.starts_with(core_tag) ||
                       tag.substr(core_tag.size()) != (kind == Kind::mapping ? "map" : "seq")))
      refuse<Code::UnsupportedTag>(tag_at(at), written(tag_at(at)));
    Node& node = add({kind, false, false, where, {}, {}, {}}, at, anchor, where);
    frames_.push_back({&node, style == YAML::EmitterStyle::Flow, false, 0, {}, 0});
  }

  bool begins_template(const Node& node) const { return text_.substr(node.span.begin, 2) == "{{"; }

  // A mapping of one pair in a list, `[a: b]`, is flow without having brackets.
  bool has_bracket(const Node& node) const {
    return character(node.span.begin) == '[' || character(node.span.begin) == '{';
  }

  size_t closing_bracket(const Node& node) const {
    if (!has_bracket(node)) return cursor_;
    const char closing = text_[node.span.begin] == '[' ? ']' : '}';
    const auto next = [&](size_t at) { return skip_properties(text_, skip_space(text_, at)); };
    size_t at = next(std::max<size_t>(cursor_, node.span.begin + 1));
    while (character(at) == ',' || character(at) == ':') at = next(at + 1);
    return character(at) == closing ? at + 1 : cursor_;
  }

  void close() {
    const Frame frame = frames_.back();
    frames_.pop_back();
    Span& where = frame.node->span;
    if (frame.flow) cursor_ = closing_bracket(*frame.node);
    where.end = std::max(static_cast<std::uint32_t>(cursor_), where.begin);
    if (frame.is_template)
      *frame.node = {Kind::scalar, false, false, where, std::string(written(where)), {}, {}};
    if (expects_value()) frames_.back().key.end = where.end;
    cursor_ = where.end;
  }

  static constexpr std::string_view stray_directive = "a line cannot begin with `%`";

  Leniency leniency_;
  std::uint32_t index_;  // of that source
  std::string_view text_;
  size_t base_;   // after the byte order mark
  size_t start_;  // where yaml-cpp begins to read: it is slow in the comments at the top
  diag::Sink& sink_;
  bool has_tabs_;
  bool has_surrogates_ = false;
  bool has_merge_keys_ = false;
  std::string scalar_;  // with them
  bool finished_ = false;
  size_t cursor_ = 0;  // after the last node, or at the beginning of the last collection
  size_t nodes_ = 0;   // so far, aliases expanded
  Span last_scalar_;   // the last node, if it was a scalar
  Node root_;
  std::vector<Frame> frames_;
  std::vector<Path> anchors_;  // by number less one
  diag::Sink refusals_;
};

}  // namespace

std::optional<Node> parse(const Sources& sources, std::uint32_t index, diag::Sink& sink,
                          Leniency leniency) {
  if (!check_text(sources[index].text, index, sink)) return std::nullopt;
  try {
    return TreeBuilder(sources, index, sink, leniency).read();
  } catch (const Stop&) {
    return std::nullopt;
  }
}

}  // namespace flexslice::yaml
