#include "import/order.hpp"

#include <algorithm>

#include "spec/spec_fields.hpp"

namespace flexslice::imports {

using schema::Table;
using yaml::Value;

namespace {

// As Kubernetes' own examples have it. Nothing is said by members that are empty.
void order_tree(Value& value) {
  constexpr std::string_view first[] = {"kind",    "name",      "container",   "image",
                                        "command", "args",      "workingDir",  "env",
                                        "ports",   "resources", "volumeMounts"};
  if (const Value* resources = value.find("resources");
      resources != nullptr && resources->is_mapping() && resources->is_empty())
    value.erase("resources");
  std::ranges::stable_sort(value.members, {}, [&](const Value::Member& member) {
    return std::pair(std::ranges::find(first, member.key) - first, std::string_view(member.key));
  });
  for (Value::Member& member : value.members) order_tree(member.value);
  for (Value& item : value.items) order_tree(item);
}

void order_by(const Table& table, Value& record) {
  const auto place = [&](const Value::Member& member) {
    const schema::Field* field = table.find(member.key);
    return field == nullptr ? std::ssize(table.fields) : field - table.fields.data();
  };
  if (!std::ranges::is_sorted(record.members, {}, place))
    std::ranges::stable_sort(record.members, {}, place);
  for (Value::Member& member : record.members) {
    const schema::Field* field = table.find(member.key);
    if (field == nullptr) continue;
    const schema::Type* type = field->type;
    if (type->category == schema::Category::record) order_by(*type->table, member.value);
    if (type->category == schema::Category::tree) order_tree(member.value);
    if (type->category != schema::Category::list) continue;
    if (type->element->category == schema::Category::tree) order_tree(member.value);
    if (type->element->category == schema::Category::record) {
      for (Value& item : member.value.items) {
        if (item.is_mapping()) order_by(*type->element->table, item);
      }
    }
  }
}

}  // namespace

void put_in_order(Value& spec) { order_by(schema::TableOf<spec::Claims>::table, spec); }

}  // namespace flexslice::imports
