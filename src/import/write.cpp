#include "import/write.hpp"

#include <algorithm>

#include "base/source.hpp"
#include "import/placeholders.hpp"
#include "schema/placeholder.hpp"
#include "spec/spec_fields.hpp"
#include "yaml/emit.hpp"
#include "yaml/parse.hpp"

namespace flexslice::imports {

using schema::Table;
using yaml::Node;
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

// Capitals need no quotes.
bool has_marks(std::string_view text) { return !schema::placeholder_in(text).empty(); }

void find_plain_placeholders(const Node& node, std::vector<const Node*>& found) {
  if (node.kind == yaml::Kind::scalar && !node.quoted && has_marks(node.text))
    found.push_back(&node);
  for (const Node& item : node.items) find_plain_placeholders(item, found);
  for (const yaml::Member& member : node.members) {
    if (!Placeholders::is_free(member.key.text)) find_plain_placeholders(member.value, found);
  }
}

bool has_placeholders(const Value& value) {
  return (value.is_string() && has_marks(value.text)) ||
         std::ranges::any_of(value.items, has_placeholders) ||
         std::ranges::any_of(value.members, [](const Value::Member& member) {
           return !Placeholders::is_free(member.key) && has_placeholders(member.value);
         });
}

}  // namespace

void put_in_order(Value& spec) { order_by(schema::TableOf<spec::Claims>::table, spec); }

std::string spec_text(const Value& spec) {
  std::string text = yaml::emit(spec, {.width = 100});
  if (!has_placeholders(spec)) return text;
  Sources sources;
  diag::Sink sink;
  const auto tree = yaml::parse(sources, sources.add({"", text, 1}), sink);
  if (!tree) return text;
  std::vector<const Node*> plain;
  find_plain_placeholders(*tree, plain);
  std::ranges::sort(plain, std::ranges::greater{},
                    [](const Node* node) { return node->span.begin; });
  for (const Node* node : plain) {
    std::string quoted;
    yaml::emit_json_string(node->text, quoted);
    text.replace(node->span.begin, node->span.end - node->span.begin, quoted);
  }
  return text;
}

}  // namespace flexslice::imports
