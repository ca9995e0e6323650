#include "import/path.hpp"

#include <algorithm>

#include "base/lists.hpp"
#include "base/text.hpp"

namespace flexslice::imports {

using yaml::Node;
using yaml::Value;

namespace {

constexpr std::string_view leader[] = {"workload", "leader"};

PathView parent_of(PathView path) { return path.first(path.size() - 1); }

bool find_offset(const Node& node, std::size_t offset, Path& path) {
  const auto holds = [&](const Node& each) {
    return each.span.begin <= offset && offset <= each.span.end;
  };
  for (const yaml::Member& member : node.members) {
    if (!holds(member.key) && !holds(member.value)) continue;
    path.push_back(member.key.text);
    return holds(member.key) || find_offset(member.value, offset, path);
  }
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    if (!holds(node.items[i])) continue;
    path.push_back(std::to_string(i));
    return find_offset(node.items[i], offset, path);
  }
  return true;
}

}  // namespace

Path path_of(std::string_view dotted) {
  const auto keys = text::split(dotted, '.');
  return {keys.begin(), keys.end()};
}

Path path_at(const Node& tree, std::size_t offset) {
  Path path;
  find_offset(tree, offset, path);
  return path;
}

const Value* find(const Value& spec, PathView path) { return yaml::follow(spec, path); }
Value* find(Value& spec, PathView path) { return yaml::follow(spec, path); }

void annotate(Value& spec, PathView path, std::string comment) {
  Value* value = yaml::follow(spec, path);
  if (value == nullptr || value->is_sequence() || value->is_mapping() || !value->comment.empty())
    return;
  value->comment = std::move(comment);
}

bool has_same(const Value& spec, const Value& other, PathView path) {
  const Value* own = find(spec, path);
  if (own == nullptr) return false;
  if (find(spec, parent_of(path))->is_sequence()) {
    const Value* others = find(other, parent_of(path));
    return others != nullptr && contains(others->items, *own);
  }
  const Value* same = find(other, path);
  return same != nullptr && *same == *own;
}

void remove(Value& spec, PathView path) {
  Value* holder = yaml::follow(spec, parent_of(path));
  if (holder == nullptr) return;
  if (holder->is_sequence()) {
    if (const Value* item = yaml::child(*holder, path.back()))
      holder->items.erase(holder->items.begin() + (item - holder->items.data()));
  } else {
    holder->erase(path.back());
  }
  // An empty value says nothing, except a list that says `none`; and a patch is nothing without
  // `merge`.
  const bool is_patch = path.size() == 3 && path.front() == "patches";
  if (path.size() > 1 && (holder->is_empty() || is_patch) && !std::ranges::equal(path, leader))
    remove(spec, parent_of(path));
}

}  // namespace flexslice::imports
