#include "yaml/blame.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "base/utf8.hpp"
#include "yaml/extent.hpp"
#include "yaml/lookalikes.hpp"

namespace flexslice::yaml {

namespace {

using std::size_t;

constexpr size_t max_key_bytes = 1024;  // without `?`, says YAML

// A verdict without a place points at the character where the reader gave up.
struct Verdict {
  std::string message;
  std::string_view help = {};
  size_t at = Rejection::npos;
  size_t length = 1;
  size_t missing_space = Rejection::npos;  // where the fix inserts one
};

constexpr std::string_view quotes_help = "put the value in quotes";
constexpr std::string_view colon_help = "write a space after the colon";

char character(const Rejection& rejection) {
  return rejection.at < rejection.text.size() ? rejection.text[rejection.at] : '\0';
}

bool begins_line(const Rejection& rejection) {
  const size_t begin = text::line_begin(rejection.text, rejection.at);
  return rejection.text.find_first_not_of(" \t", begin) >= rejection.at;
}

// The last line before that of `at` that is more than a comment, or nothing.
std::string_view line_before(std::string_view text, size_t at) {
  for (size_t begin = text::line_begin(text, at); begin > 0;) {
    const size_t end = begin - 1;
    begin = text::line_begin(text, end);
    const std::string_view line = text.substr(begin, end - begin);
    if (const auto trimmed = text::trim(line); !trimmed.empty() && trimmed.front() != '#')
      return line;
  }
  return {};
}

// Returns whether the line begins in the column of a list's items.
bool beside_list(const Rejection& rejection) {
  const size_t column = rejection.at - text::line_begin(rejection.text, rejection.at);
  std::string_view line = line_before(rejection.text, rejection.at);
  while (line.find_first_not_of(' ') > column && !line.empty())
    line = line_before(rejection.text, static_cast<size_t>(line.data() - rejection.text.data()));
  return line.substr(std::min(column, line.size())).starts_with('-');
}

bool has_colon(std::string_view line) {
  return line.find(": ") != std::string_view::npos || line.ends_with(':');
}

// The first quote after the last node that begins a value, outside of comments.
Verdict open_quote(const Rejection& rejection) {
  const std::string_view text = rejection.text;
  for (size_t at = rejection.last_end; at < text.size(); ++at) {
    if (at > 0 && std::string_view(" \t\n[{,:-").find(text[at - 1]) == std::string_view::npos)
      continue;
    if (text[at] == '#') at = text::line_end(text, at);
    if (at < text.size() && is_quote(text[at])) return {"this quote is not closed", {}, at};
  }
  return {"a quote is not closed", {}, rejection.at, 0};
}

// A key beside or above the bracket's own, in a line after the bracket's and up to that of the
// failure, shows that the bracket was meant to be closed before it.
bool runs_into_keys(const Rejection& rejection) {
  const std::string_view text = rejection.text;
  const auto indentation = [&](size_t line) { return text.find_first_not_of(' ', line) - line; };
  const size_t own = indentation(text::line_begin(text, rejection.open_bracket));
  for (size_t line = text::next_line(text, rejection.open_bracket);
       line < text.size() && line <= rejection.at; line = text::next_line(text, line)) {
    const std::string_view content = text.substr(line, text::line_end(text, line) - line);
    if (!text::is_idle(content) && indentation(line) <= own && has_colon(text::trim(content)))
      return true;
  }
  return false;
}

Verdict open_bracket(const Rejection& rejection) {
  const char opening = rejection.text[rejection.open_bracket];
  if (skip_space(rejection.text, rejection.at) >= rejection.text.size() ||
      runs_into_keys(rejection))
    return {fmt::format("this `{}` is not closed", opening), {}, rejection.open_bracket};
  const bool stuck_colon = rejection.at > 0 && rejection.text[rejection.at - 1] == ':';
  return {fmt::format("expected `,` or `{}` here", opening == '[' ? ']' : '}'),
          stuck_colon                   ? colon_help
          : character(rejection) == '?' ? quotes_help
                                        : ""};
}

// Dashes of any number or kind, as between documents.
bool is_separator(std::string_view line) {
  constexpr std::string_view en_dash = "\xe2\x80\x93", em_dash = "\xe2\x80\x94";
  std::size_t count = 0;
  while (!line.empty()) {
    const std::size_t size =
        line.starts_with(en_dash) || line.starts_with(em_dash) ? en_dash.size() : 1;
    if (size == 1 && line.front() != '-') return false;
    line.remove_prefix(size);
    count += size;
  }
  return count > 1;
}

Verdict missing_colon(std::string_view text, size_t begin, size_t length) {
  const std::string_view line = text.substr(begin, length);
  const size_t colon = line.find(':');
  if (is_separator(line))
    return {"a line of dashes that separates no documents", "write `---`", begin, length};
  if (colon == std::string_view::npos)
    return {"missing `: ` after key", "write a colon after the key", begin, length};
  const bool is_key = std::ranges::all_of(line.substr(0, colon), [](char c) {
    return ascii::is_letter_or_digit(c) || c == '-' || c == '_';
  });
  Verdict verdict{"missing `: ` after key", colon_help, begin, length};
  if (is_key && line.substr(colon, 2) != "::" && line.substr(colon, 3) != "://")
    verdict.missing_space = begin + colon + 1;
  return verdict;
}

// A last node that is a word without quotes in the column of this line, as in `type:v6e  # note`,
// was meant for a key.
bool follows_word(const Rejection& rejection) {
  const std::string_view text = rejection.text;
  const auto column = [&](size_t at) { return at - text::line_begin(text, at); };
  const size_t word = rejection.last_begin;
  return word < rejection.last_end && !is_quote(text[word]) && column(word) > 0 &&
         column(word) == column(rejection.at) &&
         text.find_first_not_of(' ', text::line_begin(text, word)) == word;
}

// From the failure on, without a comment.
std::string_view line_at(const Rejection& rejection) {
  const size_t end = text::line_end(rejection.text, rejection.at);
  const std::string_view line = rejection.text.substr(rejection.at, end - rejection.at);
  return text::trim(line.substr(0, line.find(" #")));
}

// A mapping or a list goes on with something that does not fit.
Verdict misplaced(const Rejection& rejection, bool in_list) {
  const bool dash = character(rejection) == '-';
  if (!begins_line(rejection)) {
    if (rejection.last_begin < rejection.last_end && is_quote(rejection.text[rejection.last_begin]))
      return {"unexpected text after the closing quote",
              "put the whole value in one pair of quotes, and double a quote inside '…'"};
    return {"unexpected text after a value", "put the value in quotes if this belongs to it"};
  }
  if (!dash && follows_word(rejection))
    return missing_colon(rejection.text, rejection.last_begin,
                         rejection.last_end - rejection.last_begin);
  if (!dash && (in_list || beside_list(rejection)))
    return {"expected `- `, because the lines before are a list",
            "indent the line like the list or like its key"};
  if (!in_list && dash)
    return {"a list item where a key is expected", "indent the list below its key"};
  if (!dash && !in_list && !has_colon(line_at(rejection)))
    return missing_colon(rejection.text, rejection.at, line_at(rejection).size());
  return {"inconsistent indentation", "indent the line exactly like the one that it belongs with"};
}

Verdict second_colon(const Rejection& rejection) {
  const size_t begin = text::line_begin(rejection.text, rejection.at);
  if (has_colon(rejection.text.substr(begin, rejection.at - begin)))
    return {"unquoted `: ` in value", "put the value in quotes if the colon belongs to it"};
  if (begins_line(rejection)) return {"a colon without a key before it"};
  const size_t first = rejection.text.find_first_not_of(" \t", begin);
  const size_t length = rejection.at - first;
  if (length > max_key_bytes)
    return {fmt::format("a key of {} characters; YAML takes {}", length, max_key_bytes),
            {},
            first,
            length};
  if (rejection.text.substr(begin).starts_with("---"))
    return {"a key on the line of `---`", "write it on the next line", first, length};
  const std::string_view before = text::trim(line_before(rejection.text, rejection.at));
  if (before.empty()) return {"missing `: ` after key", colon_help, first, length};
  if (has_colon(before))
    return {"inconsistent indentation: this line continues the value of the line before",
            "indent it like the key that it belongs with", first, length};
  return missing_colon(rejection.text, static_cast<size_t>(before.data() - rejection.text.data()),
                       before.size());
}

Verdict unknown_token(const Rejection& rejection) {
  const char c = character(rejection);
  if (c == '\0') return {"unexpected end of the text", {}, rejection.at, 0};
  if (c == '`') return {"a value cannot begin with a backtick", quotes_help};
  // Brackets on the same line may not have been reported yet, but elsewhere a `?` inside of a value
  // is valid.
  const bool inside = rejection.at > 0 && rejection.text[rejection.at - 1] > ' ';
  if (c == '?' && (inside || rejection.open_bracket != Rejection::npos))
    return {"between brackets, a value with `?` must be in quotes"};
  return {fmt::format("a value cannot begin with `{}`", c), quotes_help};
}

Verdict bad_escape(const Rejection& rejection) {
  const size_t backslash = rejection.text.rfind('\\', rejection.at == 0 ? 0 : rejection.at - 1);
  if (backslash == Rejection::npos)
    return {"unknown escape in a double-quoted string", {}, rejection.at, 0};
  std::string_view escape =
      rejection.text.substr(backslash, std::max<size_t>(rejection.at - backslash, 1));
  escape = escape.substr(0, std::min<size_t>(10, escape.find_first_of("\r\n")));
  // A long or cut sequence may end inside of a character.
  while (static_cast<unsigned char>(escape.back()) >= 0x80) escape.remove_suffix(1);
  return {fmt::format("unknown escape `{}` in a double-quoted string", escape),
          "write `\\\\` for a backslash, or use single quotes", backslash, escape.size()};
}

Verdict alias(const Rejection& rejection) {
  const size_t length = property_end(rejection.text, rejection.at) - rejection.at;
  const std::string_view seen = rejection.text.substr(rejection.at, length);
  return {fmt::format("`{}` is an alias, but there is no `&{}` before it", seen,
                      seen.substr(std::min<size_t>(1, length))),
          "put a value that begins with `*` in quotes", rejection.at, length};
}

// The reader's message tells the cause: each row has the text for the character where it gave up,
// or a function that finds the mistake and its place.
struct Cause {
  std::string_view reason;  // how the reader's message begins
  Verdict (*judge)(const Rejection&);
  std::string_view message = {}, help = {};
  size_t length = 1;
};

// The last bracket of the text that no other closes, or npos. Quotes count as they do in a line.
size_t unclosed_bracket(std::string_view line) {
  std::vector<size_t> open;
  for (size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (is_quote(c)) at = std::min(quoted_end(line, at), line.size()) - 1;
    if (c == '[' || c == '{') open.push_back(at);
    if ((c == ']' || c == '}') && !open.empty()) open.pop_back();
  }
  return open.empty() ? Rejection::npos : open.back();
}

Verdict misplaced_item(const Rejection& rejection) {
  if (rejection.open_bracket != Rejection::npos)
    return runs_into_keys(rejection) ? open_bracket(rejection)
                                     : Verdict{"a list item with `- ` between brackets"};
  // yaml-cpp reads ahead, and has not reported the bracket yet.
  const std::string_view before = line_before(rejection.text, rejection.at);
  if (const size_t bracket = unclosed_bracket(before); bracket != Rejection::npos)
    return {fmt::format("this `{}` is not closed", before[bracket]),
            {},
            static_cast<size_t>(before.data() - rejection.text.data()) + bracket};
  return {"a list item cannot begin here", "begin the list on a line of its own, below its key"};
}

constexpr Cause causes[] = {
    {"illegal EOF in scalar", open_quote},
    {"illegal document indicator", open_quote},
    {"end of map flow", open_bracket},
    {"end of sequence flow", open_bracket},
    {"end of map", [](const Rejection& rejection) { return misplaced(rejection, false); }},
    {"end of sequence", [](const Rejection& rejection) { return misplaced(rejection, true); }},
    {"illegal map value", second_colon},
    {"unknown token", unknown_token},
    {"unknown escape", bad_escape},
    {"invalid unicode", bad_escape},
    {"bad character found while scanning hex", bad_escape},
    {"the referenced anchor", alias},
    {"illegal block entry", misplaced_item},
    {"illegal flow end",
     [](const Rejection& rejection) -> Verdict {
       return {fmt::format("`{}` without its opening bracket", character(rejection))};
     }},
    {"illegal map key", nullptr, "a key cannot begin here"},
    {"illegal tab", nullptr, "a tab cannot be indentation", "indent with spaces"},
    {"unexpected character in block scalar", nullptr,
     "the text after `|` or `>` begins on the next line",
     "put the value in quotes if it begins so"},
    {"alias not found", nullptr, "a value cannot begin with `*`", quotes_help, 0},
    {"anchor not found", nullptr, "a value cannot begin with `&`", quotes_help, 0},
};

Verdict verdict_on(const Rejection& rejection) {
  const size_t tab = tab_in_indentation(rejection.text, rejection.at);
  if (tab != Rejection::npos) return {"a tab cannot be indentation", "indent with spaces", tab};
  for (const Cause& cause : causes) {
    if (!rejection.reason.starts_with(cause.reason)) continue;
    if (cause.judge == open_bracket && rejection.open_bracket == Rejection::npos) continue;
    if (cause.judge != nullptr) return cause.judge(rejection);
    return {std::string(cause.message), cause.help, rejection.at, cause.length};
  }
  // The reader's own words, in the case of our messages.
  return {text::lower(rejection.reason)};
}

void report_verdict(const Verdict& verdict, std::string_view text, std::uint32_t source, size_t at,
                    diag::Sink& sink) {
  const size_t begin = std::min(verdict.at == Rejection::npos ? at : verdict.at, text.size());
  const bool one_character = verdict.length == 1 && begin < text.size();
  const size_t length = one_character ? utf8::point_at(text, begin).bytes.size() : verdict.length;
  diag::Diagnostic& finding = sink.report<diag::Code::InvalidYaml>(
      {source, begin, std::min(begin + length, text.size())}, verdict.message);
  finding.help(verdict.help);
  if (verdict.missing_space != Rejection::npos)
    finding.fix({source, verdict.missing_space, verdict.missing_space}, " ");
}

// `{{ … }}` and `{% … %}` of a template engine in the line of `at`.
bool report_template(std::string_view text, std::uint32_t source, size_t at, diag::Sink& sink) {
  const size_t line = text::line_begin(text, at), end = text::line_end(text, at);
  for (const auto& [open, close] : {std::pair("{{", "}}"), std::pair("{%", "%}")}) {
    const size_t begin = text.find(open, line);
    if (begin >= end) continue;
    const size_t after = std::min(text.find(close, begin), end - 2) + 2;
    sink.report<diag::Code::Placeholder>({source, begin, after}, text.substr(begin, after - begin))
        .help("compile what the template engine renders, not the template");
    return true;
  }
  return false;
}

// Reports mistakes in the line of `at` that the reader accepted.
bool report_cause(std::string_view text, std::uint32_t source, size_t at, diag::Sink& sink) {
  if (report_template(text, source, at, sink)) return true;
  size_t lookalike = find_lookalike(text, at);
  // After a dash it makes a value of the item, which the next line then seems to continue.
  if (const size_t line = text::line_begin(text, at);
      lookalike == std::string_view::npos && line > 0) {
    const size_t dash = text.find_first_not_of(" \t", text::line_begin(text, line - 1));
    if (text[dash] == '-' && is_space_lookalike(text, dash + 1)) lookalike = dash + 1;
  }
  if (lookalike == std::string_view::npos) return false;
  report_lookalike(text, lookalike, text::line_end(text, lookalike), source, sink);
  return true;
}

}  // namespace

void blame(const Rejection& rejection, diag::Sink& sink) {
  const std::string_view text = rejection.text;
  const size_t at = std::min(rejection.at, text.size());
  if (report_cause(text, rejection.source, at, sink)) return;
  // A directive on the line before; elsewhere in it, braces may belong to a script.
  const std::string_view before = text::trim(line_before(text, at));
  if ((before.starts_with("{{") || before.starts_with("{%")) &&
      report_template(text, rejection.source, static_cast<size_t>(before.data() - text.data()),
                      sink))
    return;
  const Verdict verdict = verdict_on(rejection);
  if (verdict.at < text.size() && report_cause(text, rejection.source, verdict.at, sink)) return;
  report_verdict(verdict, text, rejection.source, rejection.at, sink);
}

void blame_missing_colon(std::string_view text, Span key, diag::Sink& sink) {
  if (report_cause(text, key.source, key.begin, sink)) return;
  report_verdict(missing_colon(text, key.begin, key.end - key.begin), text, key.source, key.begin,
                 sink);
}

}  // namespace flexslice::yaml
