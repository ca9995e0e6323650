#include "read/excerpt.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/lists.hpp"

namespace flexslice::read {

using std::size_t;

size_t Excerpt::host(size_t offset) const {
  const auto after = std::ranges::upper_bound(segments, offset, {}, &Segment::begin);
  if (after == segments.begin()) return offset;
  const Segment& segment = *std::prev(after);
  return segment.host + (offset - segment.begin);
}

void append(Excerpt& to, std::string_view bytes, size_t host) {
  if (bytes.empty()) return;
  if (to.segments.empty() || to.host(to.text.size()) != host)
    to.segments.push_back({to.text.size(), host});
  to.text += bytes;
}

void append(Excerpt& to, const Excerpt& from, size_t begin, size_t end) {
  const std::string_view text = from.text;
  auto next = std::ranges::upper_bound(from.segments, begin, {}, &Excerpt::Segment::begin);
  for (size_t at = begin; at < end; ++next) {
    const size_t until = next == from.segments.end() ? end : std::min(end, next->begin);
    append(to, text.substr(at, until - at), from.host(at));
    at = until;
    if (next == from.segments.end()) break;
  }
}

Excerpt part(const Excerpt& whole, size_t begin, size_t end) {
  Excerpt part{whole.language, {}, {}, whole.has_marks, whole.is_fragment};
  append(part, whole, begin, end);
  if (part.segments.empty()) part.segments.push_back({0, whole.host(begin)});
  return part;
}

// The end of a span is the byte after its last one: the next byte of the excerpt may be in another
// line of the file.
Span in_file(Span span, const Excerpt& from, std::uint32_t file) {
  const size_t begin = from.host(span.begin);
  return {file, begin, span.end > span.begin ? from.host(span.end - 1) + 1 : begin};
}

namespace {

bool stays_in_line(const diag::Edit& fix, const Excerpt& from) {
  const std::string_view replaced =
      std::string_view(from.text).substr(fix.where.begin, fix.where.end - fix.where.begin);
  const Span span = in_file(fix.where, from, 0);
  return span.end - span.begin == replaced.size() && !contains(replaced, '\n') &&
         !contains(fix.text, '\n');
}

}  // namespace

void move_to_file(diag::Diagnostic& finding, const Excerpt& from, std::uint32_t index,
                  std::uint32_t file) {
  const auto is_ours = [&](const diag::Edit& fix) { return fix.where.source == index; };
  if (any_of(finding.fixes,
             [&](const auto& fix) { return is_ours(fix) && !stays_in_line(fix, from); }))
    finding.fixes.clear();
  const auto move = [&](Span& span) {
    if (span.source == index) span = in_file(span, from, file);
  };
  move(finding.where);
  for (diag::Edit& fix : finding.fixes) move(fix.where);
  for (diag::Related& related : finding.related) {
    if (related.file.empty()) move(related.where);
  }
}

}  // namespace flexslice::read
