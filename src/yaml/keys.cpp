#include "yaml/keys.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace flexslice::yaml {

namespace {

using diag::Code;
using std::size_t;

bool has_duplicates(const Node& mapping) {
  // Faster than to sort them.
  constexpr size_t few = 16;
  if (mapping.members.size() <= few)
    return std::ranges::any_of(mapping.members, [&](const Member& member) {
      return mapping.find(member.key.text) != &member.value;
    });
  std::vector<std::string_view> keys;
  keys.reserve(mapping.members.size());
  for (const Member& member : mapping.members) keys.push_back(member.key.text);
  std::sort(keys.begin(), keys.end());
  return std::adjacent_find(keys.begin(), keys.end()) != keys.end();
}

// To kubectl: `true` is not `"true"`.
bool same_value(const Node& one, const Node& other) {
  return one.kind == other.kind && one.text == other.text &&
         (one.quoted == other.quoted || kubectl_type_of(one) == kubectl_type_of(other)) &&
         std::ranges::equal(one.items, other.items, same_value) &&
         std::ranges::equal(one.members, other.members, [](const Member& a, const Member& b) {
           return a.key.text == b.key.text && same_value(a.value, b.value);
         });
}

class Duplicates {
 public:
  Duplicates(Leniency leniency, diag::Sink& sink) : leniency_(leniency), sink_(sink) {}

  void drop(Node& node) {
    for (Node& item : node.items) drop(item);
    for (Member& member : node.members) drop(member.value);
    if (node.members.size() > 1 && has_duplicates(node)) drop_members(node);
  }

 private:
  static constexpr int most_reported = 50;

  struct First {
    Member* member;  // the last one of the key, once there are two
    Span key;
  };

  void drop_members(Node& mapping) {
    std::map<std::string, First> firsts;
    std::vector<const Member*> dropped;  // ascending
    for (Member& member : mapping.members) {
      const Node& key = member.key;
      if (leniency_.merge_keys && is_merge_key(key)) continue;
      const auto [known, is_new] = firsts.try_emplace(key.text, First{&member, key.span});
      if (is_new) continue;
      const First& first = known->second;
      dropped.push_back(&member);
      if ((!leniency_.last_wins || !same_value(first.member->value, member.value)) &&
          ++reported_ <= most_reported)
        sink_.report<Code::DuplicateKey>(key.span, key.text).also(first.key, "first given here");
      if (leniency_.last_wins) std::swap(*first.member, member);
    }
    std::erase_if(mapping.members, [&](const Member& member) {
      return std::binary_search(dropped.begin(), dropped.end(), &member);
    });
  }

  Leniency leniency_;
  diag::Sink& sink_;
  int reported_ = 0;
};

// The members of a mapping with those that its merge keys name.
class Merged {
 public:
  void set(Member&& member) {
    const auto [place, is_new] = places_.try_emplace(member.key.text, members_.size());
    if (is_new) {
      members_.push_back(std::move(member));
    } else {
      members_[place->second] = std::move(member);
    }
  }

  bool set_all(Node& mapping, diag::Sink& sink) {
    if (mapping.kind != Kind::mapping) {
      sink.report<Code::InvalidYaml>(mapping.span,
                                     "a merge key takes a mapping or a list of mappings");
      return false;
    }
    for (Member& member : mapping.members) set(std::move(member));
    return true;
  }

  std::vector<Member> take() { return std::move(members_); }

 private:
  std::vector<Member> members_;
  std::map<std::string, size_t> places_;
};

}  // namespace

bool is_merge_key(const Node& key) { return key.text == "<<" && !key.quoted; }

void drop_duplicates(Node& tree, Leniency leniency, diag::Sink& sink) {
  Duplicates(leniency, sink).drop(tree);
}

bool resolve_merge_keys(Node& tree, diag::Sink& sink) {
  const auto merge_in = [&](Node& child) { return resolve_merge_keys(child, sink); };
  if (!std::ranges::all_of(tree.items, merge_in) ||
      !std::ranges::all_of(tree.members, merge_in, &Member::value))
    return false;
  if (std::ranges::none_of(tree.members, is_merge_key, &Member::key)) return true;
  Merged merged;
  const auto set_all = [&](Node& mapping) { return merged.set_all(mapping, sink); };
  for (Member& member : tree.members) {
    Node& value = member.value;
    if (!is_merge_key(member.key)) {
      merged.set(std::move(member));
    } else if (value.kind == Kind::sequence) {
      if (!std::all_of(value.items.rbegin(), value.items.rend(), set_all)) return false;
    } else if (!set_all(value)) {
      return false;
    }
  }
  tree.members = merged.take();
  return true;
}

}  // namespace flexslice::yaml
