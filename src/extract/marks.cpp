#include "extract/marks.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

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
  size_t begin = 0;
  size_t end = 0;
  bool is_control = false;  // writes nothing itself
  bool is_template = true;  // false: a placeholder of documentation
};

constexpr std::string_view go_words[] = {"if",    "else",  "end", "range",    "with", "define",
                                         "block", "break", "/*",  "continue", "#if",  "/if",
                                         "#each", "/each", "^",   "<",        "%"};
constexpr std::string_view terraform_words[] = {"if", "else", "endif", "for", "endfor"};

// `~ if x`: begins with one of the words.
bool begins_with_word(std::string_view inner, const auto& words) {
  text::take(inner, [](char c) { return c == '-' || c == '~' || ascii::is_space(c); });
  return any_of(words, [&](std::string_view word) {
    const bool is_name = ascii::is_lower(word.back());
    return inner.starts_with(word) && (!is_name || inner.size() == word.size() ||
                                       !ascii::is_letter_or_digit(inner[word.size()]));
  });
}

// The next occurrence of a text, searched for once.
class Next {
 public:
  Next(std::string_view text, std::string_view wanted) : text_(text), wanted_(wanted) {}
  size_t from(size_t at) {
    if (next_ == none || next_ < at || !is_known_) next_ = find(at);
    return next_;
  }

 private:
  size_t find(size_t at) {
    if (is_known_ && next_ == none) return none;
    is_known_ = true;
    return text_.find(wanted_, at);
  }

  std::string_view text_;
  std::string_view wanted_;
  size_t next_ = 0;
  bool is_known_ = false;
};

class MarkFinder {
 public:
  MarkFinder(std::string_view text, Language language)
      : text_(text), is_yaml_(language == Language::yaml) {
    const size_t first = text.find_first_not_of(" \t\r\n");
    is_json_ = is_yaml_ && first != none && contains(std::string_view("{["), text[first]) &&
               !text.substr(first).starts_with("{{") && !text.substr(first).starts_with("{%") &&
               !text.substr(first).starts_with("{#");
  }

  std::vector<TemplateMark> find() {
    size_t at = 0;
    const auto may_begin = [](char c) {
      return c == '{' || c == '$' || c == '%' || c == '<' || c == '[';
    };
    while ((at = text::find_if(text_, at, may_begin)) < text_.size()) {
      if (at >= line_end_) begin_line(text::line_begin(text_, at));
      if (const auto mark = mark_at(at)) {
        found_.push_back(*mark);
        at = mark->end;
      } else {
        at = std::max(at + 1, skip_);
      }
    }
    return std::move(found_);
  }

 private:
  bool follows(size_t at, std::string_view wanted) const {
    return text_.substr(at).starts_with(wanted);
  }

  // Finds where the value of a YAML line begins.
  void begin_line(size_t line) {
    value_ = line;
    const size_t end = line_end_ = text::line_end(text_, line);
    if (!is_yaml_) return;
    const auto skip_blanks = [&] {
      while (value_ < end && ascii::is_blank(text_[value_])) ++value_;
    };
    skip_blanks();
    while (value_ + 1 < end && text_[value_] == '-' && text_[value_ + 1] == ' ') {
      ++value_;
      skip_blanks();
    }
    is_comment_ = value_ < end && text_[value_] == '#';
    const size_t colon = text_.substr(0, end).find(": ", value_);
    const bool has_mark = text_.substr(value_, 2) == "{{" || text_.substr(value_, 2) == "{%";
    if (colon != none && !has_mark && !contains(std::string_view("[{"), text_[value_])) {
      value_ = colon + 2;
      skip_blanks();
    }
    is_flow_ = is_json_ || (value_ < end && contains(std::string_view("[{"), text_[value_]) &&
                            !follows(value_, "{{") && !follows(value_, "{%"));
  }

  std::optional<TemplateMark> mark_at(size_t at) {
    switch (text_[at]) {
      case '{':
        if (at > 0 && text_[at - 1] == '$') return {};  // GitHub's, or of a shell
        if (follows(at, "{{")) return go(at);
        if (follows(at, "{%")) return closed(at, jinja_.from(at + 2), 2, true);
        if (follows(at, "{#")) return closed(at, jinja_comment_.from(at + 2), 2, true);
        return bracketed(at);
      case '%':
        return terraform(at);
      case '$':
        return parameter(at);
      case '<':
        return angled(at);
      default:
        return bracketed(at);
    }
  }

  static std::optional<TemplateMark> closed(size_t at, size_t close, size_t length,
                                            bool is_control) {
    if (close == none) return {};
    return TemplateMark{at, close + length, is_control};
  }

  std::optional<TemplateMark> go(size_t at) {
    const std::string_view start = text_.substr(at + 2, 4);
    if (start.starts_with("/*") || start.starts_with("- /*")) {
      const size_t comment = comment_.from(at + 2);
      return comment == none ? std::optional<TemplateMark>()
                             : closed(at, go_.from(comment), 2, true);
    }
    const size_t close = go_.from(at + 2);
    if (close == none || opening_.from(at + 2) < close) return {};
    const size_t braces = follows(at, "{{{") && follows(close, "}}}") ? 3 : 2;
    const std::string_view content = text_.substr(at + 2, close - at - 2);
    const bool assigns = content.find(":=") != none && begins_with_word(content, dollar_);
    return TemplateMark{at, close + braces, assigns || begins_with_word(content, go_words)};
  }

  // `%{ if x }`
  std::optional<TemplateMark> terraform(size_t at) {
    if (!follows(at, "%{") || !begins_with_word(text_.substr(at + 2, 16), terraform_words))
      return {};
    skip_ = std::min(text_.find_first_of("}\n", at), text_.size());
    if (skip_ == text_.size() || text_[skip_] == '\n') return {};
    return TemplateMark{at, skip_ + 1, true};
  }

  // `${…}` that YAML would read as something else than a part of a scalar.
  std::optional<TemplateMark> parameter(size_t at) {
    if (!is_yaml_ || is_comment_ || !follows(at, "${")) return {};
    size_t end = at + 2;
    bool is_simple = true;
    for (int depth = 1; end < text_.size() && text_[end] != '\n'; ++end) {
      const char c = text_[end];
      if (c == '{') ++depth;
      if (c == '}' && --depth == 0) break;
      is_simple =
          is_simple && (ascii::is_letter_or_digit(c) || contains(std::string_view("_.:-"), c));
    }
    skip_ = end;
    if (end >= text_.size() || text_[end] != '}') return {};
    const std::string_view inner = text_.substr(at, end - at);
    const bool is_risky = inner.find(": ") != none || inner.find(" #") != none || is_flow_ ||
                          (!is_simple && at == value_ && !inner.starts_with("${{"));
    if (!is_risky) return {};
    return TemplateMark{at, end + 1, false, !is_simple && !inner.starts_with("${{")};
  }

  // `<a: b>`
  std::optional<TemplateMark> angled(size_t at) const {
    if (!is_yaml_ || is_comment_ || at != value_) return {};
    const size_t close = text_.find_first_of("<>\n\"", at + 1);
    if (close == none || text_[close] != '>' || close < at + 2) return {};
    if (!schema::placeholder_in(text_.substr(at, close + 1 - at)).empty()) return {};
    return TemplateMark{at, close + 1, false, false};
  }

  // `[ZONE]`, `{ZONE}`
  std::optional<TemplateMark> bracketed(size_t at) const {
    if (!is_yaml_ || is_comment_ || at < value_) return {};
    const size_t close = text_.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", at + 1);
    if (close == none || close == at + 1 || text_[close] != (text_[at] == '[' ? ']' : '}') ||
        !ascii::is_upper(text_[at + 1]))
      return {};
    return TemplateMark{at, close + 1, false, false};
  }

  static constexpr std::string_view dollar_[] = {"$"};

  std::string_view text_;
  bool is_yaml_;
  bool is_json_ = false;
  bool is_comment_ = false;
  bool is_flow_ = false;
  size_t line_end_ = 0, value_ = 0;  // of the line
  size_t skip_ = 0;                  // the end of what is no mark
  Next go_{text_, "}}"};
  Next opening_{text_, "{{"};
  Next comment_{text_, "*/"};
  Next jinja_{text_, "%}"};
  Next jinja_comment_{text_, "#}"};
  std::vector<TemplateMark> found_;
};

constexpr std::string_view blanked = "$X";

constexpr std::pair<std::string_view, std::string_view> template_marks[] = {
    {"{{", "}}"}, {"{%", "%}"}, {"{#", "#}"}, {"%{", "}"}, {"${", "}"}};

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

class Blanker {
 public:
  explicit Blanker(Excerpt& excerpt) : text_(excerpt.text), language_(excerpt.language) {}

  // Marks that begin in the line in which the one before ends.
  void blank(const TemplateMark* first, const TemplateMark* last) {
    const TemplateMark* const end = last + 1;
    if (are_alone(first, end)) {
      const bool continues = language_ == Language::shell && continues_around(*first, *last);
      for (const TemplateMark* mark = first; mark != end; ++mark) fill(mark->begin, mark->end, ' ');
      if (continues) text_[last->end - 1] = '\\';
      return;
    }
    const auto is_control = [](const TemplateMark& mark) { return mark.is_control; };
    const TemplateMark* const control = std::find_if(first, end, is_control);
    const std::string_view before =
        std::string_view(text_).substr(text::line_begin(text_, first->begin),
                                       first->begin - text::line_begin(text_, first->begin));
    if (control == end || text::trim(before).empty()) {
      for (const TemplateMark* mark = first; mark != end; ++mark) blank_one(*mark);
      return;
    }
    // Of a value with branches nobody knows what it comes to.
    const TemplateMark* back = last;
    while (!back->is_control) --back;
    for (const TemplateMark* mark = first; mark != control; ++mark) blank_one(*mark);
    if (control == back) {
      blank_one(*control);
    } else {
      placeholder(control->begin, back->end);
    }
    for (const TemplateMark* mark = back + 1; mark != end; ++mark) blank_one(*mark);
  }

 private:
  bool are_alone(const TemplateMark* first, const TemplateMark* end) const {
    size_t at = text::line_begin(text_, first->begin);
    const auto is_blank = [&](size_t until) {
      return text::trim(std::string_view(text_).substr(at, until - at)).empty();
    };
    for (const TemplateMark* mark = first; mark != end; ++mark) {
      if (!is_blank(mark->begin)) return false;
      at = mark->end;
    }
    const std::string_view rest =
        text::trim(std::string_view(text_).substr(at, text::line_end(text_, at) - at));
    return rest.empty() || rest.starts_with('#');
  }

  // A line of marks between the options of a command must not end it.
  bool continues_around(const TemplateMark& first, const TemplateMark& last) const {
    const std::string_view text = text_;
    const std::string_view before = text::trim(text.substr(0, text::line_begin(text, first.begin)));
    const size_t next = text.find_first_not_of(" \t", text::next_line(text, last.end));
    return before.ends_with('\\') && next != none && contains(std::string_view("-{%"), text[next]);
  }

  void fill(size_t begin, size_t end, char with) {
    for (size_t at = begin; at < end; ++at) {
      if (text_[at] != '\n' && text_[at] != '\r') text_[at] = with;
    }
  }

  void blank_one(const TemplateMark& mark) {
    if (mark.is_control) {
      fill(mark.begin, mark.end, ' ');
    } else {
      placeholder(mark.begin, mark.end);
    }
  }

  void placeholder(size_t begin, size_t end) {
    const size_t first_line =
        begin +
        std::min(std::string_view(text_).substr(begin, end - begin).find('\n'), end - begin);
    fill(begin, first_line, 'X');
    text_[begin] = '$';
    fill(first_line, end, ' ');
  }

  std::string& text_;
  Language language_;
};

}  // namespace

void blank_marks(Excerpt& excerpt) {
  const std::vector<TemplateMark> marks = MarkFinder(excerpt.text, excerpt.language).find();
  Blanker blanker(excerpt);
  for (size_t first = 0; first < marks.size();) {
    size_t last = first;
    size_t line_end = text::line_end(excerpt.text, marks[last].end);
    while (last + 1 < marks.size() && marks[last + 1].begin < line_end) {
      ++last;
      if (marks[last].end > line_end) line_end = text::line_end(excerpt.text, marks[last].end);
    }
    blanker.blank(&marks[first], &marks[last]);
    first = last + 1;
  }
  excerpt.has_marks =
      excerpt.has_marks || any_of(marks, [](const TemplateMark& mark) { return mark.is_template; });
}

bool has_blanked_marks(const Excerpt& excerpt, Span tree, std::string_view file) {
  const std::string_view text = excerpt.text;
  for (const Excerpt::Segment& segment : excerpt.segments) {
    if (segment.replaced > 0) continue;
    const size_t end = excerpt.end_of(segment);
    for (size_t at = std::max<size_t>(segment.begin, tree.begin); at < end; ++at) {
      const size_t host = segment.host + (at - segment.begin);
      if (host >= file.size()) break;
      if (text[at] != ' ' || ascii::is_blank(file[host])) continue;
      // `{{- end }}` behind the tree belongs to a mark before it.
      const size_t line_end = text::line_end(file, host);
      const std::string_view mark = file.substr(host, line_end - host);
      if (at < tree.end || mark.find("end") == none) return true;
      at += line_end - host;
    }
  }
  return false;
}

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

std::optional<Span> template_mark(const Excerpt& excerpt, std::string_view file) {
  for (const Excerpt::Segment& segment : excerpt.segments) {
    if (segment.replaced > 0) continue;
    const size_t length = excerpt.end_of(segment) - segment.begin;
    for (size_t at = 0; at < length && segment.host + at < file.size(); ++at) {
      const std::string_view mark = file.substr(segment.host + at);
      if (excerpt.text[segment.begin + at] == mark[0]) continue;
      const auto* of = find_where(template_marks,
                                  [&](const auto& each) { return mark.starts_with(each.first); });
      if (of == nullptr) continue;
      const size_t end = std::min(mark.find(of->second), text::line_end(mark, 0));
      const size_t begin = segment.begin + at;
      return Span{0, begin, begin + std::min(end + of->second.size(), text::line_end(mark, 0))};
    }
  }
  return {};
}

}  // namespace flexslice::extract
