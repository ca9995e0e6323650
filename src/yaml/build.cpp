#include "yaml/build.hpp"

#include <algorithm>
#include <numeric>

namespace flexslice::yaml {

namespace {

constexpr std::size_t few = 12;  // members that are compared pair by pair
constexpr int most_duplicates = 50;

class Tree {
 public:
  Tree(const std::vector<Item>& items, std::uint32_t source, const Sources& sources, diag::Sink& sink)
      : items_(items), source_(source), sources_(sources), sink_(sink) {}

  void build(std::uint32_t index, Node& node);

 private:
  void sequence(std::uint32_t index, Node& node);
  void mapping(std::uint32_t index, Node& node);
  void drop_duplicates(std::vector<Member>& members);
  void report(const Member& first, const Member& second);

  const std::vector<Item>& items_;
  std::uint32_t source_;
  const Sources& sources_;
  diag::Sink& sink_;
  int duplicates_ = 0;
};

void Tree::build(std::uint32_t index, Node& node) {
  if (items_[index].what == Item::What::alias) index = items_[index].target;
  const Item& item = items_[index];
  node.span = {source_, item.begin, item.end};
  switch (item.what) {
    case Item::What::scalar:
      node.kind = Kind::scalar;
      node.quoted = item.quoted;
      node.text = item.text;
      break;
    case Item::What::sequence:
      sequence(index, node);
      break;
    case Item::What::mapping:
      mapping(index, node);
      break;
    case Item::What::null:
    case Item::What::alias:
      break;
  }
}

void Tree::sequence(std::uint32_t index, Node& node) {
  const Item& item = items_[index];
  node.kind = Kind::sequence;
  node.items.resize(item.children);
  ++index;
  for (Node& child : node.items) {
    build(index, child);
    index = items_[index].next;
  }
}

void Tree::mapping(std::uint32_t index, Node& node) {
  const Item& item = items_[index];
  node.kind = Kind::mapping;
  node.members.resize(item.children / 2);
  ++index;
  for (Member& member : node.members) {
    build(index, member.key);
    index = items_[index].next;
    build(index, member.value);
    index = items_[index].next;
  }
  drop_duplicates(node.members);
}

void Tree::report(const Member& first, const Member& second) {
  if (++duplicates_ > most_duplicates) return;
  const int line = sources_.position(first.key.span).line;
  sink_.report<diag::Code::DuplicateKey>(second.key.span, second.key.text).note(text::format("first given on line {}", line));
}

// The indexes of members by key; equal keys in the order of the text.
std::vector<std::size_t> by_key(const std::vector<Member>& members) {
  std::vector<std::size_t> order(members.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t index) -> const std::string& { return members[index].key.text; };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const int difference = key(a).compare(key(b));
    return difference < 0 || (difference == 0 && a < b);
  });
  return order;
}

bool has_duplicates(const std::vector<Member>& members) {
  for (std::size_t i = 1; i < members.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (members[i].key.text == members[j].key.text) return true;
    }
  }
  return false;
}

void Tree::drop_duplicates(std::vector<Member>& members) {
  if (members.size() <= few && !has_duplicates(members)) return;
  const std::vector<std::size_t> order = by_key(members);
  std::vector<bool> extra(members.size());
  const Member* first = &members[order[0]];
  for (std::size_t i = 1; i < order.size(); ++i) {
    const Member& member = members[order[i]];
    if (member.key.text != first->key.text) {
      first = &member;
      continue;
    }
    report(*first, member);
    extra[order[i]] = true;
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (extra[i]) continue;
    if (kept != i) members[kept] = std::move(members[i]);
    ++kept;
  }
  members.resize(kept);
}

}  // namespace

Node build(const std::vector<Item>& items, std::uint32_t source, const Sources& sources, diag::Sink& sink) {
  Node root;
  Tree(items, source, sources, sink).build(0, root);
  return root;
}

}  // namespace flexslice::yaml
