#include "yaml/blame.hpp"

#include <algorithm>
#include <array>

#include "yaml/extent.hpp"

namespace flexslice::yaml {

namespace {

constexpr std::size_t max_key_bytes = 1024;  // without `?`, says YAML

struct Verdict {
  std::size_t at = 0;
  std::size_t length = 1;
  std::string message;
  std::string help;
};

char character(const Failure& failure) { return failure.at < failure.text.size() ? failure.text[failure.at] : '\0'; }

bool begins_line(const Failure& failure) {
  const std::size_t begin = line_begin(failure.text, failure.at);
  return failure.text.find_first_not_of(" \t", begin) >= failure.at;
}

// The first quote behind `from` that begins a value, outside of comments.
std::size_t opening_quote(std::string_view text, std::size_t from) {
  for (std::size_t at = from; at < text.size(); ++at) {
    const char before = at == 0 ? '\n' : text[at - 1];
    const bool starts = std::string_view(" \t\n[{,:-").find(before) != std::string_view::npos;
    if (text[at] == '#' && starts) at = std::max(line_end(text, at), at + 1) - 1;
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
    return {failure.open_bracket, 1, list ? "this `[` is not closed" : "this `{` is not closed", ""};
  }
  Verdict verdict{failure.at, 1, list ? "expected `,` or `]` here" : "expected `,` or `}` here", ""};
  const bool stuck_colon = failure.at > 0 && failure.at < failure.text.size() && failure.text[failure.at - 1] == ':';
  if (character(failure) == '?') verdict.help = "put the value into quotes";
  if (stuck_colon) verdict.help = "write a space after the colon";
  return verdict;
}

// Whether the line stands where the items of a list begin.
bool beside_list(const Failure& failure) {
  std::size_t begin = line_begin(failure.text, failure.at);
  const std::size_t column = failure.at - begin;
  while (begin > 0) {
    begin = line_begin(failure.text, begin - 1);
    const std::size_t first = failure.text.find_first_not_of(" \r\n", begin);
    const bool blank = first > line_end(failure.text, begin) || failure.text[first] == '#';
    if (!blank && first - begin <= column) return first - begin == column && failure.text[first] == '-';
  }
  return false;
}

// A mapping or a list goes on with something that does not fit.
Verdict misplaced(const Failure& failure, bool in_list) {
  const std::size_t at = failure.at;
  if (!begins_line(failure)) {
    const bool after_quote = failure.last_begin < failure.last_end && is_quote(failure.text[failure.last_begin]);
    if (after_quote) {
      return {at, 1, "unexpected text after the closing quote",
              "put the whole value into one pair of quotes, and double a quote inside '…'"};
    }
    return {at, 1, "unexpected text after a value", "put the value into quotes if this belongs to it"};
  }
  const bool dash = character(failure) == '-';
  if (!dash && (in_list || beside_list(failure))) {
    return {at, 1, "expected `- `, because the lines before are a list", "indent the line like the list or like its key"};
  }
  if (!in_list && dash) return {at, 1, "a list item stands where a key is expected", "indent the list below its key"};
  return {at, 1, "this line's indentation fits none of the lines before it", "indent it exactly like the line that it belongs with"};
}

bool has_colon(std::string_view line) { return line.find(": ") != std::string_view::npos || line.ends_with(':'); }

// The last line before `at`'s own that is more than a comment.
std::string_view line_before(std::string_view text, std::size_t at) {
  std::size_t begin = line_begin(text, at);
  while (begin > 0) {
    const std::size_t previous = line_begin(text, begin - 1);
    const std::string_view line = text::trim(text.substr(previous, begin - previous));
    if (!line.empty() && line.front() != '#') return line;
    begin = previous;
  }
  return {};
}

Verdict second_colon(const Failure& failure) {
  const std::size_t begin = line_begin(failure.text, failure.at);
  const std::string_view before = failure.text.substr(begin, failure.at - begin);
  if (has_colon(before)) {
    return {failure.at, 1, "a second `: ` on one line", "put the value into quotes if the colon belongs to it"};
  }
  if (begins_line(failure)) return {failure.at, 1, "a colon without a key before it", ""};
  const std::size_t first = failure.text.find_first_not_of(" \t", begin);
  const std::size_t length = failure.at - first;
  if (length > max_key_bytes) return {first, length, text::format("a key of {} characters; YAML takes {}", length, max_key_bytes), ""};
  if (has_colon(line_before(failure.text, failure.at))) {
    return {first, length, "this line is indented deeper than the line before, so it would continue that line's value",
            "indent it like the key it belongs beside"};
  }
  return {first, length, "this key cannot stand here, because the line before it has no `: `", ""};
}

Verdict unknown_token(const Failure& failure) {
  const char c = character(failure);
  if (c == '\0') return {failure.at, 0, "unexpected end of the text", ""};
  if (c == '`') return {failure.at, 1, "a value cannot begin with a backtick", "put the value into quotes"};
  // Brackets on the same line need not have been told of yet, but elsewhere a `?` inside of a value is no trouble.
  const bool inside = failure.at > 0 && failure.text[failure.at - 1] > ' ';
  if (c == '?' && (inside || failure.open_bracket != Failure::npos)) {
    return {failure.at, 1, "between brackets, a value with `?` must stand in quotes", ""};
  }
  return {failure.at, 1, text::format("a value cannot begin with `{}`", std::string(1, c)), "put the value into quotes"};
}

Verdict bad_escape(const Failure& failure) {
  const std::size_t backslash = failure.text.rfind('\\', failure.at == 0 ? 0 : failure.at - 1);
  if (backslash == Failure::npos) return {failure.at, 0, "unknown escape in a double-quoted string", ""};
  const std::size_t end = std::clamp(failure.at, backslash + 1, failure.text.size());
  std::string_view escape = failure.text.substr(backslash, end - backslash);
  escape = escape.substr(0, std::min<std::size_t>(10, escape.find_first_of("\r\n")));
  // A long or cut sequence may end inside of a character.
  while (!escape.empty() && (static_cast<unsigned char>(escape.back()) & 0x80) != 0) escape.remove_suffix(1);
  return {backslash, escape.size(), text::format("unknown escape `{}` in a double-quoted string", escape),
          "write `\\\\` for a backslash, or use single quotes"};
}

Verdict alias(const Failure& failure) {
  const std::size_t begin = std::min(failure.at, failure.text.size());
  const std::string_view seen = failure.text.substr(begin, property_end(failure.text, begin) - begin);
  const std::string name(seen.empty() ? "" : seen.substr(1));
  return {begin, seen.size(), text::format("`{}` is an alias, but there is no `&{}` before it", seen, name),
          "put a value that begins with `*` into quotes"};
}

Verdict list_item(const Failure& failure) {
  if (failure.open_bracket != Failure::npos) return {failure.at, 1, "`- ` cannot stand between brackets", ""};
  return {failure.at, 1, "a list item cannot begin here", "begin the list on a line of its own, below its key"};
}

// The reader's own words, in the case of our messages.
Verdict generic(const Failure& failure) { return {failure.at, 1, text::lower(failure.reason), ""}; }

struct Rule {
  std::string_view reason;  // how the reader's message begins
  Verdict (*judge)(const Failure&);
};

constexpr std::array rules = {
    Rule{"illegal EOF in scalar", open_quote},
    Rule{"illegal document indicator", open_quote},
    Rule{"end of map flow", open_bracket},
    Rule{"end of sequence flow", open_bracket},
    Rule{"end of map", [](const Failure& failure) { return misplaced(failure, false); }},
    Rule{"end of sequence", [](const Failure& failure) { return misplaced(failure, true); }},
    Rule{"illegal map value", second_colon},
    Rule{"unknown token", unknown_token},
    Rule{"unknown escape", bad_escape},
    Rule{"invalid unicode", bad_escape},
    Rule{"bad character found while scanning hex", bad_escape},
    Rule{"the referenced anchor", alias},
    Rule{"illegal block entry", list_item},
    Rule{"illegal flow end",
         [](const Failure& failure) {
           return Verdict{failure.at, 1, text::format("`{}` without its opening bracket", std::string(1, character(failure))), ""};
         }},
    Rule{"illegal map key",
         [](const Failure& failure) {
           return Verdict{failure.at, 1, "a key cannot begin here", ""};
         }},
    Rule{"illegal tab",
         [](const Failure& failure) {
           return Verdict{failure.at, 1, "a tab cannot be indentation", "indent with spaces"};
         }},
    Rule{"unexpected character in block scalar",
         [](const Failure& failure) {
           return Verdict{failure.at, 1, "the text after `|` or `>` begins on the next line", "put the value into quotes if it begins so"};
         }},
    Rule{"alias not found",
         [](const Failure& failure) {
           return Verdict{failure.at, 0, "a value cannot begin with `*`", "put the value into quotes"};
         }},
    Rule{"anchor not found",
         [](const Failure& failure) {
           return Verdict{failure.at, 0, "a value cannot begin with `&`", "put the value into quotes"};
         }},
};

Verdict judge(const Failure& failure) {
  const std::size_t tab = tab_in_indentation(failure.text, failure.at);
  if (tab != Failure::npos) return {tab, 1, "a tab cannot be indentation", "indent with spaces"};
  for (const Rule& rule : rules) {
    const bool flow = rule.judge == open_bracket;
    if (failure.reason.starts_with(rule.reason) && (!flow || failure.open_bracket != Failure::npos)) return rule.judge(failure);
  }
  return generic(failure);
}

}  // namespace

void blame(const Failure& failure, diag::Sink& sink) {
  const Verdict verdict = judge(failure);
  const std::size_t begin = std::min(verdict.at, failure.text.size());
  std::size_t end = std::min(begin + verdict.length, failure.text.size());
  if (verdict.length == 1 && begin < end) end = begin + std::max<std::size_t>(1, text::utf8_length(failure.text, begin));
  const Span where{failure.source, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  diag::Diagnostic& diagnostic = sink.report<diag::Code::InvalidYaml>(where, verdict.message);
  if (!verdict.help.empty()) diagnostic.help(verdict.help);
}

}  // namespace flexslice::yaml
