#include "extract/excerpt.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/lists.hpp"

namespace flexslice::extract {

using std::size_t;

const Excerpt::Segment* Excerpt::segment_at(size_t offset) const {
  const auto after = std::ranges::upper_bound(segments, offset, {}, &Segment::begin);
  return after == segments.begin() ? nullptr : &*std::prev(after);
}

size_t Excerpt::end_of(const Segment& segment) const {
  const Segment* next = &segment + 1;
  return next == segments.data() + segments.size() ? text.size() : next->begin;
}

size_t Excerpt::host(size_t offset) const {
  const Segment* segment = segment_at(offset);
  if (segment == nullptr) return offset;
  if (segment->replaced == 0) return segment->host + (offset - segment->begin);
  return segment->host + (offset == text.size() ? segment->replaced : 0);
}

size_t Excerpt::host_end(size_t offset) const {
  const Segment* segment = segment_at(offset);
  return segment != nullptr && segment->replaced > 0 ? segment->host + segment->replaced
                                                     : host(offset) + 1;
}

void append_bytes(Excerpt& to, std::string_view bytes, size_t host) {
  if (bytes.empty()) return;
  if (to.segments.empty() || to.segments.back().replaced > 0 || to.host(to.text.size()) != host)
    to.segments.push_back({to.text.size(), host});
  to.text += bytes;
}

void append_in_place(Excerpt& to, std::string_view bytes, size_t host, size_t replaced) {
  to.segments.push_back({to.text.size(), host, replaced});
  to.text += bytes;
}

void append_bytes(Excerpt& to, const Excerpt& from, size_t begin, size_t end) {
  const std::string_view text = from.text;
  if (from.segments.empty()) return append_bytes(to, text.substr(begin, end - begin), begin);
  auto segment = std::ranges::lower_bound(from.segments, begin, {}, &Excerpt::Segment::begin);
  if (segment == from.segments.end() || segment->begin > begin) --segment;
  for (; segment != from.segments.end() && segment->begin < end; ++segment) {
    const size_t at = std::max(begin, segment->begin);
    const auto bytes = text.substr(at, std::min(end, from.end_of(*segment)) - at);
    if (segment->replaced > 0) {
      append_in_place(to, bytes, segment->host, segment->replaced);
    } else {
      append_bytes(to, bytes, segment->host + (at - segment->begin));
    }
  }
}

Excerpt part(const Excerpt& whole, size_t begin, size_t end) {
  Excerpt part{whole.language,
               {},
               {},
               whole.mark,
               whole.has_template_lines,
               whole.is_embedded,
               whole.is_sent,
               whole.has_whole_objects,
               whole.completeness,
               whole.unfilled,
               whole.own_shell,
               whole.name_space,
               whole.environment,
               whole.has_open_environment};
  append_bytes(part, whole, begin, end);
  if (part.segments.empty()) part.segments.push_back({0, whole.host(begin)});
  return part;
}

// The end of a span is the byte after its last one: the next byte of the excerpt may be in another
// line of the file.
Span in_file(Span span, const Excerpt& from, std::uint32_t file) {
  const size_t begin = from.host(span.begin);
  return {file, begin, span.end > span.begin ? from.host_end(span.end - 1) : begin};
}

namespace {

// Next to `$X` counts: what is written there may become a part of the name.
bool touches_replaced(Span span, const Excerpt& from) {
  auto segment = std::ranges::lower_bound(from.segments, span.begin, {}, &Excerpt::Segment::begin);
  if (segment != from.segments.begin()) --segment;
  for (; segment != from.segments.end() && segment->begin <= span.end; ++segment) {
    if (segment->replaced > 0 && span.begin <= from.end_of(*segment)) return true;
  }
  return false;
}

bool stays_in_line(const diag::Edit& fix, const Excerpt& from) {
  if (from.completeness == Completeness::expanded &&
      fix.text.find_first_of("$`\\") != fix.text.npos)
    return false;
  // The script may be in the quotes of another.
  if (from.own_shell && fix.text.find_first_of("\"'\\$`") != fix.text.npos) return false;
  if (touches_replaced(fix.where, from)) return false;
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
  std::erase_if(finding.choices, [&](const diag::Edit& choice) {
    return !is_ours(choice) || !stays_in_line(choice, from);
  });
  const auto move = [&](Span& span) {
    if (span.source == index) span = in_file(span, from, file);
  };
  move(finding.where);
  for (diag::Edit& choice : finding.choices) move(choice.where);
  for (diag::Edit& fix : finding.fixes) move(fix.where);
  for (diag::Related& related : finding.related) {
    if (related.file.empty()) move(related.where);
  }
}

}  // namespace flexslice::extract
