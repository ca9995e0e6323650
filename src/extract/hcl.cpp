#include "extract/hcl.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "yaml/made.hpp"
#include "yaml/parse.hpp"

namespace flexslice::extract {

using std::size_t;
using yaml::Kind;
using yaml::Node;

namespace {

constexpr std::string_view yaml_call = "yamlencode(";

// The blocks that the tree has, and how many labels each has.
struct RootBlock {
  std::string_view name;
  size_t labels;
};
constexpr RootBlock root_blocks[] = {{"resource", 2}, {"data", 2},   {"variable", 1},
                                     {"locals", 0},   {"module", 1}, {"terraform", 0}};

constexpr bool is_name(char c) {
  return ascii::is_letter_or_digit(c) || c == '_' || c == '-' || (c & 0x80) != 0;
}
constexpr bool is_number(char c) {
  return ascii::is_letter_or_digit(c) || c == '.' || c == '-' || c == '+';
}

Node nested_in(Node key, Node value) {
  Node outer = yaml::mapping_at(value.span);
  outer.members.push_back({std::move(key), std::move(value)});
  return outer;
}

class HclReader {
 public:
  HclReader(std::string_view text, std::uint32_t index) : text_(text), index_(index) {}

  std::variant<Node, HclProblem> read() {
    at_ = text::mark_length(text_);
    Node root = node(Kind::mapping, at_);
    while (skip_blank(true), is_good() && at_ < text_.size()) read_root(root);
    root.span.end = static_cast<std::uint32_t>(text_.size());
    if (problem_) return *problem_;
    return root;
  }

 private:
  char peek(size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : 0; }
  bool sees(std::string_view next) const { return text_.substr(at_, next.size()) == next; }
  bool is_good() const { return !problem_; }
  void fail(size_t at, std::string_view why) {
    if (is_good()) problem_ = {at, why};
  }

  Node node(Kind kind, size_t begin) {
    if (++nodes_ > yaml::max_nodes) fail(begin, "too many values");
    Node made;
    made.kind = kind;
    made.span = {index_, begin, at_};
    return made;
  }
  Node scalar(size_t begin, std::string text, bool quoted) {
    Node made = node(Kind::scalar, begin);
    made.text = std::move(text);
    made.quoted = quoted;
    return made;
  }
  std::string from(size_t begin) const { return std::string(text_.substr(begin, at_ - begin)); }

  void read_root(Node& root) {
    const size_t begin = at_;
    Node name = word();
    if (at_ == begin) return fail(at_, "expected a block");
    skip_blank(false);
    if (peek() == '=') {
      ++at_;
      return void(root.members.push_back({std::move(name), expression("\n", 0)}));
    }
    const RootBlock* known =
        find_where(root_blocks, [&](const RootBlock& each) { return each.name == name.text; });
    if (known == nullptr) return skip("\n");
    size_t labels = 0;
    Node block = read_block(0, labels);
    if (labels != known->labels) return;
    auto blocks =
        std::ranges::find(root.members, name.text, [](const auto& each) { return each.key.text; });
    if (blocks == root.members.end()) blocks = root.members.insert(blocks, {std::move(name), {}});
    blocks->value.kind = Kind::sequence;
    blocks->value.items.push_back(std::move(block));
  }

  // From the labels of a block on, which are keys around its body, as in JSON.
  Node read_block(size_t depth, size_t& count) {
    std::vector<Node> labels;
    for (skip_blank(false); is_good() && (peek() == '"' || is_name(peek())); skip_blank(false))
      labels.push_back(peek() == '"' ? string() : word());
    count = labels.size();
    Node block = body(depth);
    for (; !labels.empty(); labels.pop_back())
      block = nested_in(std::move(labels.back()), std::move(block));
    return block;
  }

  Node body(size_t depth) {
    const size_t begin = at_;
    if (peek() != '{' || depth > yaml::max_depth) fail(at_, "expected an argument or a block");
    if (is_good()) ++at_;
    std::vector<yaml::Member> members;
    while (skip_blank(true), is_good() && peek() != '}') {
      if (at_ >= text_.size()) fail(begin, "a block without an end");
      Node key = word();
      if (key.text.empty()) fail(at_, "expected an argument or a block");
      skip_blank(false);
      size_t labels = 0;
      const bool is_argument = peek() == '=';
      at_ += is_argument ? 1 : 0;
      Node value = is_argument ? expression("\n}", depth + 1) : read_block(depth + 1, labels);
      members.push_back({std::move(key), std::move(value)});
    }
    return collection(Kind::mapping, begin, {}, std::move(members));
  }

  Node collection(Kind kind, size_t begin, std::vector<Node> items,
                  std::vector<yaml::Member> members) {
    if (is_good()) ++at_;
    Node made = node(kind, begin);
    made.items = std::move(items);
    made.members = std::move(members);
    return made;
  }

  // A literal, or all up to one of the characters that end it.
  Node expression(std::string_view ends, size_t depth) {
    const bool in_list = !contains(ends, '\n');
    skip_blank(in_list);
    const size_t begin = at_;
    std::optional<Node> known = depth > yaml::max_depth ? std::nullopt : literal(depth);
    skip_blank(in_list);
    if (known && (at_ >= text_.size() || contains(ends, peek()))) return std::move(*known);
    at_ = begin;
    skip(ends);
    return open(begin, end_);
  }

  Node open(size_t begin, size_t end) {
    const size_t next = std::exchange(at_, end);
    Node made = scalar(begin, "${" + from(begin) + "}", true);
    at_ = next;
    return made;
  }

  std::optional<Node> literal(size_t depth) {
    const size_t begin = at_;
    if (!is_good()) return std::nullopt;
    if (peek() == '[') return list(depth);
    if (peek() == '{') return object(depth);
    if (sees("<<")) return here_text();
    if (sees(yaml_call)) return encoded(depth);
    if (peek() == '"') {
      Node made = string();
      // The value of `\u00e9` is left open.
      return made.text.find("\\u") == std::string::npos ? std::optional(made) : std::nullopt;
    }
    while (is_number(peek()) || is_name(peek())) ++at_;
    const std::string text = from(begin);
    const yaml::ScalarType type = yaml::type_of(text);
    if (text == "null") return node(Kind::null, begin);
    if (text == "true" || text == "false" || type == yaml::ScalarType::integer ||
        type == yaml::ScalarType::floating)
      return scalar(begin, text, false);
    return std::nullopt;
  }

  // Whoever gets the text reads the object again.
  std::optional<Node> encoded(size_t depth) {
    at_ += yaml_call.size();
    skip_blank(true);
    auto inner = peek() == '{' ? object(depth) : std::nullopt;
    skip_blank(true);
    if (peek() != ')') return std::nullopt;
    ++at_;
    return inner;
  }

  std::optional<Node> list(size_t depth) {
    const size_t begin = at_++;
    std::vector<Node> items;
    while (skip_blank(true), peek() != ']') {
      if (!is_good() || at_ >= text_.size() || sees("for ")) return std::nullopt;
      items.push_back(expression(",]", depth + 1));
      if (peek() == ',') ++at_;
    }
    return collection(Kind::sequence, begin, std::move(items), {});
  }

  std::optional<Node> object(size_t depth) {
    const size_t begin = at_++;
    std::vector<yaml::Member> members;
    while (skip_blank(true), peek() != '}') {
      const size_t key_begin = at_;
      Node key = peek() == '"' ? string() : word();
      if (peek() == '(' && at_ == key_begin) {
        skip({});
        key = open(key_begin, at_);
      }
      skip_blank(false);
      if (!is_good() || at_ == key_begin || (peek() != '=' && peek() != ':') ||
          contains(std::string_view("=>"), peek(1)))
        return std::nullopt;
      ++at_;
      Node value = expression(",\n}", depth + 1);
      members.push_back({std::move(key), std::move(value)});
      if (peek() == ',') ++at_;
    }
    return collection(Kind::mapping, begin, {}, std::move(members));
  }

  Node word() {
    const size_t begin = at_;
    while (is_name(peek())) ++at_;
    return scalar(begin, from(begin), false);
  }

  Node string() {
    constexpr std::string_view names = "nrt\"\\", values = "\n\r\t\"\\";
    const size_t begin = at_;
    skip({});
    std::string value;
    for (size_t i = begin + 1; i + 1 < at_; ++i) {
      const size_t escape = text_[i] == '\\' ? names.find(text_[i + 1]) : names.npos;
      value += escape == names.npos ? text_[i] : values[escape];
      i += escape == names.npos ? 0 : 1;
    }
    return scalar(begin, std::move(value), true);
  }

  // After `<<-`, lines have no more indentation than the one that has the most to the left.
  Node here_text() {
    const size_t begin = at_;
    const bool is_indented = peek(2) == '-';
    skip_here_text();
    const size_t first = text::next_line(text_, begin), last = text::line_begin(text_, at_);
    const auto indentation = [&](size_t line) {
      const size_t end = text_.find_first_not_of(" \t", line);
      return is_indented && end < text::line_end(text_, line) ? end - line : text_.npos;
    };
    size_t least = text_.npos;
    for (size_t line = first; line < last; line = text::next_line(text_, line))
      least = std::min(least, indentation(line));
    std::string value;
    for (size_t line = first; line < last;) {
      const size_t next = text::next_line(text_, line);
      if (indentation(line) != text_.npos) line += least;
      value += text_.substr(line, next - line);
      line = next;
    }
    return scalar(begin, std::move(value), true);
  }

  void skip_here_text() {
    const size_t begin = at_;
    at_ += peek(2) == '-' ? 3 : 2;
    const std::string end = word().text;
    while (!end.empty() && at_ < text_.size()) {
      const size_t line = text::next_line(text_, at_);
      at_ = text::line_end(text_, line);
      if (text::trim(text_.substr(line, at_ - line)) == end) return;
    }
    fail(begin, "text without an end");
    at_ = text_.size();
  }

  bool skip_comment() {
    if (sees("/*")) {
      at_ = std::min(text_.find("*/", at_ + 2), text_.size() - 2) + 2;
    } else if (sees("#") || sees("//")) {
      at_ = text::line_end(text_, at_);
    } else {
      return false;
    }
    return true;
  }

  void skip_blank(bool lines) {
    while (at_ < text_.size()) {
      if (ascii::is_blank(peek()) || peek() == '\r' || (lines && peek() == '\n')) {
        ++at_;
      } else if (!skip_comment()) {
        return;
      }
    }
  }

  // Skips brackets, strings and all else up to one of `ends` outside of them; without any, the one
  // bracket or string that begins here. `end_` is then after the last byte that is no blank.
  void skip(std::string_view ends) {
    constexpr std::string_view opening = "([{\"", closing = ")]}\"";
    std::vector<std::pair<char, size_t>> inner;
    for (end_ = at_; at_ < text_.size() && is_good();) {
      const char c = text_[at_];
      const bool in_string = !inner.empty() && inner.back().first == '"';
      if (inner.empty() && contains(ends, c)) return;
      if (!in_string && (ascii::is_space(c) || skip_comment())) {
        at_ += ascii::is_space(c) ? 1 : 0;
        continue;
      }
      const size_t opened = opening.find(c);
      if (!inner.empty() && c == inner.back().first) {
        inner.pop_back();
      } else if (in_string ? (sees("${") || sees("%{")) : opened != opening.npos) {
        at_ += in_string ? 1 : 0;
        inner.emplace_back(in_string ? '}' : closing[opened], at_);
      } else if (in_string) {
        if (c == '\n') break;
        at_ += c == '\\' || sees("$${") || sees("%%{") ? 1 : 0;
      } else if (contains(closing, c)) {
        return fail(at_, "a bracket that nothing opens");
      } else if (sees("<<")) {
        skip_here_text();
        --at_;
      }
      end_ = ++at_;
      if (ends.empty() && inner.empty()) return;
    }
    if (!inner.empty()) fail(inner.back().second, "a bracket or quote without its end");
    at_ = std::min(at_, text_.size());
  }

  std::string_view text_;
  std::uint32_t index_;
  size_t at_ = 0;
  size_t end_ = 0;
  size_t nodes_ = 0;
  std::optional<HclProblem> problem_;
};

}  // namespace

std::variant<Node, HclProblem> read_hcl(std::string_view text, std::uint32_t index) {
  return HclReader(text, index).read();
}

}  // namespace flexslice::extract
