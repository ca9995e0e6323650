#include "diag/fix.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

namespace flexslice::diag {

namespace {

using Edits = std::vector<const Edit*>;

bool before(const Edit* a, const Edit* b) {
  return std::tuple(a->where.begin, a->where.end) < std::tuple(b->where.begin, b->where.end);
}

// Two insertions at one place overlap as well: nobody says which comes first.
bool overlap(const Edit& a, const Edit& b) {
  if (a.where.begin == b.where.begin) return true;
  return a.where.begin < b.where.end && b.where.begin < a.where.end;
}

bool same(const Edit& a, const Edit& b) { return a.where == b.where && a.text == b.text; }

Edits edits_of(const Diagnostic& finding) {
  Edits edits;
  for (const Edit& edit : finding.fixes) edits.push_back(&edit);
  std::sort(edits.begin(), edits.end(), before);
  return edits;
}

bool usable(const Edits& edits, std::uint32_t index, std::size_t size) {
  for (std::size_t i = 0; i < edits.size(); ++i) {
    const Span where = edits[i]->where;
    if (where.source != index || where.begin > where.end || where.end > size) return false;
    if (i > 0 && overlap(*edits[i - 1], *edits[i])) return false;
  }
  return !edits.empty();
}

// Takes the edits up into `chosen`, which is sorted, or leaves it as it is when one of them is in
// the way.
bool choose(const Edits& edits, Edits& chosen) {
  Edits added;
  for (const Edit* edit : edits) {
    const auto next = std::lower_bound(chosen.begin(), chosen.end(), edit, before);
    if (next != chosen.end() && same(**next, *edit)) continue;
    if (next != chosen.end() && overlap(**next, *edit)) return false;
    if (next != chosen.begin() && overlap(**(next - 1), *edit)) return false;
    added.push_back(edit);
  }
  const auto middle = static_cast<std::ptrdiff_t>(chosen.size());
  chosen.insert(chosen.end(), added.begin(), added.end());
  std::inplace_merge(chosen.begin(), chosen.begin() + middle, chosen.end(), before);
  return true;
}

}  // namespace

Fixed apply_fixes(std::string_view text, std::uint32_t index,
                  std::span<const Diagnostic> findings) {
  std::vector<Edits> wanted;
  for (const Diagnostic& finding : findings) {
    Edits edits = edits_of(finding);
    if (usable(edits, index, text.size())) wanted.push_back(std::move(edits));
  }
  std::stable_sort(wanted.begin(), wanted.end(),
                   [](const Edits& a, const Edits& b) { return before(a.front(), b.front()); });

  Fixed fixed;
  Edits chosen;
  for (const Edits& edits : wanted) ++(choose(edits, chosen) ? fixed.applied : fixed.skipped);

  std::size_t done = 0;
  for (const Edit* edit : chosen) {
    fixed.text += text.substr(done, edit->where.begin - done);
    fixed.text += edit->text;
    done = edit->where.end;
  }
  fixed.text += text.substr(done);
  return fixed;
}

}  // namespace flexslice::diag
