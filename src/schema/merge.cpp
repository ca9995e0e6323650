#include "schema/merge.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/lists.hpp"

namespace flexslice::schema {

using yaml::Value;

namespace {

// `delete` or `replace`; empty: the patch merges.
std::string_view directive_of(const Value& patch, const MergeRule& rule) {
  return rule.type == nullptr ? std::string_view() : patch.text_at({"$patch"});
}

// A list of keys by which items are ordered.
class Order {
 public:
  Order(const std::vector<Value>& items, std::string_view list_key) {
    for (const Value& item : items) keys_.emplace_back(key_of(item, list_key).value_or(""));
  }

  bool has(std::string_view key) const { return contains(keys_, key); }
  std::ptrdiff_t place(std::string_view key) const {
    return std::ranges::find(keys_, key) - keys_.begin();
  }

 private:
  std::vector<std::string> keys_;
};

// Puts the items of the patch in its order among the others. One that the list had before stays
// behind those that were before it; one that is new comes first.
std::vector<Value> in_order(std::vector<Value> merged, const Order& before, const Order& patch,
                            std::string_view list_key) {
  const auto key = [&](const Value& item) { return key_of(item, list_key).value_or(""); };
  const auto middle = std::stable_partition(
      merged.begin(), merged.end(), [&](const Value& item) { return patch.has(key(item)); });
  std::stable_sort(merged.begin(), middle, [&](const Value& one, const Value& other) {
    return patch.place(key(one)) < patch.place(key(other));
  });
  std::vector<Value> ordered;
  auto of_patch = merged.begin(), other = middle;
  while (of_patch != middle || other != merged.end()) {
    const bool is_other_next =
        of_patch == middle || (other != merged.end() && before.has(key(*of_patch)) &&
                               before.place(key(*other)) < before.place(key(*of_patch)));
    ordered.push_back(std::move(is_other_next ? *other++ : *of_patch++));
  }
  return ordered;
}

Value merge_lists(Value target, const Value& patch, const MergeRule& rule) {
  if (!target.is_sequence()) {
    target = Value::sequence();
    target.origin = patch.origin;
  }
  std::vector<Value> given;
  for (const Value& item : patch.items) {
    const std::string_view directive = directive_of(item, rule.item());
    if (directive.empty()) {
      given.push_back(item);
    } else if (directive == "replace") {
      target.items.clear();
    } else if (const auto key = key_of(item, rule.list_key)) {
      std::erase_if(target.items,
                    [&](const Value& each) { return key_of(each, rule.list_key) == key; });
    }
  }
  const Order before(target.items, rule.list_key), order(given, rule.list_key);
  for (const Value& item : given) {
    const auto key = key_of(item, rule.list_key);
    const auto old = std::ranges::find_if(
        target.items, [&](const Value& each) { return key && key_of(each, rule.list_key) == key; });
    if (old != target.items.end()) {
      *old = merge(std::move(*old), item, rule.item());
    } else {
      // As people write it, the key comes first.
      Value fresh;
      if (key && item.is_mapping()) fresh[rule.list_key] = *item.find(rule.list_key);
      fresh.origin = item.origin;
      target.push(merge(std::move(fresh), item, rule.item()));
    }
  }
  target.items = in_order(std::move(target.items), before, order, rule.list_key);
  return target;
}

}  // namespace

MergeRule MergeRule::member(std::string_view key) const {
  if (type == nullptr) return {};
  if (type->category == Category::map) return {type->element};
  if (type->category != Category::record) return {};
  const Field* field = type->table->find(key);
  if (field == nullptr) return {};
  return {field->type, field->constraint.list_key, field->constraint.is_replaced,
          field->constraint.is_independent};
}

MergeRule MergeRule::item() const {
  return {type != nullptr && type->category == Category::list ? type->element : nullptr};
}

std::optional<std::string_view> key_of(const Value& item, std::string_view list_key) {
  if (!item.is_mapping()) return item.text;
  const Value* key = item.find(list_key);
  if (key == nullptr) return std::nullopt;
  return key->text;
}

const Value* find_item(const Value& list, std::string_view list_key, std::string_view key) {
  const auto item = std::ranges::find_if(
      list.items, [&](const Value& each) { return key_of(each, list_key) == key; });
  return item == list.items.end() ? nullptr : &*item;
}

Value merge(Value target, const Value& patch, const MergeRule& rule) {
  if (patch.is_sequence() && !rule.list_key.empty())
    return merge_lists(std::move(target), patch, rule);
  if (!patch.is_mapping()) return patch;
  const std::string_view directive = directive_of(patch, rule);
  if (!target.is_mapping() || !directive.empty() || rule.is_replaced) {
    target = Value::mapping();
    target.origin = patch.origin;
  }
  if (directive == "delete") return target;
  std::vector<const Value::Member*> members;
  for (const Value::Member& member : patch.members) members.push_back(&member);
  std::ranges::sort(members, {}, &Value::Member::key);
  for (const Value::Member* member : members) {
    if (member->key == "$patch" && !directive.empty()) continue;
    const MergeRule below = rule.member(member->key);
    // An absent value cannot be emptied.
    const bool deletes =
        member->value.kind == Value::Kind::null ||
        (directive_of(member->value, below) == "delete" && target.find(member->key) == nullptr);
    if (deletes) {
      target.erase(member->key);
    } else {
      Value& value = target[member->key];
      value = merge(std::move(value), member->value, below);
      value.key_origin = member->value.key_origin;
    }
  }
  return target;
}

}  // namespace flexslice::schema
