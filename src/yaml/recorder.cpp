#include "yaml/recorder.hpp"

#include <algorithm>

#include "base/lines.hpp"
#include "base/utf8.hpp"
#include "yaml/extent.hpp"

namespace flexslice::yaml {

namespace {

using diag::Code;
using What = Item::What;

constexpr std::string_view core_tag = "tag:yaml.org,2002:";
constexpr std::size_t most_refusals = 50;

// yaml-cpp 0.7 makes one byte, 0x85 or 0xA0, of the escapes `\N` and `\_`. Everything else in a value is well-formed, so a byte that
// is not must be one of these.
std::string repaired(const std::string& value) {
  std::string text;
  for (const utf8::Point& point : utf8::Points(value)) {
    if (!point.valid) text += '\xC2';
    text += point.bytes;
  }
  return text;
}

}  // namespace

Recorder::Recorder(std::string_view text, std::uint32_t source, diag::Sink& sink)
    : text_(text), base_(text::mark_length(text)), source_(source), sink_(sink), has_tabs_(text.find('\t') != std::string_view::npos) {
  items_.reserve(64);
  frames_.reserve(8);
}

template <Code C>
void Recorder::stop(Span where, std::string_view message, std::string_view help) {
  diag::Diagnostic& diagnostic = sink_.report<C>(where, message);
  if (!help.empty()) diagnostic.help(std::string(help));
  throw Stop{};
}

void Recorder::refuse(std::size_t begin, std::size_t end, std::string message, std::string help) {
  if (refusals_.size() < most_refusals) refusals_.push_back({span(begin, end), std::move(message), std::move(help)});
}

bool Recorder::report_refusals() {
  for (Refusal& refusal : refusals_) {
    diag::Diagnostic& diagnostic = sink_.report<Code::UnsupportedYaml>(refusal.where, refusal.message);
    if (!refusal.help.empty()) diagnostic.help(std::move(refusal.help));
  }
  return !refusals_.empty();
}

Span Recorder::span(std::size_t begin, std::size_t end) const {
  return {source_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
}

std::size_t Recorder::end() const {
  const bool nothing = items_.empty() || items_[0].end == base_;
  return nothing ? skip_properties(text_, base_) : items_[0].end;
}

bool Recorder::expects_key() const { return !frames_.empty() && parent().what == What::mapping && parent().children % 2 == 0; }

bool Recorder::expects_value() const { return !frames_.empty() && parent().what == What::mapping && parent().children % 2 != 0; }

Item& Recorder::add(What what, std::size_t begin, std::size_t end, std::size_t anchor) {
  const auto index = static_cast<std::uint32_t>(items_.size());
  if (++weight_ > max_nodes) stop<Code::TooLarge>(span(begin, end), text::format("more than {} values in one document", max_nodes));
  if (!frames_.empty()) ++items_[frames_.back().item].children;
  if (anchor > 0) {
    if (anchors_.size() < anchor) anchors_.resize(anchor);
    anchors_[anchor - 1] = index;
  }
  Item& item = items_.emplace_back();
  item.what = what;
  item.begin = static_cast<std::uint32_t>(begin);
  item.end = static_cast<std::uint32_t>(end);
  item.next = index + 1;
  cursor_ = end;
  return item;
}

// After the last item was added in the place of a key.
void Recorder::key_added(std::size_t mark) {
  Frame& frame = frames_.back();
  frame.key = static_cast<std::uint32_t>(items_.size() - 1);
  frame.key_mark = mark;
  const Item& key = items_[frame.key];
  const Item& meant = key.what == What::alias ? items_[key.target] : key;
  if (meant.what != What::scalar) {
    refuse(key.begin, key.end, "a key must be a string, not a list, a mapping or nothing");
  } else if (meant.text == "<<" && !meant.quoted) {
    refuse(key.begin, key.end, "merge keys (`<<`) are not supported", "put what several specs share into a file for `--defaults`");
  }
}

void Recorder::document(std::size_t at) {
  cursor_ = base_;
  if (!finished_) return;
  const bool marker = text_.substr(at).starts_with("---");
  stop<Code::InvalidYaml>(span(at, std::max(at, text::line_end(text_, at))),
                          marker ? "a second document, where one is expected" : "unexpected text after the end of the value");
}

// A tab among the blanks before a value: readers disagree on how deep that is.
void Recorder::check_indentation(std::size_t at) {
  if (!has_tabs_ || (!frames_.empty() && frames_.back().flow)) return;
  const std::size_t tab = tab_in_indentation(text_, at);
  if (tab != std::string_view::npos) {
    stop<Code::InvalidYaml>(span(tab, tab + 1), "a tab cannot be indentation", "indent with spaces");
  }
}

// The reader takes a line without a colon for a key without a value. It then says that the value stands where the key stands.
void Recorder::check_colon(std::size_t at) {
  const Frame& frame = frames_.back();
  if (frame.flow || frame.key_mark != at || text_[at] == '?') return;
  const Item& key = items_[frame.key];
  const bool colon = key.text.find(':') != std::string_view::npos;
  stop<Code::InvalidYaml>(span(key.begin, key.end), "a key without `: ` behind it", colon ? "write a space after the colon" : "");
}

// `[1,,2]` or `{,}`: YAML knows no empty entries, but the reader lets them pass.
bool Recorder::is_empty_entry(std::size_t at) const {
  if (frames_.empty() || !frames_.back().flow || at >= text_.size() || text_[at] != ',') return false;
  return !expects_value();
}

// The place of a value that was not written.
Span Recorder::absent(std::size_t at) const {
  if (frames_.empty()) return span(base_, base_);
  const Frame& frame = frames_.back();
  const bool mapping = parent().what == What::mapping;
  if (frame.flow && !mapping) return span(at, at);
  const std::size_t from = expects_value() ? items_[frame.key].end : cursor_;
  const std::size_t indicator = skip_space(text_, from);
  const bool found = indicator < text_.size() && text_[indicator] == (mapping ? ':' : '-');
  const std::size_t place = found ? indicator + 1 : from;
  return span(place, place);
}

void Recorder::null(std::size_t at, std::size_t anchor) {
  const bool is_key = expects_key();
  if (is_empty_entry(at)) stop<Code::InvalidYaml>(span(at, at + 1), "nothing stands before this comma");
  if (expects_value()) check_colon(at);
  const std::size_t begin = skip_properties(text_, at);
  const std::size_t length = null_length(text_, begin);
  const Span where = length > 0 ? span(begin, begin + length) : absent(at);
  add(What::null, where.begin, where.end, anchor);
  if (is_key) key_added(at);
}

void Recorder::alias(std::size_t at, std::size_t anchor) {
  const std::size_t end = property_end(text_, at);
  const bool is_key = expects_key();
  const std::uint32_t target = anchor > 0 && anchor <= anchors_.size() ? anchors_[anchor - 1] : 0;
  if (items_.empty() || items_[target].next == 0) {
    stop<Code::InvalidYaml>(span(at, end), text::format("`{}` stands inside of what it names", slice(at, end)));
  }
  const Item& meant = items_[target];
  if (weight_ + meant.weight > max_nodes) {
    stop<Code::TooLarge>(span(at, end), text::format("with aliases expanded, the document has more than {} values", max_nodes));
  }
  if (frames_.size() + meant.height > max_depth) {
    stop<Code::TooLarge>(span(at, end), text::format("with this alias expanded, values are nested deeper than {} levels", max_depth));
  }
  weight_ += meant.weight - 1;
  if (!frames_.empty()) frames_.back().height = std::max(frames_.back().height, meant.height);
  add(What::alias, at, end, 0).target = target;
  if (is_key) key_added(at);
}

// Most values are a slice of the source, so they need no storage of their own.
std::string_view Recorder::keep(const Item& item, const std::string& value) {
  const std::size_t begin = item.begin + (item.begin < text_.size() && is_quote(text_[item.begin]) ? 1 : 0);
  const std::string_view written = text_.substr(std::min(begin, text_.size()), value.size());
  if (written == value) return written;
  const bool escapes = item.begin < text_.size() && text_[item.begin] == '"';
  return texts_.emplace_back(escapes ? repaired(value) : value);
}

void Recorder::scalar(std::size_t at, std::string_view tag, std::size_t anchor, const std::string& value) {
  const bool is_key = expects_key();
  check_indentation(at);
  const std::size_t begin = skip_properties(text_, at);
  const char first = begin < text_.size() ? text_[begin] : '\n';
  const bool indicated = is_quote(first) || first == '|' || first == '>';
  // `!!str` with nothing behind it: the tag is all there is to point at.
  const bool empty = value.empty() && begin != at && (!indicated || (is_quote(first) && quoted_end(text_, begin) != begin + 2));
  const std::size_t end = empty ? property_end(text_, at) : scalar_end(text_, begin, value);
  // The reader lets a lone quote at the text's end pass.
  if (!empty && is_quote(first) && end == text_.size() && quoted_end(text_, begin) == std::string_view::npos) {
    stop<Code::InvalidYaml>(span(begin, begin + 1), "this quote is not closed");
  }
  Item& item = add(What::scalar, empty ? at : begin, end, anchor);
  item.quoted = indicated || empty;
  item.text = keep(item, value);
  if (begin != at) apply_tag(item, tag, at);
  if (is_key) key_added(at);
}

void Recorder::apply_tag(Item& item, std::string_view tag, std::size_t at) {
  if (tag == "?" || (tag == "!" && text_[at] != '!')) return;
  const std::size_t begin = text_.find('!', at);
  const std::size_t end = property_end(text_, begin);
  std::string_view written = slice(begin, end);
  const std::string_view name = tag.starts_with(core_tag) ? tag.substr(core_tag.size()) : "";
  const std::string unsupported = text::format("the tag `{}` is not supported", written);
  if (written.ends_with('>')) written.remove_suffix(1);
  // The reader ends a tag before some characters that other readers count to it.
  const bool whole = tag == "!" ? written == "!" : !name.empty() && written.ends_with(name);
  const Type type = type_of(item.text);
  const bool null = name == "null" && type == Type::null;
  const bool fits = null || (name == "bool" && type == Type::boolean) || (name == "int" && type == Type::integer) ||
                    (name == "float" && (type == Type::integer || type == Type::floating));
  if (whole && (name == "str" || tag == "!")) {
    item.quoted = true;
  } else if (whole && fits) {
    item.quoted = false;
    if (null) item.what = What::null;
  } else if (whole && (name == "null" || name == "bool" || name == "int" || name == "float")) {
    refuse(begin, end, text::format("the tag `{}` does not fit its value", slice(begin, end)));
  } else {
    refuse(begin, end, unsupported);
  }
}

void Recorder::open(What what, std::size_t at, std::string_view tag, std::size_t anchor, bool flow) {
  const bool is_key = expects_key();
  check_indentation(at);
  const std::size_t begin = skip_properties(text_, at);
  if (frames_.size() == max_depth)
    stop<Code::TooLarge>(span(begin, begin), text::format("values are nested deeper than {} levels", max_depth));
  const bool fits = tag == "?" || tag == (what == What::mapping ? "tag:yaml.org,2002:map" : "tag:yaml.org,2002:seq");
  if (!fits) {
    const std::size_t sign = std::min(text_.find('!', at), text_.size());
    const std::size_t end = property_end(text_, sign);
    refuse(sign, end, text::format("the tag `{}` is not supported", slice(sign, end)));
  }
  add(what, begin, begin, anchor);
  if (is_key) key_added(at);
  Item& item = items_.back();
  item.next = 0;
  item.weight = weight_;
  Frame& frame = frames_.emplace_back();
  frame.item = static_cast<std::uint32_t>(items_.size() - 1);
  frame.flow = flow;
}

// A mapping of one pair in a list, `[a: b]`, is flow without having brackets.
bool Recorder::has_bracket(const Item& item) const {
  return item.begin < text_.size() && (text_[item.begin] == '[' || text_[item.begin] == '{');
}

std::size_t Recorder::closing_bracket(const Item& item) const {
  if (!has_bracket(item)) return cursor_;
  const char closing = text_[item.begin] == '[' ? ']' : '}';
  std::size_t at = skip_properties(text_, skip_space(text_, std::max<std::size_t>(cursor_, item.begin + 1)));
  while (at < text_.size() && (text_[at] == ',' || text_[at] == ':')) at = skip_properties(text_, skip_space(text_, at + 1));
  return at < text_.size() && text_[at] == closing ? at + 1 : cursor_;
}

void Recorder::close() {
  const Frame frame = frames_.back();
  frames_.pop_back();
  Item& item = items_[frame.item];
  const std::size_t end = frame.flow ? closing_bracket(item) : cursor_;
  // A tag with nothing behind it can be the first key.
  if (item.children > 0) item.begin = std::min(item.begin, items_[frame.item + 1].begin);
  item.end = static_cast<std::uint32_t>(std::max<std::size_t>(end, item.begin));
  item.next = static_cast<std::uint32_t>(items_.size());
  item.weight = weight_ - item.weight + 1;
  item.height = static_cast<std::uint8_t>(frame.height + 1);
  cursor_ = item.end;
  if (!frames_.empty()) frames_.back().height = std::max(frames_.back().height, item.height);
}

// The reader takes `&a: b` for an anchor called `a`, other readers for one called `a:` or for a mistake.
void Recorder::anchor(std::size_t at, std::string_view name) {
  const std::size_t begin = std::min(text_.find('&', at), text_.size());
  const std::size_t end = property_end(text_, begin);
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
  const bool sound = name.find_first_not_of(letters) == std::string_view::npos && end - begin == name.size() + 1;
  if (sound) return;
  stop<Code::InvalidYaml>(span(begin, end), "the name of an anchor has letters, digits, `-` and `_` only, and a space behind it",
                          "put a value that begins with `&` into quotes");
}

void Recorder::fail(std::size_t at, std::string_view reason) {
  Failure failure{text_, source_, reason, at, cursor_, cursor_, Failure::npos};
  if (!items_.empty() && items_.back().what == What::scalar && items_.back().end == cursor_) failure.last_begin = items_.back().begin;
  for (std::size_t level = frames_.size(); level > 0 && frames_[level - 1].flow && failure.open_bracket == Failure::npos; --level) {
    const Item& item = items_[frames_[level - 1].item];
    if (has_bracket(item)) failure.open_bracket = item.begin;
  }
  blame(failure, sink_);
}

}  // namespace flexslice::yaml
