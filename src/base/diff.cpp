#include "base/diff.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "base/lines.hpp"
#include "base/text.hpp"

namespace flexslice {

namespace {

constexpr int context = 3;
// Deletions and insertions that the search for the shortest diff goes up to. Its memory grows with
// the square: 4 MB here.
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

int size_of(const auto& list) { return static_cast<int>(list.size()); }

// The furthest points reached with 0, 1, 2… changes: row d holds, for each diagonal k = -d, -d+2 …
// d, how far the old text is used up. (Myers, An O(ND) difference algorithm and its variations,
// 1986.)
class Search {
 public:
  Search(const Lines& a, const Lines& b) : a_(a), b_(b) {}

  // Whether the end is reached with max_changes at most.
  bool run() {
    for (int d = 0; d <= max_changes; ++d) {
      std::vector<int> row;
      for (int k = -d; k <= d; k += 2) {
        int x = down(k, d) ? at(d - 1, k + 1) : (d == 0 ? 0 : at(d - 1, k - 1) + 1);
        int y = x - k;
        while (x < size_of(a_) && y < size_of(b_) && x >= 0 && y >= 0 &&
               a_[index(x)] == b_[index(y)])
          ++x, ++y;
        row.push_back(x);
        if (x >= size_of(a_) && y >= size_of(b_)) {
          rows_.push_back(std::move(row));
          return true;
        }
      }
      rows_.push_back(std::move(row));
    }
    return false;
  }

  // The path back from the end, as single deletions and insertions in order.
  std::vector<Change> changes() const {
    std::vector<Change> found;
    int k = size_of(a_) - size_of(b_);
    for (int d = static_cast<int>(rows_.size()) - 1; d > 0; --d) {
      const bool insertion = down(k, d);
      k += insertion ? 1 : -1;
      const int x = at(d - 1, k), y = x - k;
      found.push_back(insertion ? Change{x, x, y, y + 1} : Change{x, x + 1, y, y});
    }
    std::reverse(found.begin(), found.end());
    return found;
  }

 private:
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }
  int at(int d, int k) const { return rows_[index(d)][index((k + d) / 2)]; }
  // Whether diagonal k is best reached from k + 1, by an insertion.
  bool down(int k, int d) const {
    return d > 0 && (k == -d || (k != d && at(d - 1, k - 1) < at(d - 1, k + 1)));
  }

  const Lines& a_;
  const Lines& b_;
  std::vector<std::vector<int>> rows_;
};

// In order, with equal lines between any two.
std::vector<Change> changes_between(const Lines& old_lines, const Lines& new_lines) {
  const auto [old_head, new_head] =
      std::mismatch(old_lines.begin(), old_lines.end(), new_lines.begin(), new_lines.end());
  const auto [old_tail, new_tail] =
      std::mismatch(old_lines.rbegin(), std::make_reverse_iterator(old_head), new_lines.rbegin(),
                    std::make_reverse_iterator(new_head));
  const int head = static_cast<int>(old_head - old_lines.begin());
  const Lines a(old_head, old_tail.base()), b(new_head, new_tail.base());
  Search search(a, b);
  std::vector<Change> single = {{0, size_of(a), 0, size_of(b)}};
  if (!a.empty() && !b.empty() && search.run()) single = search.changes();

  std::vector<Change> changes;
  for (Change each : single) {
    each = {each.old_begin + head, each.old_end + head, each.new_begin + head, each.new_end + head};
    const bool adjacent = !changes.empty() && changes.back().old_end == each.old_begin &&
                          changes.back().new_end == each.new_begin;
    if (adjacent) {
      changes.back().old_end = each.old_end;
      changes.back().new_end = each.new_end;
    } else {
      changes.push_back(each);
    }
  }
  return changes;
}

void append_lines(char sign, const Lines& lines, int begin, int end, std::string& out) {
  for (int i = begin; i < end; ++i) {
    const std::string_view line = lines[static_cast<std::size_t>(i)];
    out += sign;
    out += line;
    if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
  }
}

// `12,3`, counted from 1; an empty range comes after the line it names.
std::string range(int begin, int end) {
  if (end - begin == 1) return std::to_string(begin + 1);
  return fmt::format("{},{}", end == begin ? begin : begin + 1, end - begin);
}

void append_hunk(const Lines& old_lines, const Lines& new_lines, const Change* first,
                 const Change* last, std::string& out) {
  const int before = std::min(context, first->old_begin);
  const int after = std::min(context, size_of(old_lines) - last->old_end);
  out += fmt::format("@@ -{} +{} @@\n", range(first->old_begin - before, last->old_end + after),
                     range(first->new_begin - before, last->new_end + after));
  int done = first->old_begin - before;
  for (const Change* change = first; change <= last; ++change) {
    append_lines(' ', old_lines, done, change->old_begin, out);
    append_lines('-', old_lines, change->old_begin, change->old_end, out);
    append_lines('+', new_lines, change->new_begin, change->new_end, out);
    done = change->old_end;
  }
  append_lines(' ', old_lines, done, last->old_end + after, out);
}

}  // namespace

std::string unified_diff(std::string_view old_text, std::string_view new_text,
                         std::string_view old_name, std::string_view new_name) {
  if (old_text == new_text) return {};
  const Lines old_lines = lines_of(old_text), new_lines = lines_of(new_text);
  const std::vector<Change> changes = changes_between(old_lines, new_lines);
  std::string out = fmt::format("--- {}\n+++ {}\n", old_name, new_name);
  for (std::size_t i = 0; i < changes.size();) {
    std::size_t last = i;
    while (last + 1 < changes.size() &&
           changes[last + 1].old_begin - changes[last].old_end <= 2 * context)
      ++last;
    append_hunk(old_lines, new_lines, &changes[i], &changes[last], out);
    i = last + 1;
  }
  return out;
}

}  // namespace flexslice
