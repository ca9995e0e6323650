#include "yaml/scalar.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "base/ascii.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "yaml/emit.hpp"

namespace flexslice::yaml {

namespace {

using ascii::is_digit;

// YAML 1.1 allows underscores between digits, and some readers commas.
constexpr auto is_digit_like = [](char c) { return is_digit(c) || c == '_' || c == ','; };

std::size_t take(std::string_view& text, auto test) {
  const auto count =
      static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), test) - text.begin());
  text.remove_prefix(count);
  return count;
}

bool take_one_of(std::string_view& text, std::string_view characters) {
  if (text.empty() || characters.find(text[0]) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

constexpr std::string_view reserved_words[] = {
    "~",    "y",    "n",    "=",    "no",   "on",   "<<",    "yes",   "off",   "inf",     "nan",
    "null", "true", ".inf", ".nan", "-inf", "+inf", "false", "-.inf", "+.inf", "infinity"};

constexpr std::size_t longest_reserved_word = 8;

// Indexed by the lower-case first byte: most texts begin with none of them.
constexpr auto begins_reserved_word = [] {
  std::array<bool, 256> begins{};
  for (std::string_view word : reserved_words) begins[static_cast<unsigned char>(word[0])] = true;
  return begins;
}();

// In all cases of letters, since readers differ about `tRue` as well.
bool is_reserved_word(std::string_view text) {
  if (text.size() > longest_reserved_word) return false;
  if (!begins_reserved_word[static_cast<unsigned char>(ascii::to_lower(text[0]))]) return false;
  const auto same = [](char a, char b) { return ascii::to_lower(a) == b; };
  for (std::string_view word : reserved_words) {
    if (text.size() == word.size() && std::equal(text.begin(), text.end(), word.begin(), same))
      return true;
  }
  return false;
}

// `0x1F`, `0o17`, `0b1`, also with underscores and as a hexadecimal float.
bool is_prefixed_number(std::string_view text) {
  if (!text.starts_with('0')) return false;
  const std::string lowered = text::lower(text.substr(0, 2));
  if (lowered != "0x" && lowered != "0o" && lowered != "0b") return false;
  const std::string_view letters = lowered == "0x" ? "abcdefpABCDEFP.+-" : "";
  return std::all_of(text.begin() + 2, text.end(), [&](char c) {
    return is_digit_like(c) || letters.find(c) != std::string_view::npos;
  });
}

// Whole numbers, floats and the base-60 numbers of YAML 1.1, without their sign: `1_000`, `1.`,
// `.5`, `1e3`, `1:30`, `1:30.5`. Some readers take `.` and `e3` for numbers, too.
bool is_unsigned_number(std::string_view text) {
  if (is_prefixed_number(text)) return true;
  if (text.empty()) return false;
  const std::size_t digits = take(text, is_digit_like);
  while (digits > 0 && text.size() > 1 && text[0] == ':' && is_digit(text[1])) {
    text.remove_prefix(1);
    take(text, is_digit_like);
  }
  if (take_one_of(text, ".")) take(text, is_digit_like);
  if (text.empty()) return true;
  if (!take_one_of(text, "eE")) return false;
  take_one_of(text, "+-");
  return take(text, is_digit_like) > 0 && text.empty();
}

// `2001-12-14` and everything that begins so and goes on with a time.
bool is_timestamp(std::string_view text) {
  if (take(text, is_digit) != 4) return false;
  for (int part = 0; part < 2; ++part) {
    if (!take_one_of(text, "-")) return false;
    const std::size_t digits = take(text, is_digit);
    if (digits < 1 || digits > 2) return false;
  }
  return text.empty() || take_one_of(text, "Tt ");
}

// Whether some reader would take the plain text for something else than a string.
bool resolves(std::string_view text) {
  const char first = text[0];
  if (is_digit(first)) return is_unsigned_number(text) || is_timestamp(text);
  if (is_reserved_word(text)) return true;
  if (first == '-' || first == '+') return is_unsigned_number(text.substr(1));
  return (first == '.' || first == 'e' || first == 'E') && is_unsigned_number(text);
}

// `google.com/tpu` and the like, as most texts are: nothing in them is syntax.
bool is_word(std::string_view text) {
  const auto is_inner = [](char c) {
    return ascii::is_letter_or_digit(c) || c == '_' || c == '.' || c == '/' || c == '-';
  };
  return !text.empty() && text[0] != '-' && text[0] != '.' &&
         std::all_of(text.begin(), text.end(), is_inner);
}

bool begins_like_syntax(std::string_view text) {
  constexpr std::string_view indicators = "?:,[]{}#&*!|>'\"%@` ";
  if (indicators.find(text[0]) != std::string_view::npos) return true;
  if (text.starts_with("---") || text.starts_with("...")) return true;
  return text[0] == '-' && (text.size() == 1 || text[1] == ' ');
}

bool is_plain(std::string_view text) {
  if (text.empty() || begins_like_syntax(text) || text.back() == ' ' || text.back() == ':')
    return false;
  if (text.find(": ") != std::string_view::npos || text.find(" #") != std::string_view::npos)
    return false;
  return !resolves(text);
}

struct Content {
  bool safe = true;  // but for line breaks and tabs
  bool line_break = false;
  bool tab = false;
};

Content content_of(std::string_view text) {
  Content content;
  for (const utf8::Point& point : utf8::Points(text)) {
    if (point.value >= ' ' && point.value <= '~') continue;
    content.line_break |= point.value == '\n';
    content.tab |= point.value == '\t';
    content.safe &=
        point.value == '\n' || point.value == '\t' || (point.valid && is_safe(point.value));
  }
  return content;
}

// Whether the last line that is more than a line break has only blanks. Some readers drop it.
bool ends_in_blank_line(std::string_view text) {
  const std::size_t last = text.find_last_not_of('\n');
  if (last == std::string_view::npos) return true;
  const std::size_t line = text.substr(0, last).rfind('\n') + 1;
  return text.substr(line, last + 1 - line).find_first_not_of(" \t") == std::string_view::npos;
}

}  // namespace

bool is_safe(char32_t point) {
  if (point < 0x20 || (point >= 0x7f && point < 0xa0)) return false;
  if (point == 0x2028 || point == 0x2029) return false;  // line breaks in YAML 1.1
  if ((point >= 0x202a && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069))
    return false;  // reorder what people see
  return point != 0xfeff && point != 0xfffe && point != 0xffff;
}

Quoting quoting_of(std::string_view text) {
  if (is_word(text) && !resolves(text)) return Quoting::plain;
  const Content content = content_of(text);
  if (!content.safe) return Quoting::quoted;
  if (!content.line_break) return !content.tab && is_plain(text) ? Quoting::plain : Quoting::quoted;
  return ends_in_blank_line(text) ? Quoting::quoted : Quoting::literal;
}

void emit_json_string(std::string_view text, std::string& out) {
  out += '"';
  for (const utf8::Point& point : utf8::Points(text)) {
    if (point.value == '"' || point.value == '\\') {
      out.append("\\").append(point.bytes);
    } else if (point.value == '\n') {
      out += "\\n";
    } else if (point.value == '\t') {
      out += "\\t";
    } else if (point.value == '\r') {
      out += "\\r";
    } else if (is_safe(point.value)) {
      out += point.bytes;
    } else {
      out += "\\u" + text::lower(text::hexadecimal(point.value, 4));
    }
  }
  out += '"';
}

void emit_scalar(std::string_view text, std::string& out) {
  if (quoting_of(text) == Quoting::plain) {
    out += text;
  } else {
    emit_json_string(text, out);
  }
}

}  // namespace flexslice::yaml
