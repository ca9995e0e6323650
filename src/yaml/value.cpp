#include "yaml/value.hpp"

#include <algorithm>
#include <charconv>

namespace flexslice::yaml {

namespace {

Value make(Value::Kind kind, std::string_view text = {}) {
  Value value;
  value.kind = kind;
  value.text = text;
  return value;
}

std::string_view without_leading_zeros(std::string_view digits) {
  const std::size_t first = digits.find_first_not_of('0');
  return first == std::string_view::npos ? "0" : digits.substr(first);
}

// Decimal and without leading zeros, because readers of YAML 1.1 take `0777` for octal and do not
// know `0o777`.
Value integer_value(std::string_view plain) {
  if (plain.starts_with("0x") || plain.starts_with("0o")) {
    std::uint64_t number = 0;
    const int base = plain[1] == 'x' ? 16 : 8;
    const auto [end, error] =
        std::from_chars(plain.data() + 2, plain.data() + plain.size(), number, base);
    if (error != std::errc{} || end != plain.data() + plain.size())
      return make(Value::Kind::string, plain);
    return make(Value::Kind::number, std::to_string(number));
  }
  const bool negative = plain.front() == '-';
  if (negative || plain.front() == '+') plain.remove_prefix(1);
  std::string digits(without_leading_zeros(plain));
  if (negative && digits != "0") digits.insert(0, 1, '-');
  return make(Value::Kind::number, digits);
}

// With a point and a signed exponent, because readers of YAML 1.1 take `1e3` for a string.
Value floating_value(std::string_view plain) {
  if (plain.find_first_of("nN") != std::string_view::npos) {
    const bool not_a_number = plain.find_first_of("aA") != std::string_view::npos;
    return make(Value::Kind::number, not_a_number           ? ".nan"
                                     : plain.front() == '-' ? "-.inf"
                                                            : ".inf");
  }
  std::string text(plain.front() == '-' ? "-" : "");
  if (plain.front() == '-' || plain.front() == '+') plain.remove_prefix(1);
  const std::size_t exponent = std::min(plain.find_first_of("eE"), plain.size());
  const std::string_view mantissa = plain.substr(0, exponent);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::string_view fraction = mantissa.substr(std::min(point + 1, mantissa.size()));
  text += without_leading_zeros(mantissa.substr(0, point));
  text += '.';
  text += fraction.empty() ? "0" : fraction;
  if (exponent < plain.size()) {
    plain.remove_prefix(exponent + 1);
    const bool negative = plain.front() == '-';
    if (negative || plain.front() == '+') plain.remove_prefix(1);
    text += negative ? "e-" : "e+";
    text += plain;
  }
  return make(Value::Kind::number, text);
}

}  // namespace

Value Value::plain(std::string_view text) {
  switch (type_of(text)) {
    case Type::null:
      return make(Kind::null);
    case Type::boolean:
      return boolean(text.front() == 't' || text.front() == 'T');
    case Type::integer:
      return integer_value(text);
    case Type::floating:
      return floating_value(text);
    case Type::string:
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
  switch (kind) {
    case Kind::null:
      return true;
    case Kind::boolean:
      return text == "false";
    case Kind::number:
      return false;
    case Kind::string:
      return text.empty();
    case Kind::sequence:
      return items.empty();
    case Kind::mapping:
      break;
  }
  return members.empty();
}

const Value* Value::find(std::string_view key) const {
  for (const Member& member : members) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

Value* Value::find(std::string_view key) {
  return const_cast<Value*>(static_cast<const Value*>(this)->find(key));
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

Value to_value(const Node& node) {
  if (node.kind == yaml::Kind::null) return {};
  if (node.kind == yaml::Kind::scalar)
    return node.quoted ? Value::string(node.text) : Value::plain(node.text);
  Value value = node.kind == yaml::Kind::sequence ? Value::sequence() : Value::mapping();
  value.items.reserve(node.items.size());
  for (const Node& item : node.items) value.items.push_back(to_value(item));
  value.members.reserve(node.members.size());
  for (const Member& member : node.members)
    value.members.emplace_back(member.key.text, to_value(member.value));
  return value;
}

}  // namespace flexslice::yaml
