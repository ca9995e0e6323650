#include "schema/combinations.hpp"

#include <algorithm>
#include <iterator>
#include <type_traits>

namespace flexslice::schema {

using yaml::Node;
using yaml::Value;

bool is_set(const Value* value) {
  return value != nullptr && value->kind != Value::Kind::null &&
         !(value->is_string() && value->text.empty()) &&
         !(value->is_sequence() && value->items.empty());
}

bool is_set(const Node* node) {
  if (node == nullptr) return false;
  if (node->kind == yaml::Kind::scalar) return !node->text.empty();
  return node->kind != yaml::Kind::null &&
         !(node->kind == yaml::Kind::sequence && node->items.empty());
}

namespace {

bool is_mapping(const Value& value) { return value.is_mapping(); }
bool is_mapping(const Node& node) { return node.kind == yaml::Kind::mapping; }

std::string_view key_text(const std::string& key) { return key; }
std::string_view key_text(const Node& key) { return key.text; }

template <class Tree>
class Search {
 public:
  std::vector<Combination> take() { return std::move(found_); }
  std::vector<RuledPart> take_ruled() { return std::move(ruled_); }

  void look_at(const Tree& part, const Table& type) {
    if (!is_mapping(part)) return;
    judge(part, type);
    if constexpr (std::is_same_v<Tree, Node>) {
      if (type.rules) ruled_.push_back({path(), &part, &type});
    }
    for (const auto& [key, value] : part.members) {
      const Field* field = type.find(key_text(key));
      if (field == nullptr) continue;
      way_.push_back({key_text(key), 0});
      descend(value, *field->type);
      way_.pop_back();
    }
  }

 private:
  struct PathKey {
    std::string_view key;  // empty: an item
    std::size_t index;
  };

  std::vector<std::string> path() const {
    std::vector<std::string> path;
    for (const PathKey& step : way_)
      path.push_back(step.key.empty() ? std::to_string(step.index) : std::string(step.key));
    return path;
  }

  void descend(const Tree& value, const Type& type) {
    if (type.category == Category::record) return look_at(value, *type.table);
    if (type.category != Category::list || type.element->category != Category::record) return;
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      way_.push_back({{}, i});
      look_at(value.items[i], *type.element->table);
      way_.pop_back();
    }
  }

  void judge(const Tree& part, const Table& type) {
    const bool needs_one = !type.one_of.empty();
    const auto keys = needs_one ? type.one_of : type.at_most_one;
    const auto is_given = [&](std::string_view key) { return is_set(part.find(key)); };
    const auto given = std::ranges::count_if(keys, is_given);
    // A field that is not known may be a newer one of them, or is reported already.
    const auto is_unknown = [&](const auto& member) {
      return type.find(key_text(member.key)) == nullptr;
    };
    const bool lacks_one =
        needs_one && given == 0 && std::ranges::none_of(part.members, is_unknown);
    if (given < 2 && !lacks_one) return;
    Combination& combination = found_.emplace_back(Combination{path(), &type, {}});
    std::ranges::copy_if(keys, std::back_inserter(combination.given), is_given);
  }

  std::vector<PathKey> way_;
  std::vector<Combination> found_;
  std::vector<RuledPart> ruled_;
};

}  // namespace

std::vector<Combination> wrong_combinations(const Value& value, const Table& type) {
  Search<Value> search;
  search.look_at(value, type);
  return search.take();
}

std::vector<Combination> wrong_combinations(const Node& node, const Table& type) {
  Search<Node> search;
  search.look_at(node, type);
  return search.take();
}

std::vector<RuledPart> ruled_parts(const Node& node, const Table& type) {
  Search<Node> search;
  search.look_at(node, type);
  return search.take_ruled();
}

}  // namespace flexslice::schema
