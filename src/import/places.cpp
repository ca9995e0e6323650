#include "import/places.hpp"

namespace flexslice::imports {

using yaml::Node;

Span name_span(const FoundObject& object) {
  const Node* metadata = object.node.find("metadata");
  const Node* name = metadata == nullptr ? nullptr : metadata->find("name");
  const Node* kind = object.node.find("kind");
  return name != nullptr ? name->span : kind != nullptr ? kind->span : object.node.span;
}

const Node* container_called(const Node& node, std::string_view name) {
  for (const yaml::Member& member : node.members) {
    if (member.key.text == "containers") {
      for (const Node& container : member.value.items) {
        const Node* own = container.find("name");
        if (own != nullptr && own->text == name) return &container;
      }
    } else if (const Node* found = container_called(member.value, name)) {
      return found;
    }
  }
  for (const Node& item : node.items) {
    if (const Node* found = container_called(item, name)) return found;
  }
  return nullptr;
}

Span line_of(const Node& node) {
  return node.kind == yaml::Kind::scalar ? node.span
                                         : Span{node.span.source, node.span.begin, node.span.begin};
}

Span span_of(const Node& node, const Refusal& refusal) {
  const std::string& key = refusal.path.back();
  for (const yaml::Member& member : node.members) {
    if (member.key.text == key) return line_of(member.value);
    if (const Span found = span_of(member.value, refusal); found.end > found.begin) return found;
  }
  for (const Node& item : node.items) {
    if (const Span found = span_of(item, refusal); found.end > found.begin) return found;
  }
  const bool same =
      node.kind == yaml::Kind::scalar && (node.text == key || node.text == refusal.value.text);
  return same ? node.span : Span{};
}

}  // namespace flexslice::imports
