#include "schema/as_kubectl.hpp"

#include "schema/kubernetes_types.hpp"
#include "schema/table.hpp"

namespace flexslice::schema {

using yaml::Node;
using yaml::ScalarType;

namespace {

bool takes(const Type& type, const Constraint& constraint, const Node& scalar) {
  const bool flag = type.category == Category::flag;
  const bool number =
      type.category == Category::integer ||
      (type.category == Category::text && (constraint.or_integer || constraint.any_scalar));
  if (!flag && !number) return false;
  const ScalarType read = yaml::kubectl_type_of(scalar);
  return flag ? read == ScalarType::boolean
              : read == ScalarType::integer || read == ScalarType::floating;
}

void read_typed(Node& node, const Type& type, const Constraint& constraint);

void read_typed(Node& mapping, const Table& type) {
  for (auto& [key, value] : mapping.members) {
    if (const Field* field = type.find(key.text)) {
      read_typed(value, *field->type, field->constraint);
    } else {
      read_as_kubectl(value);
    }
  }
}

void read_typed(Node& node, const Type& type, const Constraint& constraint) {
  if (node.kind == yaml::Kind::scalar) {
    if (takes(type, constraint, node)) yaml::read_old_scalar(node);
  } else if (type.category == Category::record) {
    read_typed(node, *type.table);
  } else if (type.category == Category::list || type.category == Category::map) {
    const Constraint& below = of_element(constraint);
    for (Node& item : node.items) read_typed(item, *type.element, below);
    for (yaml::Member& member : node.members) read_typed(member.value, *type.element, below);
  } else {
    read_as_kubectl(node);
  }
}

}  // namespace

void read_as_kubectl(Node& document) {
  const Node *version = document.find("apiVersion"), *kind = document.find("kind");
  const Table* type =
      version == nullptr || kind == nullptr ? nullptr : kubernetes::find(kind->text, version->text);
  if (type != nullptr) return read_typed(document, *type);
  for (Node& item : document.items) read_as_kubectl(item);
  for (yaml::Member& member : document.members) read_as_kubectl(member.value);
}

}  // namespace flexslice::schema
