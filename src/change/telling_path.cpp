#include "change/telling_path.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/lists.hpp"
#include "base/text.hpp"

namespace flexslice::change {

using yaml::Value;

namespace {

// The best path so far. A scalar that both sides have is best: nothing fills it in.
struct BestPath {
  enum Rank : std::uint8_t { none, list, one_side, lines, quantity, line };
  Rank rank = none;
  TellingPath telling;

  void offer(Rank new_rank, std::string new_path, std::string_view text, bool of_new) {
    if (new_rank <= rank) return;
    text = text.substr(0, text.find_last_not_of('\n') + 1);  // as `$(…)` has it
    rank = new_rank;
    telling = {std::move(new_path), std::string(text), of_new};
  }
};

// A copy, as `?:` with an empty vector makes, would end before the views of its texts.
std::span<const Value> items_in(const Value* list) {
  return list == nullptr ? std::span<const Value>() : std::span<const Value>(list->items);
}

// kubectl prints this for `[*]`, and perhaps a key, behind a list.
std::string joined_items(const Value* list, std::string_view key) {
  std::vector<std::string> texts;
  for (const Value& item : items_in(list)) {
    const Value* value = key.empty() ? &item : item.find(key);
    if (value != nullptr) texts.push_back(value->text);
  }
  return text::join(texts, " ");
}

// The keys with scalars in all items that have them, as kubectl prints only these as they are; an
// empty key for the items themselves.
std::vector<std::string_view> printable_keys(std::initializer_list<const Value*> lists) {
  std::vector<std::string_view> keys, nested;
  bool is_plain = true;
  for (const Value* list : lists) {
    for (const Value& item : items_in(list)) {
      is_plain = is_plain && item.is_scalar();
      for (const auto& [key, value] : item.members) {
        std::vector<std::string_view>& to = value.is_scalar() ? keys : nested;
        if (!contains(to, key)) to.push_back(key);
      }
    }
  }
  if (is_plain) return {""};
  std::erase_if(keys, [&](std::string_view key) { return contains(nested, key); });
  return keys;
}

// The API server writes quantities in its own form.
bool holds_quantity(std::string_view path) {
  return path.find(".resources.") != path.npos || path.find("sizeLimit") != path.npos;
}

std::string member_path(const std::string& path, std::string_view key) {
  std::string step = ".";
  for (const char c : key) step += c == '.' ? std::string("\\.") : std::string(1, c);
  return path + step;
}

void find_in(const Value* before, const Value* after, const std::string& path, BestPath& best);

void find_in_list(const Value* before, const Value* after, const std::string& path,
                  BestPath& best) {
  const auto size = [](const Value* list) { return list == nullptr ? 0 : list->items.size(); };
  const std::size_t both = std::min(size(before), size(after));
  if (size(before) != size(after)) {
    const bool of_new = size(before) == 0;
    for (std::string_view key : printable_keys({before, after})) {
      const std::string old = joined_items(before, key), now = joined_items(after, key);
      const std::string at = fmt::format("{}[*]", path);
      if (old != now && (of_new ? now : old).find('\n') == std::string::npos)
        best.offer(BestPath::list, key.empty() ? at : member_path(at, key), of_new ? now : old,
                   of_new);
    }
  }
  for (std::size_t i = 0; i < both; ++i)
    find_in(&before->items[i], &after->items[i], fmt::format("{}[{}]", path, i), best);
  // An item that only the longer list has.
  for (std::size_t i = both; i < std::max(size(before), size(after)); ++i)
    find_in(i < size(before) ? &before->items[i] : nullptr,
            i < size(after) ? &after->items[i] : nullptr, fmt::format("{}[{}]", path, i), best);
}

void find_in(const Value* before, const Value* after, const std::string& path, BestPath& best) {
  if (before != nullptr && after != nullptr && *before == *after) return;
  const Value& known = before == nullptr ? *after : *before;
  if (known.is_mapping()) {
    for (const Value* side : {before, after}) {
      if (side == nullptr) continue;
      for (const auto& [key, value] : side->members)
        find_in(before == nullptr ? nullptr : before->find(key),
                after == nullptr ? nullptr : after->find(key), member_path(path, key), best);
    }
  } else if (known.is_sequence()) {
    find_in_list(before, after, path, best);
  } else if (before == nullptr || after == nullptr) {
    const bool is_line = known.text.find('\n') == std::string::npos && !known.text.empty();
    if (is_line && !holds_quantity(path))
      best.offer(BestPath::one_side, path, known.text, before == nullptr);
  } else {
    best.offer(before->text.find('\n') != std::string::npos || before->text.empty()
                   ? BestPath::lines
               : holds_quantity(path) ? BestPath::quantity
                                      : BestPath::line,
               path, before->text, false);
  }
}

}  // namespace

TellingPath telling_path(const Value& before, const Value& after) {
  BestPath best;
  find_in(&before, &after, {}, best);
  return best.telling;
}

}  // namespace flexslice::change
