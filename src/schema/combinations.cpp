#include "schema/combinations.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace flexslice::schema {

using yaml::Node;

namespace {

class Search {
 public:
  std::vector<JudgedPart> take() { return std::move(parts_); }

  void look_at(const Node& node, const Type& type, Span where) {
    if (type.category == Category::list) {
      for (std::size_t i = 0; i < node.items.size(); ++i)
        descend(std::to_string(i), node.items[i], *type.element, node.items[i].span, where);
    }
    if (type.category != Category::record || node.kind != yaml::Kind::mapping) return;
    const Table& table = *type.table;
    if (table.rules || !table.one_of.empty() || !table.at_most_one.empty())
      parts_.push_back({path_, &node, where, &table});
    for (const auto& [key, value] : node.members) {
      if (const Field* field = table.find(key.text))
        descend(key.text, value, *field->type, key.span, where);
    }
  }

 private:
  void descend(std::string key, const Node& below, const Type& type, Span own, Span outer) {
    if (type.category != Category::list && type.category != Category::record) return;
    path_.push_back(std::move(key));
    look_at(below, type, own == Span{} ? outer : own);
    path_.pop_back();
  }

  std::vector<std::string> path_;
  std::vector<JudgedPart> parts_;
};

}  // namespace

bool is_set(const Node* node) {
  if (node == nullptr) return false;
  if (node->kind == yaml::Kind::scalar) return !node->text.empty();
  return node->kind != yaml::Kind::null &&
         !(node->kind == yaml::Kind::sequence && node->items.empty());
}

std::vector<JudgedPart> parts_with_combinations(const Node& object, const Table& type) {
  Search search;
  search.look_at(object, {.category = Category::record, .table = &type}, object.span);
  return search.take();
}

std::optional<std::vector<std::string_view>> wrong_fields(const JudgedPart& part) {
  const Table& type = *part.type;
  const bool needs_one = !type.one_of.empty();
  std::vector<std::string_view> given;
  std::ranges::copy_if(needs_one ? type.one_of : type.at_most_one, std::back_inserter(given),
                       [&](std::string_view key) { return is_set(part.node->find(key)); });
  // A field that is not known may be a newer one of them, or is reported already.
  const auto is_unknown = [&](const yaml::Member& member) {
    return type.find(member.key.text) == nullptr;
  };
  const bool lacks_one =
      needs_one && given.empty() && std::ranges::none_of(part.node->members, is_unknown);
  if (given.size() < 2 && !lacks_one) return std::nullopt;
  return given;
}

}  // namespace flexslice::schema
