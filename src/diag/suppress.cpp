#include "diag/suppress.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "diag/policy.hpp"

namespace flexslice::diag {

namespace {

constexpr std::string_view marker = "flexslice:";
constexpr std::string_view verb = "allow";
constexpr std::string_view other_verbs[] = {"ignore", "disable", "suppress", "skip",
                                            "permit", "accept",  "noqa",     "nolint"};
constexpr std::size_t none = std::string_view::npos;

// One code of one comment.
struct Allowed {
  Span token;  // the code as written
  Code code;
  std::size_t begin = 0, end = 0;  // the bytes it covers
  std::size_t comment = 0;         // index in Comments::removals
  bool used = false;
};

struct Comments {
  std::vector<Span> removals;  // for each comment, what to delete to be rid of it
  std::vector<Allowed> allowed;
};

struct Text {
  std::uint32_t index;
  std::string_view bytes;
  std::vector<Span> scalars;  // sorted, without the first lines of block scalars

  Span span(std::size_t begin, std::size_t end) const {
    return {index, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }
  // Behind a byte order mark.
  std::size_t line_begin(std::size_t offset) const {
    return std::max(text::line_begin(bytes, offset), text::mark_length(bytes));
  }
  std::size_t next_line(std::size_t offset) const { return text::next_line(bytes, offset); }
};

std::vector<Span> strings_of(std::string_view bytes, std::uint32_t index,
                             std::span<const Span> scalars) {
  std::vector<Span> strings;
  for (Span scalar : scalars) {
    if (scalar.source != index || scalar.begin >= bytes.size()) continue;
    // Behind `|` or `>` there may be a comment; the string begins on the next line.
    if (bytes[scalar.begin] == '|' || bytes[scalar.begin] == '>') {
      scalar.begin = static_cast<std::uint32_t>(text::next_line(bytes, scalar.begin));
    }
    if (scalar.begin < scalar.end) strings.push_back(scalar);
  }
  std::sort(strings.begin(), strings.end());
  return strings;
}

bool in_string(const Text& text, std::size_t offset) {
  const auto after = std::partition_point(text.scalars.begin(), text.scalars.end(),
                                          [&](const Span& each) { return each.begin <= offset; });
  return after != text.scalars.begin() && offset < (after - 1)->end;
}

// The `#` that begins the comment of a line, or none: not one in a string, in the midst of a word,
// or of a comment.
std::size_t comment_on(const Text& text, std::size_t line) {
  const std::size_t end = text.next_line(line);
  for (std::size_t i = line; i < end; ++i) {
    const bool separate = i == line || ascii::is_blank(text.bytes[i - 1]);
    if (text.bytes[i] == '#' && separate && !in_string(text, i)) return i;
  }
  return none;
}

// The first line at or after `offset`, a line's begin, that says something; the text's end when
// there is none.
std::size_t next_content(const Text& text, std::size_t offset) {
  while (offset < text.bytes.size()) {
    const std::size_t end = text.next_line(offset);
    if (!text::is_idle(text.bytes.substr(offset, end - offset))) break;
    offset = end;
  }
  return offset;
}

// The bytes that a comment covers, from begin to before end. `content` is the content line found
// for the comment before, which often is that of this one too.
std::pair<std::size_t, std::size_t> covered(const Text& text, std::size_t hash,
                                            std::size_t first_content, std::size_t& content) {
  const std::size_t line = text.line_begin(hash);
  if (line < first_content) return {0, text.bytes.size() + 1};
  std::size_t target = line;
  if (text::is_idle(text.bytes.substr(line, hash - line))) {
    const std::size_t below = text.next_line(hash);
    if (below > content) content = next_content(text, below);
    target = content;
  }
  const std::size_t end = text.next_line(target);
  // A finding at the very end of the text is on the last line.
  const bool last = end == text.bytes.size() && (end == target || text.bytes[end - 1] != '\n');
  return {target, last ? end + 1 : end};
}

Span removal_of(const Text& text, std::size_t hash) {
  const std::size_t line = text.line_begin(hash);
  const std::size_t next_line = text.next_line(hash);
  if (text::trim(text.bytes.substr(line, hash - line)).empty()) return text.span(line, next_line);
  const std::size_t begin = text.bytes.substr(0, hash).find_last_not_of(" \t") + 1;
  const std::size_t end = text.bytes.substr(0, next_line).find_last_not_of("\r\n") + 1;
  return text.span(begin, end);
}

std::size_t end_of_word(std::string_view bytes, std::size_t at, std::size_t end) {
  while (at < end && (ascii::is_letter_or_digit(bytes[at]) || bytes[at] == '_')) ++at;
  return at;
}

// Words of other tools, and misspellings, which hardly ever begin with another letter.
bool means_verb(std::string_view word) {
  const std::string seen = text::lower(word);
  if (std::find(std::begin(other_verbs), std::end(other_verbs), seen) != std::end(other_verbs))
    return true;
  return seen.starts_with(verb.front()) && text::nearest(seen, {&verb, 1});
}

bool looks_like_code(std::string_view token) {
  if (token.starts_with("FS") || token.starts_with("fs")) token.remove_prefix(2);
  return text::whole_number(token).has_value() || code_for_name(token).has_value();
}

void report_unknown(Span token, std::string_view word, Sink& sink) {
  Diagnostic& unknown = sink.report<Code::SuppressionUnknownCode>(token, word);
  if (const auto code = code_for_name(word))
    unknown.help(fmt::format("did you mean `{}`?", *code)).fix(token, *code);
}

// Reads `FS3012, FS3013 - reason` from `at`, the place behind `allow`, to `end`.
void read_codes(const Text& text, std::size_t at, std::size_t end, const Allowed& pattern,
                Comments& comments, Sink& sink) {
  if (text.bytes.substr(at, end - at).starts_with(':')) ++at;
  std::string_view codes_text;
  std::size_t codes_begin = none;
  bool listed = true;
  while (true) {
    while (at < end && (ascii::is_blank(text.bytes[at]) || text.bytes[at] == ',')) {
      listed = listed || text.bytes[at] == ',';
      ++at;
    }
    const std::size_t token_end = end_of_word(text.bytes, at, end);
    const std::string_view token = text.bytes.substr(at, token_end - at);
    if (token.empty() || (!listed && !looks_like_code(token))) break;
    if (codes_begin == none) codes_begin = at;
    codes_text = text.bytes.substr(codes_begin, token_end - codes_begin);
    Allowed allowed = pattern;
    allowed.token = text.span(at, token_end);
    if (const Row* named = find_row(token)) {
      allowed.code = named->code;
      comments.allowed.push_back(allowed);
    } else {
      report_unknown(allowed.token, token, sink);
    }
    at = token_end;
    listed = false;
  }
  std::string_view reason = text.bytes.substr(at, end - at);
  bool dash = false;
  for (std::string_view sign : {"--", "-", "\xE2\x80\x94", "\xE2\x80\x93", ":"}) {
    if (dash || !reason.starts_with(sign)) continue;
    reason.remove_prefix(sign.size());
    dash = true;
  }
  if (dash && !text::trim(reason).empty()) {
    if (codes_text.empty())
      sink.report<Code::SuppressionWithoutEffect>(pattern.token, "it names no diagnostic");
    return;
  }
  sink.report<Code::SuppressionWithoutReason>(text.span(pattern.token.begin, at),
                                              codes_text.empty() ? "FS3012" : codes_text);
}

// Reads the text of a comment behind the marker, `allow …`, from `at` to `end`. Nothing when it is
// prose.
void read_comment(const Text& text, std::size_t at, std::size_t end, const Allowed& pattern,
                  Comments& comments, Sink& sink) {
  at = std::min(text.bytes.find_first_not_of(" \t", at), end);
  const std::size_t word_end = end_of_word(text.bytes, at, end);
  const std::string_view word = text.bytes.substr(at, word_end - at);
  if (word == verb) return read_codes(text, word_end, end, pattern, comments, sink);
  // With a code behind it, it is no prose.
  const std::size_t code = std::min(text.bytes.find_first_not_of(" \t:=", word_end), end);
  if (find_row(text.bytes.substr(code, end_of_word(text.bytes, code, end) - code)) == nullptr ||
      !means_verb(word))
    return;
  sink.report<Code::SuppressionWithoutEffect>(text.span(at, word_end),
                                              fmt::format("the word is `{}`, not `{}`", verb, word))
      .fix(text.span(at, code), fmt::format("{} ", verb));
}

Comments read_comments(const Text& text, Sink& sink) {
  Comments comments;
  const std::size_t first_content = next_content(text, text::mark_length(text.bytes));
  std::size_t content = first_content;
  for (std::size_t at = text.bytes.find(marker); at != none;
       at = text.bytes.find(marker, text.next_line(at))) {
    const std::size_t hash = comment_on(text, text.line_begin(at));
    if (hash == none) continue;
    const std::size_t begin = text.bytes.find_first_not_of(" \t", hash + 1);
    if (begin == none || !text.bytes.substr(begin).starts_with(marker)) continue;
    const std::size_t end =
        text.bytes.substr(0, text.next_line(at)).find_last_not_of(" \t\r\n") + 1;
    Allowed pattern{text.span(hash, end), Code::SuppressionUnused};
    std::tie(pattern.begin, pattern.end) = covered(text, hash, first_content, content);
    pattern.comment = comments.removals.size();
    comments.removals.push_back(removal_of(text, hash));
    read_comment(text, begin + marker.size(), end, pattern, comments, sink);
  }
  return comments;
}

// The one that covers a finding, or null. Those of one code cover single lines, or the whole
// document, which then comes first.
Allowed* covering(std::vector<Allowed>& allowed, const Diagnostic& finding) {
  const auto first = std::partition_point(allowed.begin(), allowed.end(), [&](const Allowed& each) {
    return each.code < finding.code;
  });
  const auto after = std::partition_point(first, allowed.end(), [&](const Allowed& each) {
    return each.code == finding.code && each.begin <= finding.where.begin;
  });
  if (after == first) return nullptr;
  if (finding.where.begin < (after - 1)->end) return &*(after - 1);
  return finding.where.begin < first->end ? &*first : nullptr;
}

// Whether the finding goes.
bool allow_finding(Diagnostic& finding, std::uint32_t index, std::vector<Allowed>& allowed) {
  if (finding.where.source != index) return false;
  Allowed* found = covering(allowed, finding);
  if (!found) return false;
  found->used = true;
  if (finding.level != Level::error) return true;
  finding.note(fmt::format("`{}` is certain here and cannot be allowed", code_text(finding.code)));
  return false;
}

void report_unused(const Comments& comments, Sink& sink) {
  std::vector<bool> needed(comments.removals.size());
  for (const Allowed& each : comments.allowed) {
    if (each.used) needed[each.comment] = true;
  }
  for (const Allowed& each : comments.allowed) {
    if (each.used) continue;
    Diagnostic& unused = sink.report<Code::SuppressionUnused>(each.token, code_text(each.code));
    if (!needed[each.comment]) unused.fix(comments.removals[each.comment], "");
  }
}

}  // namespace

bool may_suppress(std::string_view text) { return text.find(marker) != none; }

std::vector<Diagnostic> suppress(const Sources& sources, std::uint32_t index,
                                 std::span<const Span> scalars, std::vector<Diagnostic> findings) {
  const std::string_view bytes = sources[index].text;
  if (!may_suppress(bytes)) return findings;
  const Text text{index, bytes, strings_of(bytes, index, scalars)};
  Sink sink;
  Comments comments = read_comments(text, sink);
  std::stable_sort(comments.allowed.begin(), comments.allowed.end(),
                   [](const Allowed& a, const Allowed& b) {
                     return std::tuple(a.code, a.begin) < std::tuple(b.code, b.begin);
                   });
  std::erase_if(findings, [&](Diagnostic& finding) {
    return allow_finding(finding, index, comments.allowed);
  });
  const bool complete = std::all_of(findings.begin(), findings.end(), [](const Diagnostic& each) {
    return each.level == Level::warning;
  });
  if (complete && sink.errors() == 0) report_unused(comments, sink);
  if (sink.found().empty()) return findings;
  for (Diagnostic& each : sink.take()) findings.push_back(std::move(each));
  std::stable_sort(findings.begin(), findings.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tuple(a.where.source, a.where.begin) < std::tuple(b.where.source, b.where.begin);
  });
  return findings;
}

}  // namespace flexslice::diag
