#include "schema/read.hpp"

#include <fmt/core.h>

#include "base/text.hpp"

namespace flexslice::schema {

using yaml::Value;

namespace {

Ref step(Ref at, std::string_view key) {
  const Type& type = *at.type;
  if (type.category == Category::record) {
    const void* record = type.get_record(at.value);
    const Field* field = record == nullptr ? nullptr : type.table->find(key);
    return field == nullptr
               ? Ref{}
               : Ref{field->type, field->of(record), field->presence == Presence::required};
  }
  if (type.category == Category::map) {
    for (std::size_t i = 0; i < type.size(at.value); ++i) {
      if (type.key_at(at.value, i) == key) return {type.element, type.at(at.value, i)};
    }
    return {};
  }
  return type.category == Category::tree
             ? Ref{at.type, static_cast<const Value*>(at.value)->find(key)}
             : Ref{};
}

bool encode_record(Ref value, Value& out) {
  const void* record = value.type->get_record(value.value);
  if (record == nullptr) return false;
  out.kind = Value::Kind::mapping;
  for (const Field& field : value.type->table->fields) {
    if (field.internal) continue;
    Value member;
    const bool always = field.presence == Presence::required;
    if (encode({field.type, field.of(record), always}, member) || always)
      out.add(field.key, std::move(member));
  }
  return !out.members.empty();
}

std::string on_one_line(Ref value) {
  Value encoded;
  encode(value, encoded);
  if (!encoded.is_sequence()) return encoded.text;
  std::vector<std::string> texts;
  for (Value& item : encoded.items) texts.push_back(std::move(item.text));
  return text::join(texts, ", ");
}

void list_reasons(Ref value, const std::string& path, std::vector<ListedReason>& listed) {
  const Type& type = *value.type;
  if (type.category == Category::list && type.size(value.value) > 0 &&
      type.element->category == Category::record)
    return list_reasons({type.element, type.at(value.value, 0)}, path, listed);
  const Reason* reason = type.reason == nullptr ? nullptr : type.reason(value.value);
  if (reason != nullptr && reason->listed && !reason->because.empty())
    listed.push_back({path, on_one_line(value), reason});
  const void* record = type.category == Category::record ? type.get_record(value.value) : nullptr;
  if (record == nullptr) return;
  for (const Field& field : type.table->fields) {
    if (field.internal) continue;
    list_reasons({field.type, field.of(record)},
                 path.empty() ? std::string(field.key) : fmt::format("{}.{}", path, field.key),
                 listed);
  }
}

}  // namespace

Ref find(Ref value, std::string_view path) {
  while (value) {
    const std::size_t dot = path.find('.');
    value = step(value, path.substr(0, dot));
    if (dot == std::string_view::npos) break;
    path.remove_prefix(dot + 1);
  }
  return value;
}

bool is_empty(Ref value) {
  if (!value) return true;
  const Type& type = *value.type;
  switch (type.category) {
    case Category::list:
    case Category::map:
      return type.size(value.value) == 0;
    case Category::tree:
      return static_cast<const Value*>(value.value)->is_empty();
    case Category::record:
      if (type.get_record(value.value) == nullptr) return true;
      break;
    default:
      break;
  }
  Value unused;
  return !encode({value.type, value.value, false}, unused);
}

bool encode(Ref value, Value& out) {
  const Type& type = *value.type;
  switch (type.category) {
    case Category::list:
      out.kind = Value::Kind::sequence;
      for (std::size_t i = 0; i < type.size(value.value); ++i)
        encode({type.element, type.at(value.value, i)}, out.items.emplace_back());
      return !out.items.empty();
    case Category::map:
      out.kind = Value::Kind::mapping;
      for (std::size_t i = 0; i < type.size(value.value); ++i) {
        Value member;
        encode({type.element, type.at(value.value, i)}, member);
        out.add(type.key_at(value.value, i), std::move(member));
      }
      return !out.members.empty();
    case Category::record:
      return encode_record(value, out);
    case Category::tree:
      return type.get(value.value, out);
    default:
      return type.get(value.value, out) || value.always;
  }
}

Value encode(Ref value) {
  Value out;
  encode(value, out);
  return out;
}

std::vector<ListedReason> reasons(Ref record) {
  std::vector<ListedReason> listed;
  list_reasons(record, {}, listed);
  return listed;
}

}  // namespace flexslice::schema
