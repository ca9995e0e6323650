#include "yaml/scalar.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "yaml/emit.hpp"

namespace flexslice::yaml {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// YAML 1.1 allows underscores between digits, and some readers commas.
bool is_digit_like(char c) { return is_digit(c) || c == '_' || c == ','; }

std::size_t take(std::string_view& text, bool (*test)(char)) {
  std::size_t count = 0;
  while (count < text.size() && test(text[count])) ++count;
  text.remove_prefix(count);
  return count;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool equals_word(std::string_view text, std::string_view word) {
  return text.size() == word.size() && std::equal(text.begin(), text.end(), word.begin(), [](char a, char b) { return lower(a) == b; });
}

// In all cases of letters, since readers differ about `tRue` as well.
bool is_reserved_word(std::string_view text) {
  // By their length, one behind the other.
  constexpr std::array<std::string_view, 9> words = {"", "~yn=", "noon<<",  "yesoffinfnan", "nulltrue.inf.nan-inf", "false-.inf+.inf",
                                                     "", "",     "infinity"};
  if (text.size() >= words.size()) return false;
  for (std::string_view rest = words[text.size()]; !rest.empty(); rest.remove_prefix(text.size())) {
    if (equals_word(text, rest.substr(0, text.size()))) return true;
  }
  return false;
}

// `0x1F`, `0o17`, `0b1`, also with underscores and as a hexadecimal float.
bool is_prefixed_number(std::string_view text) {
  if (text.size() < 2 || text[0] != '0') return false;
  const char base = static_cast<char>(text[1] | 0x20);
  if (base != 'x' && base != 'o' && base != 'b') return false;
  const auto fits = [base](char c) {
    const char lower = static_cast<char>(c | 0x20);
    return is_digit_like(c) || (base == 'x' && ((lower >= 'a' && lower <= 'f') || lower == 'p' || c == '.' || c == '+' || c == '-'));
  };
  return std::all_of(text.begin() + 2, text.end(), fits);
}

// Whole numbers, floats and the base-60 numbers of YAML 1.1, without their sign: `1_000`, `1.`, `.5`, `1e3`, `1:30`, `1:30.5`. Some
// readers take `.` and `e3` for numbers, too.
bool is_unsigned_number(std::string_view text) {
  if (is_prefixed_number(text)) return true;
  if (text.empty()) return false;
  const std::size_t digits = take(text, is_digit_like);
  while (digits > 0 && text.size() > 1 && text[0] == ':' && is_digit(text[1])) {
    text.remove_prefix(1);
    take(text, is_digit_like);
  }
  if (!text.empty() && text[0] == '.') {
    text.remove_prefix(1);
    take(text, is_digit_like);
  }
  if (text.empty()) return true;
  if (text[0] != 'e' && text[0] != 'E') return false;
  text.remove_prefix(1);
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) text.remove_prefix(1);
  return take(text, is_digit_like) > 0 && text.empty();
}

// `2001-12-14` and everything that begins so and goes on with a time.
bool is_timestamp(std::string_view text) {
  if (take(text, is_digit) != 4) return false;
  for (int part = 0; part < 2; ++part) {
    if (text.empty() || text[0] != '-') return false;
    text.remove_prefix(1);
    const std::size_t digits = take(text, is_digit);
    if (digits < 1 || digits > 2) return false;
  }
  return text.empty() || text[0] == 'T' || text[0] == 't' || text[0] == ' ';
}

// Whether some reader would take the plain text for something else than a string.
bool resolves(std::string_view text) {
  if (is_reserved_word(text)) return true;
  const char first = text[0];
  if (first == '-' || first == '+') return is_unsigned_number(text.substr(1));
  if (is_digit(first)) return is_unsigned_number(text) || is_timestamp(text);
  return (first == '.' || first == 'e' || first == 'E') && is_unsigned_number(text);
}

constexpr std::array<bool, 256> word_characters() {
  std::array<bool, 256> made{};
  for (char c : std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./-"))
    made[static_cast<unsigned char>(c)] = true;
  return made;
}

// `google.com/tpu` and the like, as most texts are: nothing in them is syntax.
bool is_word(std::string_view text) {
  static constexpr std::array<bool, 256> allowed = word_characters();
  if (text.empty() || text[0] == '-' || text[0] == '.') return false;
  return std::all_of(text.begin(), text.end(), [](char c) { return allowed[static_cast<unsigned char>(c)]; });
}

bool begins_like_syntax(std::string_view text) {
  constexpr std::string_view indicators = "?:,[]{}#&*!|>'\"%@` ";
  if (indicators.find(text[0]) != std::string_view::npos) return true;
  if (text.starts_with("---") || text.starts_with("...")) return true;
  return text[0] == '-' && (text.size() == 1 || text[1] == ' ');
}

bool is_plain(std::string_view text) {
  if (text.empty() || begins_like_syntax(text) || text.back() == ' ' || text.back() == ':') return false;
  if (text.find(": ") != std::string_view::npos || text.find(" #") != std::string_view::npos) return false;
  return !resolves(text);
}

struct Content {
  bool safe = true;  // but for line breaks and tabs
  bool line_break = false;
  bool tab = false;
};

Content content_of(std::string_view text) {
  Content content;
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x20 && c < 0x7f) {
      ++i;
      continue;
    }
    const std::size_t length = text::utf8_length(text, i);
    content.line_break |= c == '\n';
    content.tab |= c == '\t';
    content.safe &= c == '\n' || c == '\t' || (length > 0 && is_safe(text::utf8_decode(text, i, length)));
    i += length > 0 ? length : 1;
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

void write_escape(char32_t point, std::string& out) {
  constexpr std::string_view digits = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += digits[(point >> shift) & 0xF];
}

}  // namespace

bool is_safe(char32_t point) {
  if (point < 0x20 || (point >= 0x7f && point < 0xa0)) return false;
  if (point == 0x2028 || point == 0x2029) return false;                                            // line breaks in YAML 1.1
  if ((point >= 0x202a && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069)) return false;  // reorder what people see
  return point != 0xfeff && point != 0xfffe && point != 0xffff;
}

Form form_of(std::string_view text) {
  if (is_word(text) && !resolves(text)) return Form::plain;
  const Content content = content_of(text);
  if (!content.safe) return Form::quoted;
  if (!content.line_break) return !content.tab && is_plain(text) ? Form::plain : Form::quoted;
  return ends_in_blank_line(text) ? Form::quoted : Form::literal;
}

void write_quoted(std::string_view text, std::string& out) {
  out += '"';
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length = std::max<std::size_t>(1, text::utf8_length(text, i));
    const char32_t point = text::utf8_decode(text, i, length);
    if (point == '"' || point == '\\') {
      out += '\\';
      out += text[i];
    } else if (point == '\n') {
      out += "\\n";
    } else if (point == '\t') {
      out += "\\t";
    } else if (point == '\r') {
      out += "\\r";
    } else if (is_safe(point)) {
      out += text.substr(i, length);
    } else {
      write_escape(point, out);
    }
    i += length;
  }
  out += '"';
}

void emit_scalar(std::string_view text, std::string& out) {
  if (form_of(text) == Form::plain) {
    out += text;
  } else {
    write_quoted(text, out);
  }
}

}  // namespace flexslice::yaml
