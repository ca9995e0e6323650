#include "import/compare.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "import/workload.hpp"
#include "yaml/emit.hpp"

namespace flexslice::imports {

using yaml::Value;

namespace {

// Lists whose items are found by a key of theirs; of most the order says nothing.
struct KeyedList {
  std::string_view list, key;
};

constexpr KeyedList keyed_lists[] = {
    {"containers", "name"},     {"initContainers", "name"},   {"env", "name"},
    {"volumes", "name"},        {"imagePullSecrets", "name"}, {"volumeMounts", "mountPath"},
    {"ports", "containerPort"}, {"ports", "targetPort"},      {"ports", "port"},
    {"tolerations", ""},        {"flavors", "name"},          {"resources", "name"},
    {"rules", "name"},
};

bool has_mappings(const Value& list) {
  return !list.items.empty() && std::ranges::all_of(list.items, &Value::is_mapping);
}

std::string in_any_order(Value item) {
  std::ranges::sort(item.members, {}, &Value::Member::key);
  return yaml::emit_json(item);
}

// By which the item is found again, or empty: by its place.
std::string key_of(std::string_view list, const Value& item) {
  for (const KeyedList& keyed : keyed_lists) {
    if (keyed.list != list) continue;
    if (keyed.key.empty()) return in_any_order(item);
    if (const Value* key = item.find(keyed.key)) return key->text;
  }
  return {};
}

class Comparer {
 public:
  std::vector<Difference> take() { return std::move(found_); }

  void compare(const Value& input, const Value& compiled, std::string_view key) {
    const Span outer = std::exchange(at_, input.origin == Span{} ? at_ : input.origin);
    compare_here(input, compiled, key);
    at_ = outer;
  }

 private:
  void compare_here(const Value& input, const Value& compiled, std::string_view key) {
    if (input.is_scalar() && compiled.is_scalar()) {
      if (input.text != compiled.text) add(input, compiled);
    } else if (input.is_mapping() && compiled.is_mapping()) {
      compare_mappings(input, compiled);
    } else if (has_mappings(input) && has_mappings(compiled)) {
      compare_lists(input, compiled, key);
    } else if (!is_same(input, compiled)) {
      add(input, compiled);
    }
  }

  static bool is_same(const Value& a, const Value& b) {
    return a.items.size() == b.items.size() && a.is_sequence() && b.is_sequence() &&
           std::equal(a.items.begin(), a.items.end(), b.items.begin(),
                      [](const Value& x, const Value& y) {
                        return x.is_scalar() && y.is_scalar() ? x.text == y.text : x == y;
                      });
  }

  void add(const Value& input, const Value& compiled) {
    Span where = input.origin == Span{} ? at_ : input.origin;
    if (input.origin == Span{} || !input.is_scalar()) where.end = where.begin;
    found_.push_back({path_, input, compiled, where});
  }

  void compare_mappings(const Value& input, const Value& compiled) {
    static const Value nothing;
    for (const auto& [key, value] : input.members) {
      const Value* other = compiled.find(key);
      path_.push_back({key, -1, -1, {}});
      if (other == nullptr) {
        add(value, nothing);
      } else {
        compare(value, *other, key);
      }
      path_.pop_back();
    }
    for (const auto& [key, value] : compiled.members) {
      if (input.find(key) != nullptr) continue;
      path_.push_back({key, -1, -1, {}});
      add(nothing, value);
      path_.pop_back();
    }
  }

  void compare_lists(const Value& input, const Value& compiled, std::string_view key) {
    std::vector<int> partner_of_input(input.items.size(), -1),
        partner_of_compiled(compiled.items.size(), -1);
    pair_items(input, compiled, key, partner_of_input, partner_of_compiled);
    // They start, and they are tried, one after the other.
    if ((key == "initContainers" || key == "rules") && !is_in_order(partner_of_input))
      return add(input, compiled);
    static const Value nothing;
    for (std::size_t i = 0; i < input.items.size(); ++i) {
      const int partner = partner_of_input[i];
      enter(key, input.items[i], static_cast<int>(i), partner);
      if (partner < 0) {
        add(input.items[i], nothing);
      } else {
        compare(input.items[i], compiled.items[static_cast<std::size_t>(partner)], key);
      }
      path_.pop_back();
    }
    for (std::size_t i = 0; i < compiled.items.size(); ++i) {
      if (partner_of_compiled[i] >= 0) continue;
      enter(key, compiled.items[i], -1, static_cast<int>(i));
      add(nothing, compiled.items[i]);
      path_.pop_back();
    }
  }

  static bool is_in_order(std::vector<int> partners) {
    std::erase(partners, -1);
    return std::ranges::is_sorted(partners);
  }

  void enter(std::string_view key, const Value& item, int input, int compiled) {
    std::string label = key == "tolerations" ? "" : key_of(key, item);
    if (label.empty()) label = std::to_string(std::max(input, compiled));
    path_.push_back({{}, input, compiled, std::move(label)});
  }

  // By their keys; without keys by their places.
  static void pair_items(const Value& input, const Value& compiled, std::string_view key,
                         std::vector<int>& of_input, std::vector<int>& of_compiled) {
    const auto join = [&](std::size_t i, std::size_t c) {
      of_input[i] = static_cast<int>(c);
      of_compiled[c] = static_cast<int>(i);
    };
    // Only one of them is compiled, in whatever place it stood.
    if (key == "replicatedJobs" || key == "workerGroupSpecs") {
      if (const Value* item = compiled_item(input); item != nullptr && !of_compiled.empty())
        join(static_cast<std::size_t>(item - input.items.data()), 0);
      return;
    }
    bool keyed = false;
    for (std::size_t i = 0; i < input.items.size(); ++i) {
      const std::string name = key_of(key, input.items[i]);
      if (name.empty()) continue;
      keyed = true;
      for (std::size_t c = 0; c < compiled.items.size(); ++c) {
        if (of_compiled[c] >= 0 || key_of(key, compiled.items[c]) != name) continue;
        join(i, c);
        break;
      }
    }
    // A port may be known by a name on one side; a flavor has the name that compile gives it.
    const bool one_left = key == "ports" && std::ranges::count(of_input, -1) == 1 &&
                          std::ranges::count(of_compiled, -1) == 1;
    if (keyed && !one_left && key != "flavors") return;
    for (std::size_t i = 0, c = 0; i < of_input.size(); ++i) {
      if (of_input[i] >= 0) continue;
      while (c < of_compiled.size() && of_compiled[c] >= 0) ++c;
      if (c < of_compiled.size()) join(i, c);
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
  Comparer comparer;
  comparer.compare(input, compiled, {});
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
