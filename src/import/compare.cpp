#include "import/compare.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "import/workload.hpp"
#include "schema/kubernetes_types.hpp"
#include "schema/merge.hpp"
#include "yaml/emit.hpp"

namespace flexslice::imports {

using schema::MergeRule;
using yaml::Value;

namespace {

bool has_mappings(const Value& list) {
  return !list.items.empty() && std::ranges::all_of(list.items, &Value::is_mapping);
}

std::string in_any_order(Value item) {
  std::ranges::sort(item.members, {}, &Value::Member::key);
  return yaml::emit_json(item);
}

// By which the item is found again, or empty: by its place. Items of other lists may have names.
std::string item_key(const MergeRule& list, const Value& item) {
  if (list.is_independent) return in_any_order(item);
  const Value* key = item.find(list.list_key.empty() ? "name" : list.list_key);
  // A Service may give any number to a port of the pods.
  if (list.list_key == "port" && item.find("targetPort") != nullptr) key = item.find("targetPort");
  return key == nullptr ? std::string() : key->text;
}

bool is_same(const Value& a, const Value& b) {
  const auto are_same_scalars = [](const Value& x, const Value& y) {
    return x.is_scalar() && y.is_scalar() && x.text == y.text &&
           (x.kind == Value::Kind::null) == (y.kind == Value::Kind::null);
  };
  return are_same_scalars(a, b) ||
         (a.is_sequence() && b.is_sequence() &&
          std::ranges::equal(a.items, b.items, [&](const Value& x, const Value& y) {
            return are_same_scalars(x, y) || x == y;
          }));
}

const Value* item_at(const Value& list, int index) {
  return index < 0 ? nullptr : &list.items[static_cast<std::size_t>(index)];
}

// Lists of which compile makes one item, whatever its name is in the input.
bool is_slice_list(std::string_view key) {
  return key == "replicatedJobs" || key == "workerGroupSpecs";
}

// For each item of the input the index of the compiled one that is the same item; -1: none is. By
// their keys; without keys by their places.
std::vector<int> partners_of(const Value& input, const Value& compiled, std::string_view key,
                             const MergeRule& rule) {
  std::vector<int> partners(input.items.size(), -1);
  const auto end = static_cast<int>(compiled.items.size());
  std::vector<bool> is_taken(compiled.items.size());
  // Head and workers of Pathways are two, which have their names.
  if (key == "replicatedJobs" && end > 1) {
    for (std::size_t i = 0; i < partners.size(); ++i) {
      const auto same = std::ranges::find(compiled.items, input.items[i].text_at({"name"}),
                                          [](const Value& item) { return item.text_at({"name"}); });
      if (same != compiled.items.end())
        partners[i] = static_cast<int>(same - compiled.items.begin());
    }
    return partners;
  }
  // Only one of them is compiled, in whatever place it stood; groups that patches add keep their
  // names.
  if (is_slice_list(key)) {
    const Value *item = compiled_item(input), *own = compiled_item(compiled);
    const auto at = own == nullptr ? 0 : static_cast<int>(own - compiled.items.data());
    for (std::size_t i = 0; i < partners.size(); ++i) {
      const std::string_view name = input.items[i].text_at({"groupName"});
      for (int c = 0; !name.empty() && c < end; ++c) {
        if (c != at && compiled.items[static_cast<std::size_t>(c)].text_at({"groupName"}) == name)
          partners[i] = c;
      }
    }
    if (item != nullptr && end > 0)
      partners[static_cast<std::size_t>(item - input.items.data())] = at;
    return partners;
  }
  bool keyed = false;
  for (std::size_t i = 0; i < partners.size(); ++i) {
    const std::string name = item_key(rule, input.items[i]);
    keyed |= !name.empty();
    for (int c = 0; !name.empty() && partners[i] < 0 && c < end; ++c) {
      const auto at = static_cast<std::size_t>(c);
      if (is_taken[at] || item_key(rule, compiled.items[at]) != name) continue;
      partners[i] = c;
      is_taken[at] = true;
    }
  }
  // A port may be known by a name on one side; a flavor has the name that compile gives it.
  const bool one_left = key == "ports" && std::ranges::count(partners, -1) == 1 &&
                        input.items.size() == compiled.items.size();
  if (keyed && !one_left && key != "flavors") return partners;
  int c = 0;
  for (int& partner : partners) {
    if (partner >= 0) continue;
    while (c < end && is_taken[static_cast<std::size_t>(c)]) ++c;
    if (c < end) partner = c++;
  }
  return partners;
}

class Comparer {
 public:
  std::vector<Difference> take() { return std::move(found_); }

  void compare(const Value& input, const Value& compiled, std::string_view key,
               const MergeRule& rule) {
    const Span outer = std::exchange(at_, input.origin == Span{} ? at_ : input.origin);
    if (input.is_mapping() && compiled.is_mapping()) {
      for (const auto& [name, value] : input.members)
        descend({name, -1, -1, {}}, &value, compiled.find(name), name, rule.member(name));
      for (const auto& [name, value] : compiled.members) {
        if (input.find(name) == nullptr)
          descend({name, -1, -1, {}}, nullptr, &value, name, rule.member(name));
      }
    } else if (has_mappings(input) && has_mappings(compiled)) {
      compare_lists(input, compiled, key, rule);
    } else if (!is_same(input, compiled)) {
      add(input, compiled);
    }
    at_ = outer;
  }

 private:
  // A side that is missing is null.
  void descend(PathStep step, const Value* input, const Value* compiled, std::string_view key,
               const MergeRule& rule) {
    static const Value nothing;
    path_.push_back(std::move(step));
    compare(input == nullptr ? nothing : *input, compiled == nullptr ? nothing : *compiled, key,
            rule);
    path_.pop_back();
  }

  void add(const Value& input, const Value& compiled) {
    Span where = at_;
    if (input.origin == Span{} || !input.is_scalar()) where.end = where.begin;
    found_.push_back({path_, input, compiled, where});
  }

  void compare_lists(const Value& input, const Value& compiled, std::string_view key,
                     const MergeRule& rule) {
    const std::vector<int> partners = partners_of(input, compiled, key, rule);
    // Containers that start one after the other have keys too.
    const bool is_ordered =
        key == "initContainers" || (rule.list_key.empty() && !rule.is_independent);
    std::vector<int> order = partners;
    std::erase(order, -1);
    if (is_ordered && !std::ranges::is_sorted(order)) return add(input, compiled);
    const bool is_labelled = !rule.is_independent && !is_slice_list(key);
    const auto compare_items = [&](int i, int c) {
      const Value *in = item_at(input, i), *out = item_at(compiled, c);
      std::string label = is_labelled ? item_key(rule, in == nullptr ? *out : *in) : "";
      if (label.empty()) label = std::to_string(std::max(i, c));
      descend({{}, i, c, std::move(label)}, in, out, key, rule.item());
    };
    for (std::size_t i = 0; i < partners.size(); ++i)
      compare_items(static_cast<int>(i), partners[i]);
    for (int c = 0; c < std::ssize(compiled.items); ++c) {
      if (!contains(partners, c)) compare_items(-1, c);
    }
  }

  std::vector<PathStep> path_;
  Span at_;  // of what is compared, or what holds it
  std::vector<Difference> found_;
};

}  // namespace

std::string Difference::place() const {
  std::string text;
  for (const PathStep& step : path)
    text::add_to_path(text, step.key.empty() ? fmt::format("[{}]", step.label) : step.key);
  return text;
}

std::vector<Difference> differences(const Value& input, const Value& compiled) {
  const schema::Type object{
      .category = schema::Category::record,
      .table = schema::kubernetes::find(input.text_at({"kind"}), input.text_at({"apiVersion"}))};
  Comparer comparer;
  comparer.compare(input, compiled, {}, {object.table == nullptr ? nullptr : &object});
  return comparer.take();
}

const Value* value_at(const Value& input, const std::vector<PathStep>& path) {
  const Value* value = &input;
  for (const PathStep& step : path) {
    if (value == nullptr) break;
    const auto index = static_cast<std::size_t>(step.input);
    if (!step.key.empty()) {
      value = value->find(step.key);
    } else {
      value = step.input >= 0 && index < value->items.size() ? &value->items[index] : nullptr;
    }
  }
  return value;
}

}  // namespace flexslice::imports
