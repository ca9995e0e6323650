#include "extract/scalar_text.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"

namespace flexslice::extract {

using std::size_t;

namespace {

// The lines of a block or plain scalar without their indentation; of a folded one, as one line.
Excerpt scalar_lines(const Excerpt& document, size_t begin, size_t end, bool is_folded) {
  Excerpt script;
  const std::string_view text = std::string_view(document.text).substr(0, end);
  const size_t first = text.find_first_not_of(" \r\n", begin);
  const size_t indent = first == text.npos ? 0 : first - text::line_begin(text, first);
  for (size_t at = begin; at < end;) {
    const size_t next = text::next_line(text, at);
    size_t from = at;
    while (from < next && from - at < indent && text[from] == ' ') ++from;
    const size_t line_end = std::min(text::line_end(text, at), next);
    const bool joins = is_folded && next < end && line_end > from &&
                       !text::trim(text.substr(next, text::line_end(text, next) - next)).empty();
    append_bytes(script, document, from, joins ? line_end : next);
    if (joins) append_bytes(script, " ", document.host(line_end));
    at = next;
  }
  return script;
}

struct Escape {
  char written;
  std::string_view meant;
};
constexpr Escape escapes[] = {{'n', "\n"}, {'t', "\t"},  {'r', "\r"}, {'"', "\""},
                              {'/', "/"},  {'\\', "\\"}, {' ', " "},  {'0', ""}};

// A quoted scalar, whose quotes are at `begin` and before `end`.
class QuotedReader {
 public:
  QuotedReader(const Excerpt& document, size_t begin, size_t end)
      : document_(document), text_(document.text), at_(begin + 1), end_(end - 1) {
    is_double_ = text_[begin] == '"';
  }

  Excerpt read() {
    size_t plain = at_;  // the first byte that is not taken yet
    const auto take = [&](size_t length, std::string_view meant) {
      append_bytes(script_, document_, plain, at_);
      append_in_place(script_, meant, document_.host(at_), std::max<size_t>(length, 1));
      at_ += length;
      plain = at_;
    };
    while (at_ < end_) {
      const std::string_view rest = text_.substr(at_, end_ - at_);
      if (is_double_ && rest[0] == '\\' && rest.size() > 1) {
        escape(rest, take);
      } else if (!is_double_ && rest.starts_with("''")) {
        take(2, "'");
      } else if (contains(std::string_view(" \t\r\n"), rest[0]) && line_breaks(rest) > 0) {
        const size_t breaks = line_breaks(rest);
        take(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()),
             breaks == 1 ? " " : std::string(breaks - 1, '\n'));
      } else {
        ++at_;
      }
    }
    append_bytes(script_, document_, plain, end_);
    return std::move(script_);
  }

 private:
  // Breaks fold with the blanks around them.
  static size_t line_breaks(std::string_view rest) {
    rest = rest.substr(0, rest.find_first_not_of(" \t\r\n"));
    return static_cast<size_t>(std::ranges::count(rest, '\n'));
  }

  void escape(std::string_view rest, const auto& take) {
    if (rest[1] == '\n' || rest[1] == '\r') {
      const size_t next = rest.find_first_not_of(" \t", rest.find('\n') + 1);
      return take(std::min(next, rest.size()), "");
    }
    const size_t digits = rest[1] == 'u' ? 4 : rest[1] == 'x' ? 2 : rest[1] == 'U' ? 8 : 0;
    if (digits > 0) {
      // Its character is of no importance in a command, unless it is one of ASCII.
      unsigned value = 0;
      for (const char digit : rest.substr(2, digits))
        value = value * 16 + static_cast<unsigned>(
                                 ascii::is_digit(digit) ? digit - '0' : (digit | 0x20) - 'a' + 10);
      return take(std::min(digits + 2, rest.size()),
                  std::string(1, value < 0x80 ? static_cast<char>(value) : '?'));
    }
    const Escape* found =
        find_where(escapes, [&](const Escape& each) { return each.written == rest[1]; });
    take(2, found == nullptr ? std::string_view() : found->meant);
  }

  const Excerpt& document_;
  std::string_view text_;
  size_t at_, end_;
  bool is_double_ = false;
  Excerpt script_;
};

}  // namespace

Excerpt text_of_scalar(const Excerpt& document, const yaml::Node& scalar) {
  const size_t begin = scalar.span.begin, end = scalar.span.end;
  if (scalar.kind != yaml::Kind::scalar || end <= begin || end > document.text.size()) return {};
  const std::string_view text = document.text;
  const char first = text[begin];
  if (scalar.quoted && (first == '|' || first == '>'))
    return scalar_lines(document, std::min(text::next_line(text, begin), end), end, first == '>');
  if (!scalar.quoted) return scalar_lines(document, begin, end, true);
  if (end < begin + 2 || (first != '"' && first != '\'')) return {};
  return QuotedReader(document, begin, end).read();
}

}  // namespace flexslice::extract
