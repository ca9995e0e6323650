#include "base/diff.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "base/lines.hpp"

namespace flexslice {

namespace {

constexpr int context = 3;
// Deletions and insertions that the search for the shortest diff goes up to. Its memory grows with
// the square: 8 MB here.
constexpr int max_changes = 1000;

using Lines = std::vector<std::string_view>;

// With their line breaks, so that a last line without one differs from the same line with one.
Lines lines_of(std::string_view text) {
  Lines lines;
  for (std::size_t at = 0, next = 0; at < text.size(); at = next) {
    next = text::next_line(text, at);
    lines.push_back(text.substr(at, next - at));
  }
  return lines;
}

// Old lines [old_begin, old_end) become new lines [new_begin, new_end).
struct Change {
  int old_begin, old_end;
  int new_begin, new_end;
};

// The shortest way from one to the other, in order and with equal lines between any two changes.
// Each row is of one more deletion or insertion: how far the old text is used up on each diagonal
// k, old lines less new lines. (Myers, An O(ND) difference algorithm and its variations, 1986.)
std::vector<Change> shortest(const Lines& old_lines, const Lines& new_lines) {
  const int n = static_cast<int>(old_lines.size()), m = static_cast<int>(new_lines.size());
  if (n == 0 || m == 0) return {{0, n, 0, m}};
  // Row d has index d + 1, and diagonal k at k + d + 2; what was not reached is -1.
  std::vector<std::vector<int>> rows = {{-1, -1, -1}};
  for (bool at_end = false; !at_end;) {
    const int d = static_cast<int>(rows.size()) - 1;
    if (d > max_changes) return {{0, n, 0, m}};
    const std::vector<int>& last = rows.back();
    std::vector<int> row(2 * d + 5, -1);
    for (int k = -d; k <= d; k += 2) {
      int x = std::max(last[k + d] + 1, last[k + d + 2]);
      while (x < n && x >= k && x - k < m && old_lines[x] == new_lines[x - k]) ++x;
      row[k + d + 2] = x;
      at_end |= x >= n && x - k >= m;
    }
    rows.push_back(std::move(row));
  }
  std::vector<Change> changes;
  for (int d = static_cast<int>(rows.size()) - 2, k = n - m; d > 0; --d) {
    const std::vector<int>& last = rows[d];
    const bool insertion = last[k + d] < last[k + d + 2];
    k += insertion ? 1 : -1;
    const int x = last[k + d + 1], y = x - k;
    const Change single = insertion ? Change{x, x, y, y + 1} : Change{x, x + 1, y, y};
    if (!changes.empty() && changes.back().old_begin == single.old_end &&
        changes.back().new_begin == single.new_end) {
      changes.back().old_begin = x;
      changes.back().new_begin = y;
    } else {
      changes.push_back(single);
    }
  }
  std::ranges::reverse(changes);
  return changes;
}

std::vector<Change> changes_between(const Lines& old_lines, const Lines& new_lines) {
  const auto [old_head, new_head] = std::ranges::mismatch(old_lines, new_lines);
  const auto [old_tail, new_tail] =
      std::mismatch(old_lines.rbegin(), std::make_reverse_iterator(old_head), new_lines.rbegin(),
                    std::make_reverse_iterator(new_head));
  const int head = static_cast<int>(old_head - old_lines.begin());
  std::vector<Change> changes = shortest({old_head, old_tail.base()}, {new_head, new_tail.base()});
  for (Change& change : changes) {
    for (int* line : {&change.old_begin, &change.old_end, &change.new_begin, &change.new_end})
      *line += head;
  }
  return changes;
}

void append_lines(char sign, const Lines& lines, int begin, int end, std::string& out) {
  for (int i = begin; i < end; ++i) {
    out.append(1, sign).append(lines[i]);
    if (!lines[i].ends_with('\n')) out += "\n\\ No newline at end of file\n";
  }
}

// `12,3`, counted from 1; an empty range comes after the line it names.
std::string range(int begin, int end) {
  if (end - begin == 1) return std::to_string(end);
  return fmt::format("{},{}", end == begin ? begin : begin + 1, end - begin);
}

void append_hunk(const Lines& old_lines, const Lines& new_lines, std::span<const Change> changes,
                 std::string& out) {
  const Change& first = changes.front();
  const Change& last = changes.back();
  const int before = std::min(context, first.old_begin);
  const int after = std::min(context, static_cast<int>(old_lines.size()) - last.old_end);
  out += fmt::format("@@ -{} +{} @@\n", range(first.old_begin - before, last.old_end + after),
                     range(first.new_begin - before, last.new_end + after));
  int done = first.old_begin - before;
  for (const Change& change : changes) {
    append_lines(' ', old_lines, done, change.old_begin, out);
    append_lines('-', old_lines, change.old_begin, change.old_end, out);
    append_lines('+', new_lines, change.new_begin, change.new_end, out);
    done = change.old_end;
  }
  append_lines(' ', old_lines, done, done + after, out);
}

}  // namespace

std::string unified_diff(std::string_view old_text, std::string_view new_text,
                         std::string_view old_name, std::string_view new_name) {
  if (old_text == new_text) return {};
  const Lines old_lines = lines_of(old_text), new_lines = lines_of(new_text);
  const std::vector<Change> changes = changes_between(old_lines, new_lines);
  std::string out = fmt::format("--- {}\n+++ {}\n", old_name, new_name);
  for (auto first = changes.begin(); first != changes.end();) {
    const auto next = std::adjacent_find(
        first, changes.end(),
        [](const Change& a, const Change& b) { return b.old_begin - a.old_end > 2 * context; });
    const auto end = next == changes.end() ? next : next + 1;
    append_hunk(old_lines, new_lines, {std::to_address(first), std::to_address(end)}, out);
    first = end;
  }
  return out;
}

}  // namespace flexslice
