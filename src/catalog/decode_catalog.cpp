// From a document to rows, by the tables. Owns the rules of merging and of inherited evidence.
#include <fmt/core.h>

#include "base/text.hpp"
#include "catalog/tables.hpp"
#include "schema/read.hpp"

namespace flexslice::catalog {

namespace {

using diag::Code;
using schema::Category;
using schema::Field;
using schema::Table;
using yaml::Kind;
using yaml::Node;

// `a list`, `the string `4``: what a document has instead of what is expected.
std::string seen(const Node& node) {
  constexpr std::array nouns{"nothing", "", "a list", "a mapping"};
  if (node.kind != Kind::scalar) return nouns[static_cast<std::size_t>(node.kind)];
  return fmt::format("{}`{}`", node.quoted ? "the string " : "", node.text);
}

bool has_lists(const Table& table) {
  return std::any_of(table.fields.begin(), table.fields.end(), [](const Field& field) {
    return field.type->element != nullptr && field.type->element->table != nullptr;
  });
}

class CatalogDecoder {
 public:
  CatalogDecoder(schema::Storage* storage, diag::Sink& sink) : storage_(storage), sink_(sink) {}

  void row(const Node& node, const Table& table, void* row, bool is_new) {
    const Evidence outer = inherited_;
    evidence(node, table, row, is_new);
    if (node.kind == Kind::mapping) {
      members(node, table, row, is_new);
    } else {
      const Field& field = *table.find(table.shorthand);
      value(field, node, field.member(row));
    }
    inherited_ = outer;
  }

  void wrong_type(const Node& node, std::string_view what, std::string_view expected) {
    sink_.report<Code::WrongCatalogType>(node.span, what, expected, seen(node));
  }

 private:
  // All of these are about a field's value.
  void wrong(const Field& field, const Node& node, std::string_view expected) {
    wrong_type(node, fmt::format("`{}`", field.key), expected);
  }
  void impossible(const Field& field, const Node& node, std::string_view expected) {
    sink_.report<Code::BadCatalogValue>(node.span, field.key, node.text, expected);
  }
  void missing(const Table& table, const Node& node, std::string_view key) {
    sink_.report<Code::MissingCatalogKey>(node.span, table.name, key);
  }

  // `type` is the field's, or that of its elements.
  void scalar(const Field& field, const schema::Type& type, const Node& node, void* value) {
    const bool plain = node.kind == Kind::scalar && !node.quoted;
    const std::span choices = field.constraint.choices;
    if (type.category == Category::text) {
      if (node.kind != Kind::scalar) return wrong(field, node, "text");
      if (!type.parse(value, node.text, storage_))
        impossible(field, node,
                   choices.empty() ? "a topology such as 4x4 or 2x2x1"
                                   : fmt::format("one of {}", text::join(choices, ", ")));
    } else if (type.category == Category::flag) {
      if (!plain || !type.parse(value, node.text, storage_)) wrong(field, node, "true or false");
    } else {
      const auto number = plain ? text::whole_number(node.text) : std::nullopt;
      if (!number) return wrong(field, node, "a whole number");
      if (*number > field.constraint.max)
        return impossible(field, node, fmt::format("at most {}", field.constraint.max));
      type.parse(value, node.text, storage_);
    }
  }

  // The scalar that names an item of a list, or null, which is reported if it should have a name.
  const Node* name_of(const Field& field, const Node& node) {
    const Table& table = *field.type->element->table;
    const Field& first = table.fields.front();
    const bool may_be_scalar = !table.shorthand.empty();
    if (node.kind == Kind::scalar && may_be_scalar) return &node;
    if (node.kind != Kind::mapping) {
      wrong(field, node, may_be_scalar ? "a list of strings or mappings" : "a list of mappings");
      return nullptr;
    }
    if (first.type->category == Category::list) return &node;
    const Node* name = node.find(first.key);
    if (name != nullptr && name->kind == Kind::scalar) return name;
    missing(table, node, first.key);
    return nullptr;
  }

  void list(const Field& field, const Node& node, void* list) {
    const schema::Type& type = *field.type;
    const bool texts = type.element->table == nullptr;
    const auto not_text = std::find_if(node.items.begin(), node.items.end(),
                                       [](const Node& item) { return item.kind != Kind::scalar; });
    if (node.kind != Kind::sequence)
      return wrong(field, node, texts ? "a list of strings" : "a list");
    if (texts && not_text != node.items.end()) return wrong(field, *not_text, "a list of strings");
    if (texts) type.settle(list, 0, 0);
    const std::size_t old = type.size(list);
    std::size_t size = old;
    type.grow(list, node.items.size(), storage_);
    const auto at = [&](std::size_t i) { return const_cast<void*>(type.at(list, i)); };
    // A new row replaces an earlier one of its name, so the names of the earlier rows are needed;
    // the list is empty if such rows have no names.
    std::vector<std::string> names;
    for (std::size_t i = 0; i < old && !texts; ++i) {
      const Field& first = type.element->table->fields.front();
      if (first.type->category != Category::list)
        names.push_back(schema::encode({first.type, first.of(at(i))}).text);
    }
    for (const Node& item : node.items) {
      if (texts) {
        scalar(field, *type.element, item, at(size++));
        continue;
      }
      const Node* name = name_of(field, item);
      if (name == nullptr) continue;
      const auto known = std::find(names.begin(), names.end(), name->text);
      const bool is_new = known == names.end();
      row(item, *type.element->table, at(is_new ? size++ : known - names.begin()), is_new);
    }
    type.settle(list, size, old);
  }

  void value(const Field& field, const Node& node, void* value) {
    if (field.type->category == Category::list) return list(field, node, value);
    if (field.type->category != Category::record) return scalar(field, *field.type, node, value);
    if (node.kind != Kind::mapping) return wrong(field, node, "a mapping");
    const Evidence outer = inherited_;
    if (field.type == &schema::evidence_type) {
      *static_cast<Evidence*>(value) = inherited_;
      static_cast<Evidence*>(value)->note = {};
    } else {
      evidence(node, *field.type->table, value, false);
    }
    members(node, *field.type->table, value, false);
    if (field.type != &schema::evidence_type) inherited_ = outer;
  }

  // A row that was there keeps its evidence when the document only adds to lists inside it.
  void evidence(const Node& node, const Table& table, void* row, bool is_new) {
    const Field* field = table.find("evidence");
    if (field == nullptr) return;
    inherited_.note = {};
    inherited_.where = node.span;
    const Node* own = node.find(field->key);
    if (own != nullptr) value(*field, *own, &inherited_);
    for (const Field& other : table.fields) {
      if (other.type == field->type && is_new)
        *static_cast<Evidence*>(other.member(row)) = inherited_;
    }
    auto& evidence = *static_cast<Evidence*>(field->member(row));
    if (own != nullptr || !has_lists(table)) evidence = inherited_;
    evidence.where = node.span;
  }

  void members(const Node& node, const Table& table, void* row, bool is_new) {
    for (const yaml::Member& member : node.members) {
      const Field* field = table.find(member.key.text);
      if (field == nullptr) {
        std::vector<std::string_view> keys;
        for (const Field& known : table.fields) keys.push_back(known.key);
        auto& finding =
            sink_.report<Code::UnknownCatalogKey>(member.value.span, member.key.text, table.name);
        diag::did_you_mean(finding, member.key.text, keys);
      } else if (field->key != "evidence") {
        value(*field, member.value, field->member(row));
      }
    }
    for (const Field& field : table.fields) {
      const bool required = is_new && field.presence == schema::Presence::required;
      if (required && node.find(field.key) == nullptr) missing(table, node, field.key);
    }
  }

  schema::Storage* storage_;
  diag::Sink& sink_;
  Evidence inherited_;  // of the nearest enclosing row
};

}  // namespace

void load(const Node& document, Catalog& catalog, diag::Sink& sink) {
  catalog.overlaid = true;
  if (catalog.storage == nullptr) catalog.storage = std::make_shared<schema::Storage>();
  if (document.kind == Kind::null) return;
  CatalogDecoder decoder(catalog.storage.get(), sink);
  const Table& table = *schema::catalog_type.table;
  if (document.kind != Kind::mapping) return decoder.wrong_type(document, table.name, "a mapping");
  const Text newest = catalog.as_of;
  decoder.row(document, table, &catalog, false);
  if (std::string_view(catalog.as_of) < newest) catalog.as_of = newest;
}

}  // namespace flexslice::catalog
