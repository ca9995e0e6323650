#include "yaml/node.hpp"

#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "base/utf8.hpp"

namespace flexslice::yaml {

namespace {

std::size_t take_digits(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), ascii::is_digit);
  const auto count = static_cast<std::size_t>(end - text.begin());
  text.remove_prefix(count);
  return count;
}

void take_sign(std::string_view& text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
}

bool consists_of(std::string_view text, std::string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == std::string_view::npos;
}

constexpr std::array<std::string_view, 4> nulls = {"~", "null", "Null", "NULL"};
constexpr std::array<std::string_view, 6> booleans = {"true",  "True",  "TRUE",
                                                      "false", "False", "FALSE"};
constexpr std::array<std::string_view, 3> not_numbers = {".nan", ".NaN", ".NAN"};
constexpr std::array<std::string_view, 3> infinities = {".inf", ".Inf", ".INF"};

bool is_one_of(std::string_view text, const auto& words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) {
    return word.size() == text.size() && word == text;
  });
}

Type number_type(std::string_view plain) {
  if (plain.starts_with("0o") && consists_of(plain.substr(2), "01234567")) return Type::integer;
  if (plain.starts_with("0x") && consists_of(plain.substr(2), "0123456789abcdefABCDEF"))
    return Type::integer;
  if (is_one_of(plain, not_numbers)) return Type::floating;
  take_sign(plain);
  if (is_one_of(plain, infinities)) return Type::floating;
  std::size_t digits = take_digits(plain);
  if (plain.empty()) return digits > 0 ? Type::integer : Type::string;
  if (plain.front() == '.') {
    plain.remove_prefix(1);
    digits += take_digits(plain);
  }
  if (digits == 0) return Type::string;
  if (plain.empty()) return Type::floating;
  if (plain.front() != 'e' && plain.front() != 'E') return Type::string;
  plain.remove_prefix(1);
  take_sign(plain);
  return take_digits(plain) > 0 && plain.empty() ? Type::floating : Type::string;
}

// The beginning of a text that may be long or hold line breaks, on one line.
std::string excerpt(std::string_view text) {
  constexpr std::size_t limit = 40;
  std::string shown;
  for (const utf8::Point& point : utf8::Points(text)) {
    if (static_cast<std::size_t>(point.bytes.data() - text.data()) >= limit) return shown + "…";
    const bool control = point.value < 0x20 || point.value == 0x7f;
    shown += point.value == '\n'   ? "\\n"
             : point.value == '\t' ? "\\t"
             : control             ? "?"
                                   : point.bytes;
  }
  return shown;
}

}  // namespace

const Node* Node::find(std::string_view key) const {
  const auto found = std::find_if(members.begin(), members.end(),
                                  [&](const Member& member) { return member.key.text == key; });
  return found == members.end() ? nullptr : &found->value;
}

Type type_of(std::string_view plain) {
  if (plain.empty()) return Type::null;
  if (is_one_of(plain, nulls)) return Type::null;
  if (is_one_of(plain, booleans)) return Type::boolean;
  const char first = plain.front();
  return ascii::is_digit(first) || first == '+' || first == '-' || first == '.' ? number_type(plain)
                                                                                : Type::string;
}

Type type_of(const Node& node) {
  if (node.kind == Kind::null) return Type::null;
  if (node.kind != Kind::scalar || node.quoted) return Type::string;
  return type_of(node.text);
}

std::string describe(const Node& node) {
  if (node.kind == Kind::sequence) return "a list";
  if (node.kind == Kind::mapping) return "a mapping";
  switch (type_of(node)) {
    case Type::null:
      return "nothing";
    case Type::boolean:
      return "the boolean " + node.text;
    case Type::integer:
    case Type::floating:
      return "the number " + excerpt(node.text);
    case Type::string:
      break;
  }
  return "the string \"" + excerpt(node.text) + "\"";
}

}  // namespace flexslice::yaml
