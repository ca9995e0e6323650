#include "import/path.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/lists.hpp"
#include "base/text.hpp"

namespace flexslice::imports {

using yaml::Node;
using yaml::Value;

namespace {

constexpr std::string_view leader[] = {"workload", "leader"};

std::size_t index_of(std::string_view key) {
  return static_cast<std::size_t>(text::whole_number(key).value_or(0));
}

// The value at the end of the path, or null.
template <class Tree>
Tree* follow(Tree& spec, PathView path) {
  Tree* at = &spec;
  for (const std::string& key : path) {
    if (at->is_sequence()) {
      const std::size_t index = index_of(key);
      at = index < at->items.size() ? &at->items[index] : nullptr;
    } else {
      at = at->find(key);
    }
    if (at == nullptr) return nullptr;
  }
  return at;
}

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

std::string path_text(PathView path) {
  std::string text;
  for (const std::string& key : path)
    text::add_to_path(text, text::is_index(key) ? fmt::format("[{}]", key) : key);
  return text;
}

Path path_at(const Node& tree, std::size_t offset) {
  Path path;
  find_offset(tree, offset, path);
  return path;
}

const Value* find(const Value& spec, PathView path) { return follow(spec, path); }
Value* find(Value& spec, PathView path) { return follow(spec, path); }

void annotate(Value& spec, PathView path, std::string comment) {
  Value* value = follow(spec, path);
  if (value == nullptr || value->is_sequence() || value->is_mapping() || !value->comment.empty())
    return;
  value->comment = std::move(comment);
}

bool has_parent(const Value& spec, PathView path) { return find(spec, parent_of(path)) != nullptr; }

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
  Value* holder = follow(spec, parent_of(path));
  if (holder == nullptr) return;
  if (holder->is_sequence()) {
    const std::size_t index = index_of(path.back());
    if (index < holder->items.size())
      holder->items.erase(holder->items.begin() + static_cast<std::ptrdiff_t>(index));
  } else {
    holder->erase(path.back());
  }
  // What is empty says nothing, except a list that says `none`; and a patch is nothing without
  // `merge`.
  const bool is_patch = path.size() == 3 && path.front() == "patches";
  if (path.size() > 1 && (holder->is_empty() || is_patch) && !std::ranges::equal(path, leader))
    remove(spec, parent_of(path));
}

}  // namespace flexslice::imports
