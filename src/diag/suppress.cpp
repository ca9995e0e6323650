#include "diag/suppress.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "diag/policy.hpp"

namespace flexslice::diag {

namespace {

using std::size_t;

constexpr std::string_view marker = "flexslice:";
constexpr std::string_view verb = "allow";
constexpr std::string_view other_verbs[] = {"ignore", "disable", "suppress", "skip",
                                            "permit", "accept",  "noqa",     "nolint"};
constexpr size_t none = std::string_view::npos;

// One code of one comment.
struct Allowed {
  Span token;  // the code as written
  Code code;
  Span removal;  // what to delete to be rid of the comment; no two comments have the same
  bool used = false;
};

std::string_view take_word(std::string_view& text) {
  const std::string_view whole = text;
  return whole.substr(
      0, text::take(text, [](char c) { return ascii::is_letter_or_digit(c) || c == '_'; }));
}

// Words of other tools, and misspellings, which hardly ever begin with another letter.
bool means_verb(std::string_view word) {
  const std::string lowered = text::lower(word);
  return std::ranges::find(other_verbs, lowered) != std::end(other_verbs) ||
         (lowered.starts_with(verb.front()) && text::nearest(lowered, {&verb, 1}));
}

bool looks_like_code(std::string_view token) {
  if (token.starts_with("FS") || token.starts_with("fs")) token.remove_prefix(2);
  return text::whole_number(token) || code_for_name(token);
}

// The comments of one source.
class Comments {
 public:
  Comments(std::string_view text, std::uint32_t index, std::span<const Span> scalars)
      : text_(text), index_(index) {
    for (const Span& scalar : scalars) {
      if (scalar.source != index || scalar.begin >= text.size()) continue;
      // After `|` or `>` there may be a comment; the string begins on the next line.
      const bool block = text[scalar.begin] == '|' || text[scalar.begin] == '>';
      const Span string(index, block ? text::next_line(text, scalar.begin) : scalar.begin,
                        scalar.end);
      if (string.begin < string.end) strings_.push_back(string);
    }
    std::ranges::sort(strings_);
    first_content_ = content_ = next_content(text::mark_length(text));
    for (size_t at = text.find(marker); at != none; at = text.find(marker, next_line(at)))
      read_line(at);
  }

  // Returns true if a comment allows the finding, which is dropped then.
  bool allow(Diagnostic& finding) {
    if (finding.where.source != index_ || finding.where.begin > text_.size()) return false;
    auto covering = covering_.find({finding.code, line_begin(finding.where.begin)});
    if (covering == covering_.end()) covering = covering_.find({finding.code, whole_document});
    if (covering == covering_.end()) return false;
    allowed_[covering->second].used = true;
    if (finding.level == Level::error)
      finding.note(fmt::format("`{}` is always an error here and cannot be allowed",
                               code_text(finding.code)));
    return finding.level != Level::error;
  }

  // Adds the lines of comments that may be about later findings.
  void find_later(const std::function<bool(Code)>& comes_later, bool has_errors,
                  AllowedLines& later) {
    for (const auto& [key, index] : covering_) {
      const auto& [code, line] = key;
      if (!comes_later(code)) continue;
      Allowed& own = allowed_[index];
      later.push_back({code,
                       line == whole_document ? span(0, text_.size()) : span(line, next_line(line)),
                       own.token, own.removal, own.used || has_errors});
      own.used = true;
    }
  }

  void report_unused() {
    std::set<Span> needed;
    for (const Allowed& each : allowed_) {
      if (each.used) needed.insert(each.removal);
    }
    for (const Allowed& each : allowed_) {
      if (each.used) continue;
      Diagnostic& unused = diag::report_unused({each.code, {}, each.token, {}}, sink_);
      if (!needed.contains(each.removal)) unused.fix(each.removal, "");
    }
  }

  Sink& sink() { return sink_; }

 private:
  static constexpr size_t whole_document = none;

  Span span(size_t begin, size_t end) const { return {index_, begin, end}; }
  size_t offset(std::string_view part) const {
    return static_cast<size_t>(part.data() - text_.data());
  }
  Span span(std::string_view part) const { return span(offset(part), offset(part) + part.size()); }
  // After a byte order mark.
  size_t line_begin(size_t offset) const {
    return std::max(text::line_begin(text_, offset), text::mark_length(text_));
  }
  size_t next_line(size_t offset) const { return text::next_line(text_, offset); }

  // The first line at or after `line` that says something; the text's end when there is none.
  size_t next_content(size_t line) const {
    while (line < text_.size() && text::is_idle(text_.substr(line, next_line(line) - line)))
      line = next_line(line);
    return line;
  }

  // The `#` that begins the comment of a line, or none: not one in a string, within a word, or
  // within a comment.
  size_t comment_on(size_t line) const {
    const size_t end = next_line(line);
    for (size_t at = line; at < end; ++at) {
      if (text_[at] != '#' || (at > line && !ascii::is_blank(text_[at - 1]))) continue;
      const auto after = std::ranges::upper_bound(strings_, at, {}, &Span::begin);
      if (after == strings_.begin() || at >= std::prev(after)->end) return at;
    }
    return none;
  }

  // The line that the comment at `hash` covers, or whole_document. The content below a comment is
  // often that of the comment before.
  size_t covered_line(size_t hash) {
    const size_t line = line_begin(hash);
    if (line < first_content_) return whole_document;
    if (!text::is_idle(text_.substr(line, hash - line))) return line;
    if (next_line(hash) > content_) content_ = next_content(next_line(hash));
    return line_begin(content_);
  }

  Span removal_of(size_t hash) const {
    const size_t line = line_begin(hash), next = next_line(hash);
    const size_t before = text::trim(text_.substr(line, hash - line)).empty()
                              ? line
                              : text_.find_last_not_of(" \t", hash - 1) + 1;
    return span(before, before == line ? next : text_.find_last_not_of("\r\n", next - 1) + 1);
  }

  // The line has the marker.
  void read_line(size_t at) {
    const size_t hash = comment_on(line_begin(at));
    if (hash == none) return;
    const std::string_view comment = text::trim(text_.substr(hash, next_line(at) - hash));
    std::string_view rest = comment.substr(1);
    text::take(rest, ascii::is_blank);
    if (!rest.starts_with(marker)) return;
    rest.remove_prefix(marker.size());
    text::take(rest, ascii::is_blank);
    const std::string_view word = take_word(rest);
    if (word == verb) return read_codes(comment, rest);
    // With a code after it, it is no prose.
    text::take(rest, [](char c) { return ascii::is_blank(c) || c == ':' || c == '='; });
    const Span replaced = span(offset(word), offset(rest));
    if (find_row(take_word(rest)) == nullptr || !means_verb(word)) return;
    sink_
        .report<Code::SuppressionWithoutEffect>(span(word),
                                                fmt::format("expected `{}`, not `{}`", verb, word))
        .fix(replaced, fmt::format("{} ", verb));
  }

  // Reads `FS3012, FS3013 - reason`, the rest of the comment.
  void read_codes(std::string_view comment, std::string_view rest) {
    const size_t hash = offset(comment);
    const size_t line = covered_line(hash);
    const Span removal = removal_of(hash);
    std::string_view codes;
    text::take_one_of(rest, ":");
    for (bool listed = true;; listed = false) {
      while (text::take_one_of(rest, " \t,")) listed |= rest.data()[-1] == ',';
      std::string_view after = rest;
      const std::string_view token = take_word(after);
      if (token.empty() || (!listed && !looks_like_code(token))) break;
      rest = after;
      const size_t first = offset(codes.empty() ? token : codes);
      codes = text_.substr(first, offset(rest) - first);
      if (const Row* named = find_row(token)) {
        covering_[{named->code, line}] = allowed_.size();
        allowed_.push_back({span(token), named->code, removal});
        continue;
      }
      Diagnostic& unknown = sink_.report<Code::SuppressionUnknownCode>(span(token), token);
      if (const auto code = code_for_name(token))
        unknown.help(fmt::format("did you mean `{}`?", *code)).fix(span(token), *code);
    }
    const Span codes_span = span(hash, offset(rest));
    bool dash = false;
    for (std::string_view sign : {"--", "-", "\xE2\x80\x94", "\xE2\x80\x93", ":"}) {
      if (dash || !rest.starts_with(sign)) continue;
      rest.remove_prefix(sign.size());
      dash = true;
    }
    if (!dash || text::trim(rest).empty()) {
      sink_.report<Code::SuppressionWithoutReason>(codes_span, codes.empty() ? "FS3012" : codes);
    } else if (codes.empty()) {
      sink_.report<Code::SuppressionWithoutEffect>(span(comment), "it names no diagnostic");
    }
  }

  std::string_view text_;
  std::uint32_t index_;
  std::vector<Span> strings_;  // sorted
  size_t first_content_ = 0;   // the first line that says something
  size_t content_ = 0;         // the one after the last comment
  std::vector<Allowed> allowed_;
  std::map<std::pair<Code, size_t>, size_t> covering_;  // index in allowed_, by code and line
  Sink sink_;
};

}  // namespace

Diagnostic& report_unused(const AllowedLine& line, Sink& sink) {
  return sink.report<Code::SuppressionUnused>(line.token, code_text(line.code));
}

bool may_suppress(std::string_view text) { return text.find(marker) != none; }

std::vector<Diagnostic> suppress(const Sources& sources, std::uint32_t index,
                                 std::span<const Span> scalars, std::vector<Diagnostic> findings,
                                 const std::function<bool(Code)>& comes_later,
                                 AllowedLines* later) {
  if (!may_suppress(sources[index].text)) return findings;
  Comments comments(sources[index].text, index, scalars);
  std::erase_if(findings, [&](Diagnostic& finding) { return comments.allow(finding); });
  const bool has_errors = errors(findings) > 0 || comments.sink().errors() > 0;
  if (later != nullptr) comments.find_later(comes_later, has_errors, *later);
  if (!has_errors) comments.report_unused();
  for (Diagnostic& each : comments.sink().take()) findings.push_back(std::move(each));
  std::ranges::stable_sort(findings, {}, [](const Diagnostic& finding) {
    return std::tuple(finding.where.source, finding.where.begin);
  });
  return findings;
}

}  // namespace flexslice::diag
