#include "change/telling_path.hpp"

#include <fmt/core.h>

#include <vector>

#include "base/lists.hpp"
#include "base/text.hpp"

namespace flexslice::change {

using yaml::Value;

namespace {

// The best path so far; one line on both sides is the best of all.
struct BestPath {
  int rank = 0;
  TellingPath telling;

  void offer(int new_rank, std::string new_path, std::string_view text) {
    if (new_rank <= rank) return;
    text = text.substr(0, text.find_last_not_of('\n') + 1);  // as `$(…)` has it
    *this = {new_rank, {std::move(new_path), std::string(text)}};
  }
};

// kubectl prints this for `[*]`, and perhaps a key, behind a list.
std::string joined_items(const Value* list, std::string_view key) {
  std::vector<std::string> texts;
  for (const Value& item : list == nullptr ? std::vector<Value>() : list->items) {
    const Value* value = key.empty() ? &item : item.find(key);
    if (value != nullptr) texts.push_back(value->text);
  }
  return text::join(texts, " ");
}

void find_in(const Value* before, const Value* after, const std::string& path, BestPath& best) {
  if (before != nullptr && after != nullptr && *before == *after) return;
  const Value& known = before == nullptr ? *after : *before;
  if (known.is_mapping()) {
    for (const Value* side : {before, after}) {
      if (side == nullptr) continue;
      for (const auto& [key, value] : side->members) {
        std::string step = ".";
        for (const char c : key) step += c == '.' ? std::string("\\.") : std::string(1, c);
        find_in(before == nullptr ? nullptr : before->find(key),
                after == nullptr ? nullptr : after->find(key), path + step, best);
      }
    }
  } else if (known.is_sequence()) {
    const std::size_t size = before != nullptr && after != nullptr ? before->items.size() : 0;
    if (size > 0 && size == after->items.size()) {
      for (std::size_t i = 0; i < size; ++i)
        find_in(&before->items[i], &after->items[i], fmt::format("{}[{}]", path, i), best);
      return;
    }
    std::vector<std::string_view> keys{""};
    for (const Value& item : known.items) {
      for (const auto& [key, value] : item.members) {
        if (value.is_scalar() && !contains(keys, key)) keys.push_back(key);
      }
    }
    for (std::string_view key : keys) {
      std::string old = joined_items(before, key);
      if (old != joined_items(after, key))
        best.offer(2, fmt::format("{}[*]{}{}", path, key.empty() ? "" : ".", key), old);
    }
  } else {
    const bool both = before != nullptr && after != nullptr;
    const std::string_view old = before == nullptr ? std::string_view() : before->text;
    best.offer(!both ? 1 : old.find('\n') == std::string_view::npos ? 4 : 3, path, old);
  }
}

}  // namespace

TellingPath telling_path(const Value& before, const Value& after) {
  BestPath best;
  find_in(&before, &after, {}, best);
  return best.telling;
}

}  // namespace flexslice::change
