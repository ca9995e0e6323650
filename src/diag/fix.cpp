#include "diag/fix.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace flexslice::diag {

namespace {

// In order of place; no two overlap.
using Edits = std::map<std::uint32_t, const Edit*>;

// Adds an edit, and says whether that was possible. Two insertions at one place overlap as well:
// nobody says which comes first.
bool add_edit(const Edit& edit, Edits& edits) {
  const auto next = edits.lower_bound(edit.where.begin);
  if (next != edits.end() && next->first == edit.where.begin)
    return next->second->where == edit.where && next->second->text == edit.text;
  if (next != edits.end() && next->first < edit.where.end) return false;
  if (next != edits.begin() && std::prev(next)->second->where.end > edit.where.begin) return false;
  edits.emplace_hint(next, edit.where.begin, &edit);
  return true;
}

// The edits of a finding; none when they cannot be applied, whatever the other findings are.
Edits edits_of(const Diagnostic& finding, std::uint32_t index, std::size_t size) {
  Edits edits;
  for (const Edit& edit : finding.fixes) {
    const Span where = edit.where;
    if (where.source != index || where.begin > where.end || where.end > size ||
        !add_edit(edit, edits))
      return {};
  }
  return edits;
}

}  // namespace

Fixed apply_fixes(std::string_view text, std::uint32_t index,
                  std::span<const Diagnostic> findings) {
  std::vector<Edits> wanted;
  for (const Diagnostic& finding : findings) {
    Edits edits = edits_of(finding, index, text.size());
    if (!edits.empty()) wanted.push_back(std::move(edits));
  }
  std::ranges::stable_sort(wanted, {}, [](const Edits& edits) {
    const Span first = edits.begin()->second->where;
    return std::pair(first.begin, first.end);
  });

  Fixed fixed;
  Edits chosen;
  for (const Edits& edits : wanted) {
    std::vector<std::uint32_t> added;
    const bool fit = std::ranges::all_of(edits, [&](const auto& edit) {
      const bool is_new = !chosen.contains(edit.first);
      if (!add_edit(*edit.second, chosen)) return false;
      if (is_new) added.push_back(edit.first);
      return true;
    });
    ++(fit ? fixed.applied : fixed.skipped);
    if (fit) continue;
    for (std::uint32_t begin : added) chosen.erase(begin);
  }

  std::size_t done = 0;
  for (const auto& [begin, edit] : chosen) {
    fixed.text.append(text.substr(done, begin - done)).append(edit->text);
    done = edit->where.end;
  }
  fixed.text += text.substr(done);
  return fixed;
}

}  // namespace flexslice::diag
