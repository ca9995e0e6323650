#include "schema/read.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.hpp"

namespace flexslice::schema {

using yaml::Value;

namespace {

Ref step(Ref at, std::string_view key) {
  const Type& type = *at.type;
  const void* inside = type.inside(at.value);
  if (inside == nullptr) return {};
  if (type.category == Category::tree && type.is_node)
    return {&detail::TypeOf<yaml::Node>::type, static_cast<const yaml::Node*>(inside)->find(key)};
  if (type.category == Category::tree)
    return {at.type, static_cast<const Value*>(inside)->find(key)};
  if (type.category == Category::map) {
    for (std::size_t i = 0; i < type.size(inside); ++i) {
      if (type.key_at(inside, i) == key) return {type.element, type.at(inside, i)};
    }
  }
  if (type.category != Category::record) return {};
  if (const Field* field = type.table->find(key))
    return {field->type, field->of(inside), field->presence == Presence::required};
  if (type.table->claims.empty()) return {};
  const Field& claims = type.table->claims.front();
  return step({claims.type, claims.of(inside)}, key);
}

bool encode_record(const Table& table, const void* record, Value& out) {
  for (const Field& field : table.fields) {
    if (field.internal) continue;
    Value member;
    const bool always = field.presence == Presence::required;
    if (encode({field.type, field.of(record), always}, member) || always)
      out.add(field.key, std::move(member));
  }
  table.for_each_claim([&](const Field& field) {
    Value member;
    if (encode({field.type, field.of(table.claims.front().of(record)), false}, member))
      out.add(field.key, std::move(member));
  });
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
  const void* inside = type.inside(value.value);
  if (inside == nullptr) return;
  if (type.category == Category::list && type.size(inside) > 0 &&
      type.element->category == Category::record)
    return list_reasons({type.element, type.at(inside, 0)}, path, listed);
  const Reason* reason = type.reason == nullptr ? nullptr : type.reason(value.value);
  if (reason != nullptr && reason->listed && !reason->because.empty())
    listed.push_back({path, on_one_line(value), reason});
  if (type.category != Category::record) return;
  for (const Field& field : type.table->fields) {
    if (field.internal) continue;
    list_reasons({field.type, field.of(inside)},
                 path.empty() ? std::string(field.key) : fmt::format("{}.{}", path, field.key),
                 listed);
  }
}

}  // namespace

Value as_in_objects(Value value) {
  constexpr std::string_view first[] = {"name", "image", "command",   "args",        "workingDir",
                                        "env",  "ports", "resources", "volumeMounts"};
  std::ranges::sort(value.members, {}, [&](const Value::Member& member) {
    return std::pair(std::ranges::find(first, member.key) - first, std::string_view(member.key));
  });
  for (auto& [key, member] : value.members) member = as_in_objects(std::move(member));
  for (Value& item : value.items) item = as_in_objects(std::move(item));
  return value;
}

Ref find(Ref value, std::string_view path) {
  while (value) {
    const std::size_t dot = path.find('.');
    value = step(value, path.substr(0, dot));
    if (dot == std::string_view::npos) break;
    path.remove_prefix(dot + 1);
  }
  return value;
}

std::vector<Ref> elements(Ref list) {
  std::vector<Ref> refs;
  const void* inside = list ? list.type->inside(list.value) : nullptr;
  if (inside == nullptr) return refs;
  if (list.type->category == Category::tree && list.type->is_node) {
    for (const yaml::Node& item : static_cast<const yaml::Node*>(inside)->items)
      refs.push_back(ref(item));
  } else if (list.type->category == Category::tree) {
    for (const Value& item : static_cast<const Value*>(inside)->items) refs.push_back(ref(item));
  } else {
    for (std::size_t i = 0; i < list.type->size(inside); ++i)
      refs.push_back({list.type->element, list.type->at(inside, i)});
  }
  return refs;
}

bool is_open(Ref value) {
  if (!value) return false;
  const Type& type = *value.type;
  return (type.where != nullptr && type.where(const_cast<void*>(value.value)).bad) ||
         (type.reason != nullptr && type.reason(value.value)->is_open);
}

bool is_empty(Ref value) {
  const void* inside = value ? value.type->inside(value.value) : nullptr;
  if (inside == nullptr) return true;
  const Category category = value.type->category;
  if (category == Category::list || category == Category::map) return value.type->size(inside) == 0;
  if (category == Category::flag) return !*static_cast<const bool*>(inside);
  if (category == Category::tree && !value.type->is_node)
    return static_cast<const Value*>(inside)->is_empty();
  Value unused;
  return category == Category::record ? !encode(value, unused) : !value.type->get(inside, unused);
}

bool encode(Ref value, Value& out) {
  const Type& type = *value.type;
  const auto place = [&] {
    if (type.where != nullptr) out.origin = type.where(const_cast<void*>(value.value)).span;
    if (type.reason != nullptr) out.origin = type.reason(value.value)->where;
  };
  place();
  const void* inside = type.inside(value.value);
  if (inside == nullptr) return is_open(value);
  switch (type.category) {
    case Category::list:
      out.kind = Value::Kind::sequence;
      out.items.reserve(type.size(inside));
      for (std::size_t i = 0; i < type.size(inside); ++i)
        encode({type.element, type.at(inside, i)}, out.items.emplace_back());
      return !out.items.empty();
    case Category::map:
      out.kind = Value::Kind::mapping;
      out.members.reserve(type.size(inside));
      for (std::size_t i = 0; i < type.size(inside); ++i)
        encode({type.element, type.at(inside, i)}, out.add(type.key_at(inside, i), {}));
      return !out.members.empty();
    case Category::record:
      out.kind = Value::Kind::mapping;
      return encode_record(*type.table, inside, out);
    default:
      break;
  }
  const bool has_value = type.get(inside, out);
  place();
  if (type.reason != nullptr) out.comment = type.reason(value.value)->because;
  return has_value || (value.always && type.category != Category::tree);
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
