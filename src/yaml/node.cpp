#include "yaml/node.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"

namespace flexslice::yaml {

namespace {

using ascii::is_digit;
using text::take;
using text::take_one_of;

bool consists_of(std::string_view text, std::string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == std::string_view::npos;
}

constexpr std::string_view booleans[] = {"true", "True", "TRUE", "false", "False", "FALSE"};
constexpr std::string_view old_booleans[] = {"y",  "Y",  "yes", "Yes", "YES", "n",   "N",   "no",
                                             "No", "NO", "on",  "On",  "ON",  "off", "Off", "OFF"};
constexpr std::string_view not_numbers[] = {".nan", ".NaN", ".NAN"};
constexpr std::string_view infinities[] = {".inf", ".Inf", ".INF"};

bool is_one_of(std::string_view text, const auto& words) {
  return std::ranges::find(words, text) != std::end(words);
}

ScalarType number_type(std::string_view plain) {
  if (plain.starts_with("0o") && consists_of(plain.substr(2), "01234567"))
    return ScalarType::integer;
  if (plain.starts_with("0x") && consists_of(plain.substr(2), "0123456789abcdefABCDEF"))
    return ScalarType::integer;
  if (is_one_of(plain, not_numbers)) return ScalarType::floating;
  take_one_of(plain, "+-");
  if (is_one_of(plain, infinities)) return ScalarType::floating;
  std::size_t digits = take(plain, is_digit);
  if (plain.empty() && digits > 0) return ScalarType::integer;
  if (take_one_of(plain, ".")) digits += take(plain, is_digit);
  if (digits == 0) return ScalarType::string;
  if (plain.empty()) return ScalarType::floating;
  if (!take_one_of(plain, "eE")) return ScalarType::string;
  take_one_of(plain, "+-");
  return take(plain, is_digit) > 0 && plain.empty() ? ScalarType::floating : ScalarType::string;
}

// A whole number with the prefix of its base: `0b1`, `-0x1F`.
bool is_old_integer(std::string_view plain) {
  take_one_of(plain, "+-");
  if (!take_one_of(plain, "0")) return false;
  if (take_one_of(plain, "xX")) return consists_of(plain, "0123456789abcdefABCDEF");
  if (take_one_of(plain, "oO")) return consists_of(plain, "01234567");
  return take_one_of(plain, "bB") && consists_of(plain, "01");
}

// `0400`, `0o400`.
bool is_octal(std::string_view digits) {
  if (!take_one_of(digits, "0")) return false;
  take_one_of(digits, "o");
  return digits.size() < 20 && consists_of(digits, "01234567");
}

// Writes a whole number in decimal, from any form that kubectl takes. One that is too large stays
// as it is.
std::optional<std::string> decimal_of(std::string text) {
  std::erase(text, '_');
  std::string_view digits = text;
  const std::string_view sign = digits.starts_with('-') ? "-" : "";
  take_one_of(digits, "+-");
  if (number_type(digits) == ScalarType::floating && !consists_of(digits, "0123456789")) {
    double number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    constexpr double most_exact = 9007199254740992.0;
    if (error != std::errc{} || number > most_exact || number != std::floor(number)) return {};
    return fmt::format("{}{:.0f}", number == 0 ? "" : sign, number);
  }
  int base = 10;
  if (digits.size() > 1 && digits.front() == '0') {
    const char mark = ascii::to_lower(digits[1]);
    base = mark == 'x' ? 16 : mark == 'b' ? 2 : 8;
    digits.remove_prefix(is_digit(mark) ? 1 : 2);
    // No octal number, and so one with a zero in front.
    if (is_digit(mark) && !consists_of(digits, "01234567")) base = 10;
  }
  std::uint64_t number = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
  if (error != std::errc{} || end != digits.data() + digits.size()) return {};
  return fmt::format("{}{}", number == 0 ? "" : sign, number);
}

// The beginning of a text that may be long or hold line breaks, on one line.
std::string excerpt(std::string_view text) {
  constexpr std::size_t limit = 40;
  std::string shown;
  for (const utf8::Point& point : utf8::Points(text)) {
    if (static_cast<std::size_t>(point.bytes.data() - text.data()) >= limit) return shown + "…";
    shown += point.value == '\n'                         ? "\\n"
             : point.value == '\t'                       ? "\\t"
             : point.value < 0x20 || point.value == 0x7f ? "?"
                                                         : point.bytes;
  }
  return shown;
}

}  // namespace

std::vector<Span> scalars_of(const Node& tree, std::uint32_t source) {
  std::vector<Span> scalars;
  for_scalars(tree, [&](const Node& scalar) {
    if (scalar.span.source == source) scalars.push_back(scalar.span);
  });
  return scalars;
}

const Node* Node::find(std::string_view key) const {
  for (const Member& member : members) {
    if (member.key.text == key) return &member.value;
  }
  return nullptr;
}

const Node* Node::at(std::initializer_list<std::string_view> path) const {
  const Node* node = this;
  for (const std::string_view key : path) {
    if (node != nullptr) node = node->find(key);
  }
  return node;
}

std::string_view Node::text_at(std::initializer_list<std::string_view> path) const {
  const Node* node = at(path);
  return node == nullptr ? std::string_view() : node->text;
}

ScalarType type_of(std::string_view plain) {
  if (plain.empty() || is_one_of(plain, null_words)) return ScalarType::null;
  if (is_one_of(plain, booleans)) return ScalarType::boolean;
  const char first = plain.front();
  const bool like_number = is_digit(first) || first == '+' || first == '-' || first == '.';
  return like_number ? number_type(plain) : ScalarType::string;
}

ScalarType type_of(const Node& node) {
  if (node.kind == Kind::null) return ScalarType::null;
  return node.kind != Kind::scalar || node.quoted ? ScalarType::string : type_of(node.text);
}

ScalarType kubectl_type_of(const Node& node) {
  const ScalarType type = type_of(node);
  if (type != ScalarType::string || node.kind != Kind::scalar || node.quoted) return type;
  if (is_one_of(node.text, old_booleans)) return ScalarType::boolean;
  const char first = node.text.front();
  if (!is_digit(first) && first != '+' && first != '-') return ScalarType::string;
  std::string plain = node.text;
  std::erase(plain, '_');
  return is_old_integer(plain) ? ScalarType::integer : type_of(plain);
}

void read_old_scalar(Node& scalar) {
  const ScalarType type = kubectl_type_of(scalar);
  if (type == ScalarType::boolean) {
    const char first = ascii::to_lower(scalar.text.front());
    const bool yes = first == 't' || first == 'y' || text::lower(scalar.text) == "on";
    scalar.text = yes ? "true" : "false";
  } else if (type == ScalarType::integer || type == ScalarType::floating) {
    if (auto decimal = decimal_of(scalar.text)) scalar.text = std::move(*decimal);
  }
}

void read_octal(Node& tree) {
  if (tree.kind == Kind::scalar && !tree.quoted && is_octal(tree.text)) {
    std::uint64_t number = 0;
    for (const char digit : tree.text) {
      if (is_digit(digit)) number = number * 8 + static_cast<std::uint64_t>(digit - '0');
    }
    tree.text = std::to_string(number);
  }
  std::ranges::for_each(tree.items, read_octal);
  for (Member& member : tree.members) read_octal(member.value);
}

std::string describe(const Node& node) { return describe(node, type_of(node)); }

std::string describe(const Node& node, ScalarType type) {
  if (node.kind == Kind::sequence) return "a list";
  if (node.kind == Kind::mapping) return "a mapping";
  switch (type) {
    case ScalarType::null:
      return "nothing";
    case ScalarType::boolean:
      return "the boolean " + node.text;
    case ScalarType::integer:
    case ScalarType::floating:
      return "the number " + excerpt(node.text);
    case ScalarType::string:
      break;
  }
  return "the string \"" + excerpt(node.text) + "\"";
}

}  // namespace flexslice::yaml
