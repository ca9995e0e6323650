#include "yaml/node.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace flexslice::yaml {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_octal(char c) { return c >= '0' && c <= '7'; }

bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

std::size_t take_digits(std::string_view& text) {
  std::size_t count = 0;
  while (count < text.size() && is_digit(text[count])) ++count;
  text.remove_prefix(count);
  return count;
}

bool all_of(std::string_view text, bool (*test)(char)) { return !text.empty() && std::all_of(text.begin(), text.end(), test); }

Type number_type(std::string_view plain) {
  if (plain.starts_with("0o") && all_of(plain.substr(2), is_octal)) return Type::integer;
  if (plain.starts_with("0x") && all_of(plain.substr(2), is_hex)) return Type::integer;
  if (plain == ".nan" || plain == ".NaN" || plain == ".NAN") return Type::floating;
  if (plain.front() == '-' || plain.front() == '+') plain.remove_prefix(1);
  if (plain == ".inf" || plain == ".Inf" || plain == ".INF") return Type::floating;
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
  if (!plain.empty() && (plain.front() == '-' || plain.front() == '+')) plain.remove_prefix(1);
  return take_digits(plain) > 0 && plain.empty() ? Type::floating : Type::string;
}

// The beginning of a text that may be long or hold line breaks, on one line.
std::string excerpt(std::string_view text) {
  constexpr std::size_t limit = 40;
  std::string shown;
  for (std::size_t i = 0; i < text.size();) {
    if (i >= limit) return shown + "…";
    const std::size_t length = std::max<std::size_t>(1, text::utf8_length(text, i));
    const bool control = static_cast<unsigned char>(text[i]) < 0x20 || text[i] == 0x7f;
    if (control) {
      shown += text[i] == '\n' ? "\\n" : text[i] == '\t' ? "\\t" : "?";
    } else {
      shown += text.substr(i, length);
    }
    i += length;
  }
  return shown;
}

}  // namespace

Type type_of(std::string_view plain) {
  if (plain.empty()) return Type::null;
  switch (plain.front()) {
    case '~':
    case 'n':
    case 'N':
      return plain == "~" || plain == "null" || plain == "Null" || plain == "NULL" ? Type::null : Type::string;
    case 't':
    case 'T':
      return plain == "true" || plain == "True" || plain == "TRUE" ? Type::boolean : Type::string;
    case 'f':
    case 'F':
      return plain == "false" || plain == "False" || plain == "FALSE" ? Type::boolean : Type::string;
    case '+':
    case '-':
    case '.':
      return number_type(plain);
    default:
      return is_digit(plain.front()) ? number_type(plain) : Type::string;
  }
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
