#include "schema/kubernetes_types.hpp"

#include <fmt/core.h>

#include <deque>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "yaml/embedded.hpp"

namespace flexslice::schema::kubernetes {

namespace {

using yaml::View;

Pattern pattern_of(std::string_view name) {
  return name.empty() ? Pattern::any : pattern_named(name).value();
}

constexpr Type string_type{.category = Category::text};
constexpr Type integer_type{.category = Category::integer};
constexpr Type flag_type{.category = Category::flag};
constexpr Type any_type{.category = Category::tree};

// A table is filled when it is first asked for. What the file names wrongly throws then.
class Tables {
 public:
  explicit Tables(View document)
      : scalars_(document.find("scalars")),
        sources_(document.find("types")),
        newer_(fmt::format("Kubernetes {} has no such field; `patches` can set a newer one",
                           row_text(document, "version"))) {}
  Tables(const Tables&) = delete;
  Tables& operator=(const Tables&) = delete;

  const Table* find(std::string_view name) {
    const std::scoped_lock lock(filling_);
    return types_.contains(name) || source_of(name) ? &filled(name).table : nullptr;
  }

  const Table* find(std::string_view kind, std::string_view api_version) {
    const std::scoped_lock lock(filling_);
    const auto known = types_.find(kind);
    if (known != types_.end() && known->second.api_version == api_version)
      return &known->second.table;
    for (const View type : sources_) {
      if (row_text(type, "apiVersion") == api_version && kind_of(type) == kind)
        return &filled(row_text(type, "name")).table;
    }
    return nullptr;
  }

  std::string_view api_version(std::string_view kind) const {
    const View source = source_of(kind);
    return source ? row_text(source, "apiVersion") : std::string_view();
  }

 private:
  struct ObjectType {
    Table table;
    std::string_view api_version;  // of an object
    Type type{.category = Category::record, .table = &table};
    std::vector<Field> fields;
  };

  static std::string_view kind_of(View type) {
    return row_text(type, type.find("kind") ? "kind" : "name");
  }

  View source_of(std::string_view name) const {
    for (const View type : sources_) {
      if (row_text(type, "name") == name) return type;
    }
    return {};
  }

  // The type with those of its fields.
  ObjectType& filled(std::string_view name) {
    const auto known = types_.find(name);
    if (known != types_.end()) return known->second;
    const View source = source_of(name);
    if (!source) throw std::out_of_range("no type " + std::string(name));
    ObjectType& object = types_[row_text(source, "name")];
    fill(object, source);
    return object;
  }

  void fill(ObjectType& object, View type) {
    const Words required = words(type.find("required")), replaced = words(type.find("replaced"));
    const View list_keys = type.find("listKeys"), defaults = type.find("defaults");
    for (const View field : type.find("fields")) {
      Field& row = object.fields.emplace_back();
      row.key = field.key();
      if (contains(required, field.key())) row.presence = Presence::required;
      set_type(row, field.text(), row_text(type, "keys"));
      row.constraint.list_key = row_text(list_keys, field.key());
      row.constraint.is_replaced = contains(replaced, field.key());
      const View by_default = defaults ? defaults.find(field.key()) : View();
      if (by_default) row.constraint.by_default = by_default.text();
    }
    if (const std::string_view names = row_text(type, "names"); !names.empty()) {
      for (Field& row : object.fields) {
        if (row.key == "metadata") row.type = &metadata_with(names).type;
      }
    }
    object.api_version = row_text(type, "apiVersion");
    object.table = {.name = kind_of(type),
                    .fields = object.fields,
                    .one_of = words(type.find("oneOf")),
                    .foreign = foreign(type.find("foreign")),
                    .newer = words(type.find("newer")),
                    .at_most_one = words(type.find("atMostOne")),
                    .rules = type.find("rules"),
                    .defaults_with = type.find("defaultsWith"),
                    .defaults_below = type.find("defaultsBelow"),
                    .otherwise = newer_,
                    .raw = true};
  }

  // The metadata of objects whose names have a form of their own.
  ObjectType& metadata_with(std::string_view names) {
    ObjectType& metadata = types_[names];
    if (!metadata.fields.empty()) return metadata;
    fill(metadata, source_of("ObjectMeta"));
    for (Field& row : metadata.fields) {
      if (row.key == "name") row.constraint = constraint(scalars_.find(names));
    }
    return metadata;
  }

  // `list of port`
  void set_type(Field& field, std::string_view type, std::string_view key_pattern) {
    const bool list = type.starts_with("list of "), map = type.starts_with("map of ");
    if (list || map) type.remove_prefix(type.find(" of ") + 4);
    if (ascii::is_upper(type.front())) {
      field.type = &filled(type).type;
    } else {
      const View scalar = scalars_.find(type);
      field.type = &scalar_type(row_text(scalar, "type"));
      field.constraint = constraint(scalar);
    }
    if (map) field.constraint.key_pattern = pattern_of(key_pattern);
    if (list || map)
      field.type = &collections_.emplace_back(
          Type{.category = list ? Category::list : Category::map, .element = field.type});
  }

  static const Type& scalar_type(std::string_view name) {
    if (name == "any") return any_type;
    return name == "integer" ? integer_type : name == "flag" ? flag_type : string_type;
  }

  Constraint constraint(View scalar) {
    const auto number = [&](std::string_view key, std::int64_t fallback) {
      return text::whole_number(row_text(scalar, key)).value_or(fallback);
    };
    Constraint constraint;
    constraint.pattern = pattern_of(row_text(scalar, "pattern"));
    constraint.choices = words(scalar.find("choices"));
    constraint.longest = static_cast<std::size_t>(number("longest", INT64_MAX));
    constraint.newer = words(scalar.find("newer"));
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

  std::span<const Foreign> foreign(View helps) {
    if (!helps) return {};
    std::vector<Foreign>& all = foreign_.emplace_back();
    for (const View help : helps) all.push_back({help.key(), help.text()});
    return all;
  }

  std::mutex filling_;
  View scalars_, sources_;
  std::string newer_;
  std::map<std::string_view, ObjectType> types_;
  std::deque<Type> collections_;
  std::deque<std::vector<std::string_view>> words_;
  std::deque<std::vector<Foreign>> foreign_;
};

}  // namespace

namespace {

View embedded_document() {
  return embedded::root_of(embedded::kubernetes, "schema/kubernetes.yaml");
}

Tables& tables() {
  static Tables tables(embedded_document());
  return tables;
}

}  // namespace

const Table& table(std::string_view type) { return *tables().find(type); }

const Table* find(std::string_view type) { return tables().find(type); }

const Table* find(std::string_view kind, std::string_view api_version) {
  return api_version.empty() ? nullptr : tables().find(kind, api_version);
}

std::string_view api_version(std::string_view kind) { return tables().api_version(kind); }

std::string_view kind_like(std::string_view text) {
  const std::string lowered = text::lower(text);
  for (const View type : embedded_document().find("types")) {
    const std::string_view kind = row_text(type, "name");
    if (!row_text(type, "apiVersion").empty() &&
        (text::lower(kind) == lowered || text::lower(kind) + "s" == lowered))
      return kind;
  }
  return {};
}

std::optional<Neighbour> neighbour_with(std::string_view key, std::string_view type) {
  for (const View row : embedded_document().find("neighbours")) {
    const auto is_type = [&](View each) { return each.text() == type; };
    if (any_of(row.find("of"), is_type) && table(row_text(row, "type")).find(key) != nullptr)
      return Neighbour{row_text(row, "where"), bool(row.find("inList"))};
  }
  return std::nullopt;
}

bool is_cluster_scoped(std::string_view kind) {
  return any_of(embedded_document().find("clusterScoped"),
                [&](View each) { return each.text() == kind; });
}

}  // namespace flexslice::schema::kubernetes
