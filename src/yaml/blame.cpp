#include "yaml/blame.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/lines.hpp"
#include "base/utf8.hpp"
#include "yaml/extent.hpp"

namespace flexslice::yaml {

namespace {

constexpr std::size_t max_key_bytes = 1024;  // without `?`, says YAML

struct Verdict {
  std::size_t at = 0;
  std::size_t length = 1;
  std::string message;
  std::string_view help;
};

constexpr std::string_view quotes_help = "put the value into quotes";
constexpr std::string_view tab_message = "a tab cannot be indentation";
constexpr std::string_view tab_help = "indent with spaces";

char character(const Failure& failure) {
  return failure.at < failure.text.size() ? failure.text[failure.at] : '\0';
}

bool begins_line(const Failure& failure) {
  const std::size_t begin = text::line_begin(failure.text, failure.at);
  return failure.text.find_first_not_of(" \t", begin) >= failure.at;
}

// The first quote behind `from` that begins a value, outside of comments.
std::size_t opening_quote(std::string_view text, std::size_t from) {
  for (std::size_t at = from; at < text.size(); ++at) {
    const char before = at == 0 ? '\n' : text[at - 1];
    const bool starts = std::string_view(" \t\n[{,:-").find(before) != std::string_view::npos;
    if (text[at] == '#' && starts) at = std::max(text::line_end(text, at), at + 1) - 1;
    if (at < text.size() && starts && is_quote(text[at])) return at;
  }
  return Failure::npos;
}

Verdict open_quote(const Failure& failure) {
  const std::size_t quote = opening_quote(failure.text, failure.last_end);
  if (quote == Failure::npos) return {failure.at, 0, "a quote is not closed", ""};
  return {quote, 1, "this quote is not closed", ""};
}

Verdict open_bracket(const Failure& failure) {
  const bool list = failure.text[failure.open_bracket] == '[';
  if (skip_space(failure.text, failure.at) >= failure.text.size()) {
    return {failure.open_bracket, 1, list ? "this `[` is not closed" : "this `{` is not closed",
            ""};
  }
  Verdict verdict{failure.at, 1, list ? "expected `,` or `]` here" : "expected `,` or `}` here",
                  ""};
  const bool stuck_colon =
      failure.at > 0 && failure.at < failure.text.size() && failure.text[failure.at - 1] == ':';
  if (character(failure) == '?') verdict.help = quotes_help;
  if (stuck_colon) verdict.help = "write a space after the colon";
  return verdict;
}

// Whether the line begins in the column of a list's items.
bool beside_list(const Failure& failure) {
  std::size_t begin = text::line_begin(failure.text, failure.at);
  const std::size_t column = failure.at - begin;
  while (begin > 0) {
    begin = text::line_begin(failure.text, begin - 1);
    const std::size_t first = failure.text.find_first_not_of(" \r\n", begin);
    const bool blank = first > text::line_end(failure.text, begin) || failure.text[first] == '#';
    if (!blank && first - begin <= column)
      return first - begin == column && failure.text[first] == '-';
  }
  return false;
}

// A mapping or a list goes on with something that does not fit.
Verdict misplaced(const Failure& failure, bool in_list) {
  const std::size_t at = failure.at;
  if (!begins_line(failure)) {
    const bool after_quote =
        failure.last_begin < failure.last_end && is_quote(failure.text[failure.last_begin]);
    if (after_quote) {
      return {at, 1, "unexpected text after the closing quote",
              "put the whole value into one pair of quotes, and double a quote inside '…'"};
    }
    return {at, 1, "unexpected text after a value",
            "put the value into quotes if this belongs to it"};
  }
  const bool dash = character(failure) == '-';
  if (!dash && (in_list || beside_list(failure))) {
    return {at, 1, "expected `- `, because the lines before are a list",
            "indent the line like the list or like its key"};
  }
  if (!in_list && dash)
    return {at, 1, "a list item stands where a key is expected", "indent the list below its key"};
  return {at, 1, "this line's indentation fits none of the lines before it",
          "indent it exactly like the line that it belongs with"};
}

Verdict misplaced_key(const Failure& failure) { return misplaced(failure, false); }

Verdict misplaced_item(const Failure& failure) { return misplaced(failure, true); }

bool has_colon(std::string_view line) {
  return line.find(": ") != std::string_view::npos || line.ends_with(':');
}

// The last line before `at`'s own that is more than a comment.
std::string_view line_before(std::string_view text, std::size_t at) {
  std::size_t begin = text::line_begin(text, at);
  while (begin > 0) {
    const std::size_t previous = text::line_begin(text, begin - 1);
    const std::string_view line = text::trim(text.substr(previous, begin - previous));
    if (!line.empty() && line.front() != '#') return line;
    begin = previous;
  }
  return {};
}

Verdict second_colon(const Failure& failure) {
  const std::size_t begin = text::line_begin(failure.text, failure.at);
  const std::string_view before = failure.text.substr(begin, failure.at - begin);
  if (has_colon(before)) {
    return {failure.at, 1, "a second `: ` on one line",
            "put the value into quotes if the colon belongs to it"};
  }
  if (begins_line(failure)) return {failure.at, 1, "a colon without a key before it", ""};
  const std::size_t first = failure.text.find_first_not_of(" \t", begin);
  const std::size_t length = failure.at - first;
  if (length > max_key_bytes)
    return {first, length,
            fmt::format("a key of {} characters; YAML takes {}", length, max_key_bytes), ""};
  if (has_colon(line_before(failure.text, failure.at))) {
    return {
        first, length,
        "this line is indented deeper than the line before, so it would continue that line's value",
        "indent it like the key it belongs beside"};
  }
  return {first, length, "this key cannot stand here, because the line before it has no `: `", ""};
}

Verdict unknown_token(const Failure& failure) {
  const char c = character(failure);
  if (c == '\0') return {failure.at, 0, "unexpected end of the text", ""};
  if (c == '`') return {failure.at, 1, "a value cannot begin with a backtick", quotes_help};
  // Brackets on the same line may not have been reported yet, but elsewhere a `?` inside of a value
  // is valid.
  const bool inside = failure.at > 0 && failure.text[failure.at - 1] > ' ';
  if (c == '?' && (inside || failure.open_bracket != Failure::npos)) {
    return {failure.at, 1, "between brackets, a value with `?` must stand in quotes", ""};
  }
  return {failure.at, 1,
          fmt::format("a value cannot begin with `{}`", failure.text.substr(failure.at, 1)),
          quotes_help};
}

Verdict bad_escape(const Failure& failure) {
  const std::size_t backslash = failure.text.rfind('\\', failure.at == 0 ? 0 : failure.at - 1);
  if (backslash == Failure::npos)
    return {failure.at, 0, "unknown escape in a double-quoted string", ""};
  const std::size_t end = std::clamp(failure.at, backslash + 1, failure.text.size());
  std::string_view escape = failure.text.substr(backslash, end - backslash);
  escape = escape.substr(0, std::min<std::size_t>(10, escape.find_first_of("\r\n")));
  // A long or cut sequence may end inside of a character.
  while (!escape.empty() && static_cast<unsigned char>(escape.back()) >= 0x80)
    escape.remove_suffix(1);
  return {backslash, escape.size(),
          fmt::format("unknown escape `{}` in a double-quoted string", escape),
          "write `\\\\` for a backslash, or use single quotes"};
}

Verdict alias(const Failure& failure) {
  const std::size_t begin = std::min(failure.at, failure.text.size());
  const std::string_view seen =
      failure.text.substr(begin, property_end(failure.text, begin) - begin);
  const std::string name(seen.empty() ? "" : seen.substr(1));
  return {begin, seen.size(),
          fmt::format("`{}` is an alias, but there is no `&{}` before it", seen, name),
          "put a value that begins with `*` into quotes"};
}

Verdict list_item(const Failure& failure) {
  if (failure.open_bracket != Failure::npos)
    return {failure.at, 1, "`- ` cannot stand between brackets", ""};
  return {failure.at, 1, "a list item cannot begin here",
          "begin the list on a line of its own, below its key"};
}

Verdict closing_bracket(const Failure& failure) {
  return {failure.at, 1,
          fmt::format("`{}` without its opening bracket", failure.text.substr(failure.at, 1)), ""};
}

// What the reader's message means: what to say about the character where it gave up, or who finds
// out what and where.
struct Cause {
  std::string_view reason;  // how the reader's message begins
  Verdict (*judge)(const Failure&);
  std::string_view message = {}, help = {};
  std::size_t length = 1;
};

constexpr Cause causes[] = {
    {"illegal EOF in scalar", open_quote},
    {"illegal document indicator", open_quote},
    {"end of map flow", open_bracket},
    {"end of sequence flow", open_bracket},
    {"end of map", misplaced_key},
    {"end of sequence", misplaced_item},
    {"illegal map value", second_colon},
    {"unknown token", unknown_token},
    {"unknown escape", bad_escape},
    {"invalid unicode", bad_escape},
    {"bad character found while scanning hex", bad_escape},
    {"the referenced anchor", alias},
    {"illegal block entry", list_item},
    {"illegal flow end", closing_bracket},
    {"illegal map key", nullptr, "a key cannot begin here"},
    {"illegal tab", nullptr, tab_message, tab_help},
    {"unexpected character in block scalar", nullptr,
     "the text after `|` or `>` begins on the next line",
     "put the value into quotes if it begins so"},
    {"alias not found", nullptr, "a value cannot begin with `*`", quotes_help, 0},
    {"anchor not found", nullptr, "a value cannot begin with `&`", quotes_help, 0},
};

Verdict judge(const Failure& failure) {
  const std::size_t tab = tab_in_indentation(failure.text, failure.at);
  if (tab != Failure::npos) return {tab, 1, std::string(tab_message), tab_help};
  for (const Cause& cause : causes) {
    if (!failure.reason.starts_with(cause.reason)) continue;
    if (cause.judge == open_bracket && failure.open_bracket == Failure::npos) continue;
    return cause.judge != nullptr
               ? cause.judge(failure)
               : Verdict{failure.at, cause.length, std::string(cause.message), cause.help};
  }
  // The reader's own words, in the case of our messages.
  return {failure.at, 1, text::lower(failure.reason), ""};
}

}  // namespace

void blame(const Failure& failure, diag::Sink& sink) {
  const Verdict verdict = judge(failure);
  const std::size_t begin = std::min(verdict.at, failure.text.size());
  std::size_t end = std::min(begin + verdict.length, failure.text.size());
  if (verdict.length == 1 && begin < end)
    end = begin + utf8::point_at(failure.text, begin).bytes.size();
  const Span where{failure.source, static_cast<std::uint32_t>(begin),
                   static_cast<std::uint32_t>(end)};
  diag::Diagnostic& diagnostic = sink.report<diag::Code::InvalidYaml>(where, verdict.message);
  if (!verdict.help.empty()) diagnostic.help(std::string(verdict.help));
}

}  // namespace flexslice::yaml
