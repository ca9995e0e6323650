#include "schema/kubernetes.hpp"

#include <fmt/core.h>

#include <deque>
#include <map>
#include <mutex>

#include "base/text.hpp"
#include "yaml/embedded.hpp"

namespace flexslice::schema::kubernetes {

namespace {

using yaml::View;

std::string_view text_of(View mapping, std::string_view key) {
  const View value = mapping.find(key);
  return value ? value.text() : std::string_view();
}

Pattern pattern_of(std::string_view name) {
  return name.empty() ? Pattern::any : pattern_named(name).value();
}

constexpr Type text_type{.category = Category::text};
constexpr Type integer_type{.category = Category::integer};
constexpr Type flag_type{.category = Category::flag};
constexpr Type any_type{.category = Category::tree};

// A table is filled when it is first asked for. What the file names wrongly throws then.
class Tables {
 public:
  explicit Tables(View document)
      : scalars_(document.find("scalars")),
        newer_(fmt::format("Kubernetes {} has no such field; `patches` can set a newer one",
                           text_of(document, "version"))) {
    for (const View type : document.find("types")) types_[text_of(type, "name")].source = type;
  }
  Tables(const Tables&) = delete;
  Tables& operator=(const Tables&) = delete;

  const Table* find(std::string_view name) {
    if (!types_.contains(name)) return nullptr;
    const std::scoped_lock lock(filling_);
    return &filled(name).table;
  }

  std::string_view api_version(std::string_view name) const {
    const auto type = types_.find(name);
    return type == types_.end() ? "" : text_of(type->second.source, "apiVersion");
  }

 private:
  struct ObjectType {
    View source;
    Table table;
    Type type{.category = Category::record, .table = &table};
    std::vector<Field> fields;
  };

  // The type with those of its fields.
  ObjectType& filled(std::string_view name) {
    ObjectType& object = types_.at(name);
    if (object.fields.empty()) fill(object, object.source);
    return object;
  }

  void fill(ObjectType& object, View type) {
    const Words required = words(type.find("required"));
    for (const View field : type.find("fields")) {
      Field& row = object.fields.emplace_back();
      row.key = field.key();
      if (std::ranges::count(required, field.key()) > 0) row.presence = Presence::required;
      set_type(row, field.text(), text_of(type, "keys"));
    }
    object.table = {.name = text_of(type, "name"),
                    .fields = object.fields,
                    .one_of = words(type.find("oneOf")),
                    .newer = words(type.find("newer")),
                    .otherwise = newer_,
                    .raw = true};
  }

  // `list of port`
  void set_type(Field& field, std::string_view type, std::string_view key_pattern) {
    const bool list = type.starts_with("list of "), map = type.starts_with("map of ");
    if (list || map) type.remove_prefix(type.find(" of ") + 4);
    const View scalar = scalars_.find(type);
    field.type = scalar ? &scalar_type(text_of(scalar, "type")) : &filled(type).type;
    if (scalar) field.constraint = constraint(scalar);
    if (map) field.constraint.key_pattern = pattern_of(key_pattern);
    if (list || map)
      field.type = &collections_.emplace_back(
          Type{.category = list ? Category::list : Category::map, .element = field.type});
  }

  static const Type& scalar_type(std::string_view name) {
    if (name == "any") return any_type;
    return name == "integer" ? integer_type : name == "flag" ? flag_type : text_type;
  }

  Constraint constraint(View scalar) {
    const auto number = [&](std::string_view key, std::int64_t fallback) {
      return text::whole_number(text_of(scalar, key)).value_or(fallback);
    };
    Constraint constraint;
    constraint.pattern = pattern_of(text_of(scalar, "pattern"));
    constraint.choices = words(scalar.find("choices"));
    constraint.min = number("min", constraint.min);
    constraint.max = number("max", constraint.max);
    constraint.not_empty = bool(scalar.find("notEmpty"));
    constraint.any_scalar = bool(scalar.find("anyScalar"));
    constraint.or_integer = bool(scalar.find("orInteger"));
    return constraint;
  }

  using Words = std::span<const std::string_view>;
  Words words(View list) {
    if (!list) return {};
    std::vector<std::string_view>& all = words_.emplace_back();
    for (const View word : list) all.push_back(word.text());
    return all;
  }

  std::mutex filling_;
  View scalars_;
  std::string newer_;
  std::map<std::string_view, ObjectType> types_;
  std::deque<Type> collections_;
  std::deque<std::vector<std::string_view>> words_;
};

}  // namespace

namespace {

Tables& tables() {
  static Tables tables(embedded::kubernetes.root(embedded::kubernetes.files.front()));
  return tables;
}

}  // namespace

const Table& table(std::string_view type) { return *tables().find(type); }

const Table* find(std::string_view type) { return tables().find(type); }

const Table* find(std::string_view kind, std::string_view api_version) {
  return api_version.empty() || tables().api_version(kind) != api_version ? nullptr
                                                                          : tables().find(kind);
}

}  // namespace flexslice::schema::kubernetes
