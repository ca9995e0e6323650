#include "yaml/builder.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/lines.hpp"
#include "base/utf8.hpp"
#include "yaml/blame.hpp"
#include "yaml/extent.hpp"
#include "yaml/parse.hpp"

namespace flexslice::yaml {

namespace {

using diag::Code;

constexpr std::string_view core_tag = "tag:yaml.org,2002:";
constexpr std::size_t most_refusals = 50;
constexpr int most_duplicates = 50;

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

bool has_duplicates(const Node& mapping) {
  if (mapping.members.size() < 2) return false;
  std::vector<std::string_view> keys;
  keys.reserve(mapping.members.size());
  for (const Member& member : mapping.members) keys.push_back(member.key.text);
  std::sort(keys.begin(), keys.end());
  return std::adjacent_find(keys.begin(), keys.end()) != keys.end();
}

// The nodes of a tree, and its levels of collections: a collection of scalars has 1.
struct Size {
  std::size_t nodes = 1;
  std::size_t height = 0;
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

}  // namespace

Builder::Builder(const Sources& sources, std::uint32_t index, diag::Sink& sink)
    : source_(sources[index]),
      index_(index),
      text_(source_.text),
      base_(text::mark_length(text_)),
      sink_(sink),
      has_tabs_(text_.find('\t') != std::string_view::npos) {
  root_.span = span(base_, base_);
  frames_.reserve(8);
}

template <Code C>
void Builder::stop(Span where, std::string_view message, std::string_view help) {
  diag::Diagnostic& diagnostic = sink_.report<C>(where, message);
  if (!help.empty()) diagnostic.help(std::string(help));
  throw Stop{};
}

void Builder::refuse(std::size_t begin, std::size_t end, std::string message, std::string help) {
  if (refusals_.size() < most_refusals)
    refusals_.push_back({span(begin, end), std::move(message), std::move(help)});
}

bool Builder::report_refusals() {
  for (Refusal& refusal : refusals_) {
    diag::Diagnostic& diagnostic =
        sink_.report<Code::UnsupportedYaml>(refusal.where, refusal.message);
    if (!refusal.help.empty()) diagnostic.help(std::move(refusal.help));
  }
  return !refusals_.empty();
}

Span Builder::span(std::size_t begin, std::size_t end) const {
  return {index_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

std::size_t Builder::end() const {
  return root_.span.end == base_ ? skip_properties(text_, base_) : root_.span.end;
}

Node& Builder::at(const Path& path) {
  Node* node = &root_;
  for (std::uint32_t child : path) {
    const bool in_list = node->kind == Kind::sequence;
    node = in_list          ? &node->items[child]
           : child % 2 == 0 ? &node->members[child / 2].key
                            : &node->members[child / 2].value;
  }
  return *node;
}

// Where the next node goes.
Node& Builder::place(Frame& parent, std::size_t at, Span where) {
  Node& collection = *parent.node;
  // A tag with nothing behind it can be the first key.
  collection.span.begin = std::min(collection.span.begin, where.begin);
  ++parent.children;
  if (collection.kind == Kind::sequence) return collection.items.emplace_back();
  if (parent.children % 2 == 0) return collection.members.back().value;
  parent.key = where;
  parent.key_mark = at;
  // Members are large: room for a few at once saves moving them at every step of growth.
  if (collection.members.empty()) collection.members.reserve(8);
  return collection.members.emplace_back().key;
}

Node& Builder::add(Kind kind, std::size_t at, Span where, std::size_t anchor) {
  if (++nodes_ > max_nodes)
    stop<Code::TooLarge>(where, fmt::format("more than {} values in one document", max_nodes));
  Node& node = frames_.empty() ? root_ : place(frames_.back(), at, where);
  node.kind = kind;
  node.span = where;
  if (anchor > 0) {
    Path path;
    for (const Frame& frame : frames_) path.push_back(frame.children - 1);
    anchors_.resize(std::max(anchors_.size(), anchor));
    anchors_[anchor - 1] = std::move(path);
  }
  cursor_ = where.end;
  last_scalar_ = kind == Kind::scalar ? where : Span{};
  return node;
}

// After a node was added in the place of a key.
void Builder::check_key(const Node& key) {
  const Frame& frame = frames_.back();
  if (key.kind != Kind::scalar) {
    refuse(frame.key.begin, frame.key.end,
           "a key must be a string, not a list, a mapping or nothing");
  } else if (key.text == "<<" && !key.quoted) {
    refuse(frame.key.begin, frame.key.end, "merge keys (`<<`) are not supported",
           "put what several specs share into a file for `--defaults`");
  }
}

void Builder::document(std::size_t at) {
  cursor_ = base_;
  if (!finished_) return;
  const bool marker = text_.substr(at).starts_with("---");
  stop<Code::InvalidYaml>(span(at, std::max(at, text::line_end(text_, at))),
                          marker ? "a second document, where one is expected"
                                 : "unexpected text after the end of the value");
}

// A tab among the blanks before a value: readers disagree on how deep that is.
void Builder::check_indentation(std::size_t at) {
  if (!has_tabs_ || (!frames_.empty() && frames_.back().flow)) return;
  const std::size_t tab = tab_in_indentation(text_, at);
  if (tab != std::string_view::npos) {
    stop<Code::InvalidYaml>(span(tab, tab + 1), "a tab cannot be indentation",
                            "indent with spaces");
  }
}

// The reader takes a line without a colon for a key without a value. It then says that the value is
// where the key is.
void Builder::check_colon(std::size_t at) {
  const Frame& frame = frames_.back();
  if (frame.flow || frame.key_mark != at || text_[at] == '?') return;
  const bool colon = frame.node->members.back().key.text.find(':') != std::string_view::npos;
  stop<Code::InvalidYaml>(frame.key, "a key without `: ` behind it",
                          colon ? "write a space after the colon" : "");
}

// `[1,,2]` or `{,}`: YAML knows no empty entries, but the reader lets them pass.
bool Builder::is_empty_entry(std::size_t at) const {
  return !frames_.empty() && frames_.back().flow && character(at) == ',' && !expects_value();
}

// The place of a value that was not written.
Span Builder::absent(std::size_t at) const {
  if (frames_.empty()) return span(base_, base_);
  const Frame& frame = frames_.back();
  if (frame.flow && !in_mapping()) return span(at, at);
  const std::size_t from = expects_value() ? frame.key.end : cursor_;
  const std::size_t indicator = skip_space(text_, from);
  const std::size_t place =
      character(indicator) == (in_mapping() ? ':' : '-') ? indicator + 1 : from;
  return span(place, place);
}

void Builder::null(std::size_t at, std::size_t anchor) {
  const bool is_key = expects_key();
  if (is_empty_entry(at))
    stop<Code::InvalidYaml>(span(at, at + 1), "nothing stands before this comma");
  if (expects_value()) check_colon(at);
  const std::size_t begin = skip_properties(text_, at);
  const std::size_t length = null_length(text_, begin);
  const Node& node =
      add(Kind::null, at, length > 0 ? span(begin, begin + length) : absent(at), anchor);
  if (is_key) check_key(node);
}

void Builder::alias(std::size_t at, std::size_t anchor) {
  const bool is_key = expects_key();
  const Span where = span(at, property_end(text_, at));
  const Node& meant =
      this->at(anchor > 0 && anchor <= anchors_.size() ? anchors_[anchor - 1] : Path());
  if (std::any_of(frames_.begin(), frames_.end(),
                  [&](const Frame& frame) { return frame.node == &meant; })) {
    stop<Code::InvalidYaml>(
        where, fmt::format("`{}` stands inside of what it names", slice(where.begin, where.end)));
  }
  const Size size = size_of(meant);
  if (nodes_ + size.nodes > max_nodes) {
    stop<Code::TooLarge>(
        where,
        fmt::format("with aliases expanded, the document has more than {} values", max_nodes));
  }
  if (frames_.size() + size.height > max_depth) {
    stop<Code::TooLarge>(
        where, fmt::format("with this alias expanded, values are nested deeper than {} levels",
                           max_depth));
  }
  nodes_ += size.nodes - 1;
  Node copy = meant;
  Node& node = add(copy.kind, at, where, 0);
  node = std::move(copy);
  last_scalar_ = {};
  if (is_key) check_key(node);
}

void Builder::scalar(std::size_t at, std::string_view tag, std::size_t anchor,
                     const std::string& value) {
  const bool is_key = expects_key();
  check_indentation(at);
  const std::size_t begin = skip_properties(text_, at);
  const char first = character(begin);
  const bool indicated = is_quote(first) || first == '|' || first == '>';
  // `!!str` with nothing behind it: the tag is all there is to point at.
  const bool empty = value.empty() && begin != at &&
                     (!indicated || (is_quote(first) && quoted_end(text_, begin) != begin + 2));
  const std::size_t end = empty ? property_end(text_, at) : scalar_end(text_, begin, value);
  // The reader lets a lone quote at the text's end pass.
  if (!empty && is_quote(first) && end == text_.size() &&
      quoted_end(text_, begin) == std::string_view::npos) {
    stop<Code::InvalidYaml>(span(begin, begin + 1), "this quote is not closed");
  }
  Node& node = add(Kind::scalar, at, span(empty ? at : begin, end), anchor);
  node.quoted = indicated || empty;
  node.text = first == '"' ? repaired(value) : value;
  if (begin != at) apply_tag(node, tag, at);
  if (is_key) check_key(node);
}

void Builder::apply_tag(Node& node, std::string_view tag, std::size_t at) {
  if (tag == "?" || (tag == "!" && text_[at] != '!')) return;
  const std::size_t begin = text_.find('!', at);
  const std::size_t end = property_end(text_, begin);
  std::string_view written = slice(begin, end);
  const std::string_view name = tag.starts_with(core_tag) ? tag.substr(core_tag.size()) : "";
  const std::string unsupported = fmt::format("the tag `{}` is not supported", written);
  if (written.ends_with('>')) written.remove_suffix(1);
  // The reader ends a tag before some characters that other readers count to it.
  const bool whole = tag == "!" ? written == "!" : !name.empty() && written.ends_with(name);
  const Type type = type_of(node.text);
  const bool null = name == "null" && type == Type::null;
  const bool fits = null || (name == "bool" && type == Type::boolean) ||
                    (name == "int" && type == Type::integer) ||
                    (name == "float" && (type == Type::integer || type == Type::floating));
  if (whole && (name == "str" || tag == "!")) {
    node.quoted = true;
  } else if (whole && fits) {
    node.quoted = false;
    if (null) node.kind = Kind::null;
  } else if (whole && (name == "null" || name == "bool" || name == "int" || name == "float")) {
    refuse(begin, end, fmt::format("the tag `{}` does not fit its value", slice(begin, end)));
  } else {
    refuse(begin, end, unsupported);
  }
}

void Builder::open(Kind kind, std::size_t at, std::string_view tag, std::size_t anchor, bool flow) {
  const bool is_key = expects_key();
  check_indentation(at);
  const std::size_t begin = skip_properties(text_, at);
  if (frames_.size() == max_depth) {
    stop<Code::TooLarge>(span(begin, begin),
                         fmt::format("values are nested deeper than {} levels", max_depth));
  }
  if (tag != "?" &&
      tag != (kind == Kind::mapping ? "tag:yaml.org,2002:map" : "tag:yaml.org,2002:seq")) {
    const std::size_t sign = std::min(text_.find('!', at), text_.size());
    const std::size_t end = property_end(text_, sign);
    refuse(sign, end, fmt::format("the tag `{}` is not supported", slice(sign, end)));
  }
  Node& node = add(kind, at, span(begin, begin), anchor);
  if (is_key) check_key(node);
  Frame& frame = frames_.emplace_back();
  frame.node = &node;
  frame.flow = flow;
}

// A mapping of one pair in a list, `[a: b]`, is flow without having brackets.
bool Builder::has_bracket(const Node& node) const {
  return character(node.span.begin) == '[' || character(node.span.begin) == '{';
}

std::size_t Builder::closing_bracket(const Node& node) const {
  if (!has_bracket(node)) return cursor_;
  const char closing = text_[node.span.begin] == '[' ? ']' : '}';
  std::size_t at = skip_properties(
      text_, skip_space(text_, std::max<std::size_t>(cursor_, node.span.begin + 1)));
  while (character(at) == ',' || character(at) == ':')
    at = skip_properties(text_, skip_space(text_, at + 1));
  return character(at) == closing ? at + 1 : cursor_;
}

void Builder::close() {
  const Frame frame = frames_.back();
  frames_.pop_back();
  Span& where = frame.node->span;
  const std::size_t end = frame.flow ? closing_bracket(*frame.node) : cursor_;
  where.end = std::max(static_cast<std::uint32_t>(end), where.begin);
  if (expects_value()) frames_.back().key.end = where.end;
  cursor_ = where.end;
}

// The reader takes `&a: b` for an anchor called `a`, other readers for one called `a:` or for a
// mistake.
void Builder::anchor(std::size_t at, std::string_view name) {
  const std::size_t begin = std::min(text_.find('&', at), text_.size());
  const std::size_t end = property_end(text_, begin);
  constexpr std::string_view letters =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
  const bool sound =
      name.find_first_not_of(letters) == std::string_view::npos && end - begin == name.size() + 1;
  if (sound) return;
  stop<Code::InvalidYaml>(
      span(begin, end),
      "the name of an anchor has letters, digits, `-` and `_` only, and a space behind it",
      "put a value that begins with `&` into quotes");
}

Node Builder::take() {
  drop_duplicates(root_);
  return std::move(root_);
}

void Builder::drop_duplicates(Node& node) {
  for (Node& item : node.items) drop_duplicates(item);
  for (Member& member : node.members) {
    if (member.value.kind != Kind::scalar) drop_duplicates(member.value);
  }
  if (!has_duplicates(node)) return;
  if (!lines_) lines_.emplace(source_);
  std::map<std::string, std::size_t> begins;
  std::erase_if(node.members, [&](const Member& member) {
    const Node& key = member.key;
    const auto [first, is_new] = begins.try_emplace(key.text, key.span.begin);
    if (is_new || ++duplicates_ > most_duplicates) return !is_new;
    const int line = lines_->position(first->second).line;
    sink_.report<Code::DuplicateKey>(key.span, key.text)
        .note(fmt::format("first given on line {}", line));
    return true;
  });
}

void Builder::fail(std::size_t at, std::string_view reason) {
  Failure failure{text_, index_, reason, at, cursor_, cursor_, Failure::npos};
  if (last_scalar_.end == cursor_) failure.last_begin = last_scalar_.begin;
  for (auto frame = frames_.rbegin();
       frame != frames_.rend() && frame->flow && failure.open_bracket == Failure::npos; ++frame) {
    if (has_bracket(*frame->node)) failure.open_bracket = frame->node->span.begin;
  }
  blame(failure, sink_);
}

}  // namespace flexslice::yaml
