#include "extract/marks.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "schema/placeholder.hpp"

namespace flexslice::extract {

using std::size_t;

namespace {

constexpr size_t none = std::string_view::npos;

struct TemplateMark {
  size_t end = 0;
  bool is_template = true;  // false: a placeholder of documentation
};

// Openings of marks that a template program fills in, and their ends.
constexpr std::pair<std::string_view, std::string_view> template_marks[] = {
    {"{{", "}}"},  {"{%", "%}"},    {"{#", "#}"},     {"%{ ", "}"},   {"%{~", "}"},
    {"%{if", "}"}, {"%{else", "}"}, {"%{endif", "}"}, {"%{for", "}"}, {"%{endfor", "}"}};

class MarkBlanker {
 public:
  explicit MarkBlanker(Excerpt& excerpt)
      : excerpt_(excerpt), text_(excerpt.text), is_yaml_(excerpt.language == Language::yaml) {
    const std::string_view bare = text::trim(text_);
    is_json_ = (bare.starts_with('{') || bare.starts_with('[')) && !is_template_mark(bare);
  }

  void blank() {
    const auto may_begin = [](char c) {
      return c == '{' || c == '$' || c == '%' || c == '<' || c == '[';
    };
    for (size_t at = 0; (at = text::find_if(text_, at, may_begin)) < text_.size();) {
      if (at >= line_end_) begin_line(text::line_begin(text_, at));
      const auto mark = mark_at(at);
      if (mark) add(at, *mark);
      at = mark ? mark->end : std::max(at + 1, skip_);
    }
  }

 private:
  static bool is_template_mark(std::string_view text) {
    return any_of(template_marks, [&](const auto& mark) { return text.starts_with(mark.first); });
  }

  // The line from `at` on.
  std::string_view rest(size_t at) const {
    return std::string_view(text_).substr(at, std::max(line_end_, at) - at);
  }

  void add(size_t at, const TemplateMark& mark) {
    if (mark.is_template) {
      const bool is_first =
          text::trim(std::string_view(text_).substr(line_begin_, at - line_begin_)).empty();
      excerpt_.has_template_lines |=
          is_yaml_ && is_first && !text::trim(rest(mark.end)).starts_with(':');
      if (excerpt_.mark == Span{})
        excerpt_.mark = {0, excerpt_.host(at), excerpt_.host_end(mark.end - 1)};
    }
    std::fill(text_.begin() + static_cast<std::ptrdiff_t>(at) + 1,
              text_.begin() + static_cast<std::ptrdiff_t>(mark.end), 'X');
    text_[at] = '$';
  }

  // Finds where the value of a YAML line begins.
  void begin_line(size_t line) {
    line_begin_ = value_ = line;
    line_end_ = text::line_end(text_, line);
    if (!is_yaml_) return;
    const auto skip_blanks = [&] {
      while (value_ < line_end_ && ascii::is_blank(text_[value_])) ++value_;
    };
    skip_blanks();
    while (rest(value_).starts_with("- ")) {
      ++value_;
      skip_blanks();
    }
    const auto begins_flow = [&] {
      return rest(value_).find_first_of("[{") == 0 && !is_template_mark(rest(value_));
    };
    is_comment_ = rest(value_).starts_with('#');
    const size_t colon = rest(value_).find(": ");
    if (colon != none && !begins_flow() && !is_template_mark(rest(value_))) {
      value_ += colon + 2;
      skip_blanks();
    }
    is_flow_ = is_json_ || begins_flow();
    quoted_to_ = value_;
    quote_ = 0;
  }

  std::optional<TemplateMark> mark_at(size_t at) {
    const bool is_dollar = at > 0 && text_[at - 1] == '$';  // GitHub's, or of a shell
    for (const auto& [opening, end] : template_marks) {
      if (is_dollar || !rest(at).starts_with(opening)) continue;
      const size_t close = rest(at).find(end, opening.size());
      if (close == none) {
        skip_ = line_end_;
        // It ends in another line, so that nobody knows what is there.
        excerpt_.has_template_lines |= is_yaml_ && !is_comment_ && opening == "{{";
        return {};
      }
      const size_t length = end.size() + (rest(at).substr(close).starts_with("}}}") ? 1 : 0);
      return TemplateMark{at + close + length};
    }
    if (!is_yaml_ || is_comment_ || is_dollar) return {};
    return text_[at] == '$' ? parameter(at) : text_[at] == '<' ? angled(at) : bracketed(at);
  }

  // `${…}` that YAML would read as something else than a part of a scalar.
  std::optional<TemplateMark> parameter(size_t at) {
    if (!rest(at).starts_with("${")) return {};
    size_t end = at + 2;
    bool is_simple = true;
    for (int depth = 1; end < line_end_; ++end) {
      const char c = text_[end];
      if (c == '{') ++depth;
      if (c == '}' && --depth == 0) break;
      is_simple &= ascii::is_letter_or_digit(c) || contains(std::string_view("_.:-"), c);
    }
    skip_ = end;
    if (end == line_end_) return {};
    const std::string_view inner = rest(at).substr(0, end - at);
    const bool is_risky = inner.find(": ") != none || inner.find(" #") != none ||
                          (is_flow_ && !is_in_quotes(at)) ||
                          (!is_simple && at == value_ && !inner.starts_with("${{"));
    return is_risky ? std::optional(TemplateMark{end + 1, false}) : std::nullopt;
  }

  // Quotes keep a scalar whole, wherever in it the place is. Places are asked for from left to
  // right, so that a long line is read once.
  bool is_in_quotes(size_t at) {
    for (; quoted_to_ < at; ++quoted_to_) {
      const char c = text_[quoted_to_];
      if (quote_ == 0 && (c == '"' || c == '\''))
        quote_ = c;
      else if (c == quote_ && (c == '\'' || text_[quoted_to_ - 1] != '\\'))
        quote_ = 0;
    }
    return quote_ != 0;
  }

  // `<a: b>`
  std::optional<TemplateMark> angled(size_t at) const {
    const size_t close = rest(at).find_first_of("<>\"", 1);
    if (at != value_ || close == none || close < 2 || rest(at)[close] != '>' ||
        !schema::placeholder_in(rest(at).substr(0, close + 1)).empty())
      return {};
    return TemplateMark{at + close + 1, false};
  }

  // `[ZONE]`, `{ZONE}`
  std::optional<TemplateMark> bracketed(size_t at) const {
    const std::string_view part = rest(at);
    const size_t close = part.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", 1);
    if (at < value_ || part[0] == '%' || close == none || close == 1 ||
        part[close] != (part[0] == '[' ? ']' : '}') || !ascii::is_upper(part[1]))
      return {};
    return TemplateMark{at + close + 1, false};
  }

  Excerpt& excerpt_;
  std::string& text_;
  bool is_yaml_;
  bool is_json_;
  bool is_comment_ = false;
  bool is_flow_ = false;
  size_t line_begin_ = 0, line_end_ = 0, value_ = 0;  // of the line
  size_t quoted_to_ = 0;                              // the end of what is read of the line
  char quote_ = 0;                                    // that is open there
  size_t skip_ = 0;                                   // the end of what is no mark
};

constexpr std::string_view blanked = "$X";

// Measures `$XXX` at `at`. Letters of the file may follow the placeholder, and are the same there.
size_t length_at(std::string_view text, size_t at) {
  return std::min(text.find_first_not_of('X', at + 1), text.size()) - at;
}

// Puts the marks back that are at `where`, in a text that was read there.
void restore_in_text(std::string& text, Span where, const Excerpt& from, std::string_view file) {
  if (text.find(blanked) == none) return;
  const Span host = in_file(where, from, 0);
  const std::string_view own =
      std::string_view(from.text).substr(where.begin, where.end - where.begin);
  const std::string_view raw = file.substr(std::min<size_t>(host.begin, file.size()), own.size());
  if (host.end - host.begin != own.size() || raw.size() != own.size()) return;
  size_t done = 0;
  for (size_t at = 0; (at = own.find(blanked, at)) != none; ++at) {
    const std::string_view mark = own.substr(at, length_at(own, at));
    const size_t place = text.find(mark, done);
    if (place == none) return;
    done = place + mark.size();
    if (raw.substr(at, mark.size()) != mark)
      text.replace(place, mark.size(), raw.substr(at, mark.size()));
  }
}

}  // namespace

void blank_marks(Excerpt& excerpt) { MarkBlanker(excerpt).blank(); }

void restore_marks(yaml::Node& node, const Excerpt& from, std::string_view file) {
  for (yaml::Node& item : node.items) restore_marks(item, from, file);
  for (yaml::Member& member : node.members) {
    restore_marks(member.key, from, file);
    restore_marks(member.value, from, file);
  }
  if (node.kind != yaml::Kind::scalar) return;
  restore_in_text(node.text, node.span, from, file);
  const std::string text = node.text;
  if (node.quoted || !text.starts_with('[') || !text.ends_with(']')) return;
  // `[SYS_PTRACE]` is a list, as YAML reads it.
  yaml::Node item = std::exchange(node, {});
  node.kind = yaml::Kind::sequence;
  node.span = item.span;
  item.text = text.substr(1, text.size() - 2);
  node.items.push_back(std::move(item));
}

void restore_marks(diag::Diagnostic& finding, const Excerpt& from, std::string_view file) {
  const auto restore = [&](std::string& text) {
    if (text.find(blanked) == none) return;
    restore_in_text(text, finding.where, from, file);
    for (size_t at = 0; (at = text.find(blanked, at)) != none; ++at) {
      const std::string_view mark = std::string_view(text).substr(at, length_at(text, at));
      if (file.find(mark) == none) text.replace(at, mark.size(), "…");
    }
  };
  restore(finding.message);
  std::ranges::for_each(finding.notes, restore);
  std::ranges::for_each(finding.helps, restore);
  for (diag::Related& related : finding.related) restore(related.text);
}

}  // namespace flexslice::extract
