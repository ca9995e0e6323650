#include "extract/originals.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/lines.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"

namespace flexslice::extract {

using std::size_t;

namespace {

constexpr std::string_view beginning = "$X";

// Of `$XXX` at `at`. Letters of the file may follow the placeholder, and are the same there.
size_t length_at(std::string_view text, size_t at) {
  return std::min(text.find_first_not_of('X', at + 1), text.size()) - at;
}

bool is_blanked(std::string_view marked, size_t at) {
  return !marked.substr(at).starts_with(beginning);
}

// The mark of which the first `length` bytes are at `at`; on one line.
std::string mark_at(std::string_view marked, size_t at, size_t length) {
  std::string_view mark = marked.substr(at, length);
  if (text::line_end(marked, at) == at + length) {
    for (const auto& [open, close] : {std::pair("{{", "}}"), std::pair("{%", "%}")}) {
      const size_t end = mark.starts_with(open) ? marked.find(close, at) : marked.npos;
      if (end != marked.npos && end + 2 > at + length) mark = marked.substr(at, end + 2 - at);
    }
  }
  std::string line;
  for (std::string_view part : text::split(mark, '\n'))
    line += (line.empty() ? "" : " ") + std::string(line.empty() ? part : text::trim(part));
  return line;
}

// The mark that was replaced by a placeholder of this length. Several marks can have that length:
// one in the places counts first, and outside of them only a text that all of them have.
std::string find_mark(size_t length, std::span<const Span> places, const Excerpt& excerpt,
                      std::string_view marked) {
  const std::string_view text = excerpt.text;
  const std::string blanked = "$" + std::string(length - 1, 'X');
  std::optional<std::string> found;
  bool is_alone = true;
  for (size_t at = 0; (at = text.find(beginning, at)) != text.npos; ++at) {
    if (length_at(text, at) != length) continue;
    std::string mark = is_blanked(marked, at) ? mark_at(marked, at, length) : blanked;
    if (any_of(places, [&](Span place) { return place.begin <= at && at < place.end; }))
      return mark;
    is_alone = is_alone && (!found || *found == mark);
    found = std::move(mark);
  }
  return found ? is_alone ? *found : "{{ … }}" : blanked;
}

void restore_all(std::string& text, std::span<const Span> places, const Excerpt& excerpt,
                 std::string_view marked) {
  for (size_t at = 0; (at = text.find(beginning, at)) != text.npos;) {
    const size_t length = length_at(text, at);
    const std::string mark = find_mark(length, places, excerpt, marked);
    text.replace(at, length, mark);
    at += mark.size();
  }
}

}  // namespace

std::string with_marks(const Excerpt& excerpt, std::string_view file) {
  std::string text;
  for (const Excerpt::Segment& segment : excerpt.segments) {
    const auto& [begin, host, replaced] = segment;
    const size_t end = excerpt.end_of(segment);
    if (replaced == 0 && host + (end - begin) > file.size()) return excerpt.text;
    text += replaced > 0 ? std::string_view(excerpt.text).substr(begin, end - begin)
                         : file.substr(host, end - begin);
  }
  return text;
}

std::string with_bracketed_marks(const Excerpt& excerpt, std::string_view marked) {
  std::string text = excerpt.text;
  for (size_t at = 0; (at = text.find(beginning, at)) != text.npos; ++at) {
    const size_t length = length_at(text, at);
    if (marked[at] == '[') text.replace(at, length, marked.substr(at, length));
  }
  return text;
}

void restore_marks(std::string& text, Span where, const Excerpt& excerpt, std::string_view marked) {
  const std::string_view source = excerpt.text;
  const size_t end = std::min<size_t>(where.end, source.size());
  size_t done = 0;
  for (size_t at = where.begin; (at = source.find(beginning, at)) < end; ++at) {
    const size_t length = length_at(source, at);
    const size_t place = text.find(source.substr(at, length), done);
    if (place == text.npos) return;
    done = place + length;
    if (!is_blanked(marked, at)) continue;
    const std::string mark = mark_at(marked, at, length);
    text.replace(place, length, mark);
    done = place + mark.size();
  }
}

void restore_marks(yaml::Node& tree, const Excerpt& excerpt, std::string_view marked) {
  for (yaml::Node& item : tree.items) restore_marks(item, excerpt, marked);
  for (yaml::Member& member : tree.members) {
    restore_marks(member.key, excerpt, marked);
    restore_marks(member.value, excerpt, marked);
  }
  if (tree.kind == yaml::Kind::scalar && may_have_blanked(tree.text))
    restore_marks(tree.text, tree.span, excerpt, marked);
}

void restore_marks(diag::Diagnostic& finding, const Excerpt& excerpt, std::string_view file) {
  std::vector<std::string*> texts{&finding.message};
  for (auto* all : {&finding.notes, &finding.helps}) {
    for (std::string& each : *all) texts.push_back(&each);
  }
  for (diag::Related& related : finding.related) texts.push_back(&related.text);
  std::erase_if(texts, [](const std::string* text) { return !may_have_blanked(*text); });
  if (texts.empty()) return;
  const std::string marked = with_marks(excerpt, file);
  for (std::string* text : texts) restore_all(*text, std::span(&finding.where, 1), excerpt, marked);
}

void restore_marks(Word& word, const Excerpt& excerpt, std::string_view marked) {
  const Span places[] = {word.where, word.set_at};
  if (may_have_blanked(word.text)) restore_all(word.text, places, excerpt, marked);
  if (word.host == nullptr || !may_have_blanked(word.host->text)) return;
  HostText host = *word.host;
  restore_all(host.text, places, excerpt, marked);
  // A template fills in marks, and no shell.
  std::erase_if(host.unfilled, [&](Unfilled& part) {
    std::string before = part.text;
    if (may_have_blanked(part.text)) restore_all(part.text, places, excerpt, marked);
    return before.starts_with(beginning) && before != part.text;
  });
  word.host = std::make_shared<const HostText>(std::move(host));
}

bool may_have_blanked(std::string_view text) { return text.find(beginning) != text.npos; }

}  // namespace flexslice::extract
