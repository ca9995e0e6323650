#include "yaml/scalar.hpp"

#include <algorithm>
#include <array>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "yaml/lookalikes.hpp"

namespace flexslice::yaml {

namespace {

using ascii::is_digit;
using text::take;
using text::take_one_of;

// A set of them; asked for every character that is written.
class Characters {
 public:
  constexpr explicit Characters(std::string_view members) {
    for (char c : members) has_[static_cast<unsigned char>(c)] = true;
  }
  constexpr bool operator()(char c) const { return has_[static_cast<unsigned char>(c)]; }

 private:
  std::array<bool, 256> has_{};
};

// YAML 1.1 allows underscores between digits, and some readers commas.
constexpr auto is_digit_like = [](char c) { return is_digit(c) || c == '_' || c == ','; };

constexpr std::string_view reserved_words[] = {
    "~",    "y",    "n",    "=",    "no",   "on",   "<<",    "yes",   "off",   "inf",     "nan",
    "null", "true", ".inf", ".nan", "-inf", "+inf", "false", "-.inf", "+.inf", "infinity"};
constexpr std::size_t longest_reserved_word = 8;

// In all cases of letters, since readers differ about `tRue` as well.
bool is_reserved_word(std::string_view text) {
  return text.size() <= longest_reserved_word &&
         std::ranges::any_of(reserved_words, [&](std::string_view word) {
           return word.size() == text.size() && std::ranges::equal(text, word, {}, ascii::to_lower);
         });
}

// `0x1F`, `0o17`, `0b1`, also with underscores and as a hexadecimal float.
bool is_prefixed_number(std::string_view text) {
  if (!take_one_of(text, "0")) return false;
  const bool hexadecimal = take_one_of(text, "xX");
  if (!hexadecimal && !take_one_of(text, "oObB")) return false;
  const std::string_view letters = hexadecimal ? "abcdefpABCDEFP.+-" : "";
  return std::ranges::all_of(
      text, [&](char c) { return is_digit_like(c) || letters.find(c) != std::string_view::npos; });
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

// Returns whether some reader would take the plain text for something other than a string.
bool resolves(std::string_view text) {
  static constexpr Characters first_of_resolved("0123456789~yYnNtTfFoOiIeE=<.+-");
  const char first = text[0];
  if (!first_of_resolved(first)) return false;
  if (is_digit(first)) return is_unsigned_number(text) || is_timestamp(text);
  if (is_reserved_word(text)) return true;
  if (first == '-' || first == '+') return is_unsigned_number(text.substr(1));
  return (first == '.' || first == 'e' || first == 'E') && is_unsigned_number(text);
}

bool is_ascii_line(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

// `google.com/tpu` and the like, as most texts are: nothing in them is syntax.
bool is_yaml_word(std::string_view text) {
  static constexpr Characters is_inner(
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-");
  return !text.empty() && text[0] != '-' && text[0] != '.' &&
         std::ranges::all_of(text, [](char c) { return is_inner(c); });
}

bool has_syntax(std::string_view text) {
  constexpr std::string_view indicators = "?:,[]{}#&*!|>'\"%@` ";
  return text.empty() || indicators.find(text[0]) != std::string_view::npos ||
         text.starts_with("---") || text.starts_with("...") || text.starts_with("- ") ||
         text == "-" || text.ends_with(' ') || text.ends_with(':') ||
         text.find(": ") != std::string_view::npos || text.find(" #") != std::string_view::npos;
}

}  // namespace

bool is_safe(std::uint32_t point) {
  if (point < 0x7f) return point >= ' ';
  if (point < 0xa0) return false;
  if (point == 0x2028 || point == 0x2029) return false;  // line breaks in YAML 1.1
  if ((point >= 0x202a && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069))
    return false;  // reorder what people see
  return point != 0xfeff && point != 0xfffe && point != 0xffff;
}

namespace {

// Such a text needs quotes: without them it would be reported as a mistake for a character of YAML.
bool has_lookalike(std::string_view text) {
  return is_space_lookalike(text, 0) || is_quote_lookalike(text, 0) ||
         is_space_lookalike_before(text, text.size());
}

}  // namespace

Quoting quoting_of(std::string_view text) {
  if (is_yaml_word(text)) return resolves(text) ? Quoting::quoted : Quoting::plain;
  bool line_break = false, tab = false;
  for (const utf8::Point& point : utf8::Points(is_ascii_line(text) ? "" : text)) {
    if (point.valid && is_safe(point.value)) continue;
    if (point.value != '\n' && point.value != '\t') return Quoting::quoted;
    (point.value == '\n' ? line_break : tab) = true;
  }
  if (!line_break)
    return tab || has_syntax(text) || resolves(text) || has_lookalike(text) ? Quoting::quoted
                                                                            : Quoting::plain;
  // Some readers drop a last line of blanks.
  const std::size_t last = text.find_last_not_of('\n');
  if (last == std::string_view::npos) return Quoting::quoted;
  const std::string_view line = text.substr(text::line_begin(text, last));
  return text::trim(line.substr(0, line.find('\n'))).empty() ? Quoting::quoted : Quoting::literal;
}

}  // namespace flexslice::yaml
