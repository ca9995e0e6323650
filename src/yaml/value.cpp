#include "yaml/value.hpp"

#include <algorithm>
#include <charconv>

#include "base/ascii.hpp"
#include "base/text.hpp"

namespace flexslice::yaml {

namespace {

Value make(Value::Kind kind, std::string_view text = {}) {
  Value value;
  value.kind = kind;
  value.text = text;
  return value;
}

void drop_leading_zeros(std::string& digits) {
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
}

// Decimal and without leading zeros, because readers of YAML 1.1 take `0777` for octal and do not
// know `0o777`.
Value integer_value(std::string_view plain) {
  if (plain.starts_with("0x") || plain.starts_with("0o")) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(plain.data() + 2, plain.data() + plain.size(), number,
                                              plain[1] == 'x' ? 16 : 8);
    return error == std::errc{} ? make(Value::Kind::number, std::to_string(number))
                                : make(Value::Kind::string, plain);
  }
  std::string sign = plain.starts_with('-') ? "-" : "";
  text::take_one_of(plain, "+-");
  std::string digits(plain);
  drop_leading_zeros(digits);
  return make(Value::Kind::number, digits.empty() ? "0" : sign + digits);
}

// With a point and a signed exponent, because readers of YAML 1.1 take `1e3` for a string.
Value floating_value(std::string_view plain) {
  const std::string sign = plain.starts_with('-') ? "-" : "";
  text::take_one_of(plain, "+-");
  const char first = ascii::to_lower(plain.substr(0, 2).back());
  if (first == 'n') return make(Value::Kind::number, ".nan");
  if (first == 'i') return make(Value::Kind::number, sign + ".inf");
  const std::size_t end = std::min(plain.find_first_of("eE"), plain.size());
  std::string number(plain.substr(0, end));
  if (number.find('.') == std::string::npos) number += '.';
  if (number.ends_with('.')) number += '0';
  drop_leading_zeros(number);
  if (number.starts_with('.')) number.insert(0, "0");
  if (end < plain.size()) {
    plain.remove_prefix(end + 1);
    number += plain.starts_with('-') ? "e-" : "e+";
    text::take_one_of(plain, "+-");
    number += plain;
  }
  return make(Value::Kind::number, sign + number);
}

}  // namespace

Value Value::plain(std::string_view text) {
  switch (type_of(text)) {
    case ScalarType::null:
      return make(Kind::null);
    case ScalarType::boolean:
      return boolean(text.front() == 't' || text.front() == 'T');
    case ScalarType::integer:
      return integer_value(text);
    case ScalarType::floating:
      return floating_value(text);
    case ScalarType::string:
      break;
  }
  return string(text);
}

Value Value::string(std::string_view text) { return make(Kind::string, text); }

Value Value::number(std::int64_t number) { return make(Kind::number, std::to_string(number)); }

Value Value::boolean(bool truth) { return make(Kind::boolean, truth ? "true" : "false"); }

Value Value::sequence() { return make(Kind::sequence); }

Value Value::mapping(std::size_t room) {
  Value value = make(Kind::mapping);
  value.members.reserve(room);
  return value;
}

Value Value::strings(const std::vector<std::string>& texts) {
  Value value = sequence();
  value.items.reserve(texts.size());
  for (const std::string& text : texts) value.items.push_back(string(text));
  return value;
}

bool Value::is_empty() const {
  if (kind == Kind::boolean) return text == "false";
  return kind != Kind::number && text.empty() && items.empty() && members.empty();
}

const Value* Value::find(std::string_view key) const {
  const auto member = std::ranges::find(members, key, &Member::key);
  return member == members.end() ? nullptr : &member->value;
}

Value* Value::find(std::string_view key) {
  return const_cast<Value*>(static_cast<const Value*>(this)->find(key));
}

const Value* Value::at(std::initializer_list<std::string_view> path) const {
  const Value* value = this;
  for (std::string_view key : path) {
    if (value != nullptr) value = value->find(key);
  }
  return value;
}

std::string_view Value::text_at(std::initializer_list<std::string_view> path) const {
  const Value* value = at(path);
  return value == nullptr ? std::string_view() : value->text;
}

Value& Value::operator[](std::string_view key) {
  if (kind == Kind::null) kind = Kind::mapping;
  if (Value* found = find(key)) return *found;
  // Members are large: room for a few at once saves moving them at every step of growth.
  if (members.capacity() == 0) members.reserve(6);
  return members.emplace_back(key).value;
}

Value& Value::add(std::string_view key, Value value) {
  return members.emplace_back(key, std::move(value)).value;
}

void Value::erase(std::string_view key) {
  std::erase_if(members, [key](const Member& member) { return member.key == key; });
}

Value& Value::push(Value value) {
  if (kind == Kind::null) kind = Kind::sequence;
  return items.emplace_back(std::move(value));
}

bool operator==(const Value& a, const Value& b) {
  return a.kind == b.kind && a.text == b.text && a.items == b.items && a.members == b.members;
}

void unite(Value& into, Value more) {
  for (Value::Member& member : more.members) {
    if (Value* mine = into.find(member.key))
      unite(*mine, std::move(member.value));
    else
      into.add(member.key, std::move(member.value));
  }
  const auto alike = [](const Value& a, const Value& b) {
    if (!a.is_mapping() || a.members.size() != b.members.size()) return a == b;
    return std::ranges::equal(a.members, b.members, [](const auto& x, const auto& y) {
      return x.key == y.key && (x.key == "steps" || x.value == y.value);
    });
  };
  // Items that are new go before the next one that both have.
  std::ptrdiff_t first_new = 0;
  const auto insert_at = [&](std::size_t at, std::size_t end) {
    into.items.insert(
        into.items.begin() + static_cast<std::ptrdiff_t>(at),
        std::make_move_iterator(more.items.begin() + first_new),
        std::make_move_iterator(more.items.begin() + static_cast<std::ptrdiff_t>(end)));
  };
  for (std::size_t i = 0; i < more.items.size(); ++i) {
    const auto mine = std::ranges::find_if(
        into.items, [&](const Value& item) { return alike(item, more.items[i]); });
    if (mine == into.items.end()) continue;
    const auto at = static_cast<std::size_t>(mine - into.items.begin());
    insert_at(at, i);
    unite(into.items[at + i - static_cast<std::size_t>(first_new)], std::move(more.items[i]));
    first_new = static_cast<std::ptrdiff_t>(i) + 1;
  }
  insert_at(into.items.size(), more.items.size());
}

Value to_value(const Node& node) {
  Value value;
  if (node.kind == yaml::Kind::scalar)
    value = node.quoted ? Value::string(node.text) : Value::plain(node.text);
  if (node.kind == yaml::Kind::sequence) value = Value::sequence();
  if (node.kind == yaml::Kind::mapping) value = Value::mapping();
  value.origin = node.span;
  value.items.reserve(node.items.size());
  for (const Node& item : node.items) value.items.push_back(to_value(item));
  value.members.reserve(node.members.size());
  for (const Member& member : node.members)
    value.members.emplace_back(member.key.text, to_value(member.value)).value.key_origin =
        member.key.span;
  return value;
}

namespace {

Node placed(const Value& value, std::uint32_t source, std::size_t& next) {
  Node node;
  node.span = {source, next, next};
  if (value.is_sequence() || value.is_mapping()) {
    node.kind = value.is_sequence() ? yaml::Kind::sequence : yaml::Kind::mapping;
    node.items.reserve(value.items.size());
    for (const Value& item : value.items) node.items.push_back(placed(item, source, ++next));
    node.members.reserve(value.members.size());
    for (const Value::Member& member : value.members) {
      Node key = placed(Value::string(member.key), source, ++next);
      node.members.push_back({std::move(key), placed(member.value, source, ++next)});
    }
  } else if (value.kind != Value::Kind::null) {
    node.kind = yaml::Kind::scalar;
    node.text = value.text;
    node.quoted = value.is_string() && type_of(value.text) != ScalarType::string;
  }
  node.span.end = ++next;
  return node;
}

}  // namespace

Node to_node(const Value& value) {
  Node node;
  node.span = value.origin;
  node.text = value.text;
  node.quoted = value.is_string();
  node.kind = value.is_mapping()                ? yaml::Kind::mapping
              : value.is_sequence()             ? yaml::Kind::sequence
              : value.kind == Value::Kind::null ? yaml::Kind::null
                                                : yaml::Kind::scalar;
  node.items.reserve(value.items.size());
  for (const Value& item : value.items) node.items.push_back(to_node(item));
  node.members.reserve(value.members.size());
  for (const auto& [key, member] : value.members) {
    yaml::Member& placed = node.members.emplace_back();
    placed.key.kind = yaml::Kind::scalar;
    placed.key.quoted = true;
    placed.key.text = key;
    placed.key.span = member.key_origin;
    placed.value = to_node(member);
  }
  return node;
}

Node to_node(const Value& value, std::uint32_t source) {
  std::size_t next = 0;
  return placed(value, source, next);
}

}  // namespace flexslice::yaml
