#include "schema/kubernetes_types.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "schema/servers.hpp"
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

// A table is filled when it is first asked for, of what kubernetes.yaml says and of what
// servers.txt says. What the former names wrongly throws then.
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
    const View own = source_of(name);
    const std::string_view version = row_text(own, "apiVersion");
    if (!version.empty()) return of_object(kind_of(own), version);
    const std::string_view like = row_text(own, "like");
    const servers::TypeRows served = servers::type(like.empty() ? name : like);
    const bool is_kubernetes = served.is_known && !served.of_crd;
    if (!own && !is_kubernetes) return nullptr;
    return &filled(is_kubernetes ? served.name : "", own ? row_text(own, "name") : "").table;
  }

  const Table* find(std::string_view kind, std::string_view api_version) {
    const std::scoped_lock lock(filling_);
    return of_object(kind, api_version);
  }

  std::string_view api_version(std::string_view kind) const {
    const View source = source_of(kind);
    return source ? row_text(source, "apiVersion") : std::string_view();
  }

 private:
  struct ObjectType {
    Table table;
    Type type{.category = Category::record, .table = &table};
    std::vector<Field> fields;
  };
  // A value has this type, within these limits.
  struct ValueShape {
    const Type* type = &any_type;
    Constraint constraint = {};
  };

  bool own_says(std::string_view own, std::string_view word) const {
    return !own.empty() && source_of(own).find(word);
  }

  static std::string_view kind_of(View type) {
    return row_text(type, type.find("kind") ? "kind" : "name");
  }

  View source_of(std::string_view name) const {
    for (const View type : sources_) {
      if (row_text(type, "name") == name) return type;
    }
    return {};
  }

  const Table* of_object(std::string_view kind, std::string_view api_version) {
    std::string_view own;
    for (const View type : sources_) {
      if (row_text(type, "apiVersion") == api_version && kind_of(type) == kind)
        own = row_text(type, "name");
    }
    const servers::ServedObject* served = servers::served_object(kind, api_version);
    if (own.empty() && served == nullptr) return nullptr;
    ObjectType& object = filled(served == nullptr ? "" : served->type, own);
    if (served != nullptr && object.table.release.empty()) {
      object.table.name = served->kind;
      object.table.release = release_text(served->program);
    }
    return &object.table;
  }

  std::string_view release_text(std::string_view program) {
    const servers::Release& release = *servers::program_release(program);
    return texts_.emplace_back(fmt::format("{} {}", release.title, release.newest));
  }

  // The type of both tables, with those of its fields; either may be empty.
  ObjectType& filled(std::string_view served, std::string_view own) {
    const auto [place, is_new] = types_.try_emplace(fmt::format("{}|{}", served, own));
    ObjectType& object = place->second;
    if (!is_new) return object;
    const View source = own.empty() ? View() : source_of(own);
    if (!own.empty() && !source) throw std::out_of_range("no type " + std::string(own));
    fill(object, servers::type(served), source);
    return object;
  }

  void fill(ObjectType& object, const servers::TypeRows& served, View type) {
    const Words required = words(type.find("required")), replaced = words(type.find("replaced")),
                optional = words(type.find("optional")), lacks = words(type.find("lacks")),
                independent = words(type.find("independent"));
    const View list_keys = type.find("listKeys"), defaults = type.find("defaults");
    const auto served_field = [&](std::string_view key) {
      return find_where(served.fields, [&](const auto& row) { return row.key == key; });
    };
    const auto add = [&](std::string_view key, std::string_view own, const servers::FieldRow* row) {
      Field& field = object.fields.emplace_back();
      field.key = key;
      const ValueShape shape = row == nullptr ? of_own(own, row_text(type, "keys"))
                                              : of_both(row->value, own, row_text(type, "keys"));
      field.type = shape.type;
      field.constraint = shape.constraint;
      if (contains(required, key) || (row != nullptr && row->has('!') && !contains(optional, key)))
        field.presence = Presence::required;
      // To Kubernetes, an empty text is none; no CRD takes one where its form is due.
      if (field.presence == Presence::required && field.type->category == Category::text)
        field.constraint.not_empty |=
            !matches(field.constraint.pattern, "") ||
            (!field.constraint.choices.empty() && !contains(field.constraint.choices, ""));
      field.constraint.list_key = row_text(list_keys, key);
      field.constraint.is_replaced = contains(replaced, key);
      field.constraint.is_independent = contains(independent, key);
      const View by_default = defaults ? defaults.find(key) : View();
      if (by_default) {
        field.constraint.by_default = by_default.text();
      } else if (row != nullptr && row->has_default) {
        field.constraint.by_default = row->by_default;
      }
    };
    for (const View field : type.find("fields"))
      add(field.key(), field.text(), served_field(field.key()));
    for (const servers::FieldRow& row : served.fields) {
      if (!type.find("fields").find(row.key) && !contains(lacks, row.key)) add(row.key, {}, &row);
    }
    if (const std::string_view names = row_text(type, "names"); !names.empty()) {
      for (Field& row : object.fields) {
        if (row.key == "metadata") row.type = &metadata_with(names).type;
      }
    }
    const std::string_view name =
        type ? kind_of(type) : served.name.substr(0, served.name.find('~'));
    object.table = {.name = name,
                    .fields = object.fields,
                    .one_of = words(type.find("oneOf")),
                    .foreign = foreign(type.find("foreign")),
                    .newer = words(type.find("newer")),
                    .at_most_one = words(type.find("atMostOne")),
                    .rules = type.find("rules"),
                    .defaults_with = type.find("defaultsWith"),
                    .defaults_below = type.find("defaultsBelow"),
                    .otherwise = newer_,
                    .raw = true,
                    .is_open = served.is_open,
                    .is_custom = served.of_crd};
  }

  // The metadata of objects whose names have a form of their own.
  ObjectType& metadata_with(std::string_view names) {
    const auto [place, is_new] = types_.try_emplace(fmt::format("names|{}", names));
    ObjectType& metadata = place->second;
    if (!is_new) return metadata;
    fill(metadata, servers::type("ObjectMeta"), source_of("ObjectMeta"));
    for (Field& row : metadata.fields) {
      if (row.key == "name") row.constraint = constraint(scalars_.find(names));
    }
    return metadata;
  }

  const Type* collection(Category category, const Type* element) {
    return &collections_.emplace_back(Type{.category = category, .element = element});
  }

  // `list of port`
  ValueShape of_own(std::string_view type, std::string_view key_pattern) {
    const bool list = type.starts_with("list of "), map = type.starts_with("map of ");
    if (list || map) type.remove_prefix(type.find(" of ") + 4);
    ValueShape shape;
    if (ascii::is_upper(type.front())) {
      shape.type = &filled({}, type).type;
    } else {
      const View scalar = scalars_.find(type);
      shape.type = &scalar_type(row_text(scalar, "type"));
      shape.constraint = constraint(scalar);
    }
    if (map) shape.constraint.key_pattern = pattern_of(key_pattern);
    if (list || map) shape.type = collection(list ? Category::list : Category::map, shape.type);
    return shape;
  }

  // `own` says more, as far as both are of one sort; empty: nothing.
  ValueShape of_both(std::string_view served, std::string_view own, std::string_view key_pattern) {
    const auto below = [&](std::string_view word) {
      return own.starts_with(word) ? own.substr(word.size()) : std::string_view();
    };
    switch (served.front()) {
      case '*':
        return own.empty() ? ValueShape{} : of_own(own, key_pattern);
      case '@': {
        served.remove_prefix(1);
        const bool has_type = !own.empty() && ascii::is_upper(own.front());
        const servers::TypeRows rows = servers::type(served);
        if (rows.fields.empty() && !has_type) return {};
        if (!has_type) own = !rows.of_crd && source_of(served) ? served : "";
        return {&filled(served, own).type, {.not_empty = own_says(own, "notEmpty")}};
      }
      case '[':
        return of_collection(Category::list, ']', served, below("list of "), {});
      case '{':
        return of_collection(Category::map, '}', served, below("map of "), key_pattern);
      default:
        return of_scalar(served, own);
    }
  }

  ValueShape of_collection(Category category, char end, std::string_view served,
                           std::string_view own, std::string_view key_pattern) {
    const std::size_t at = served.find(end);
    const ValueShape element = of_both(served.substr(at + 1), own, {});
    ServerLimits& limits = limits_.emplace_back();
    Constraint& below = constraints_.emplace_back(element.constraint);
    limits.element = &below;
    for (const servers::Limit& limit : servers::limits(served.substr(1, at - 1))) {
      const auto number = static_cast<std::size_t>(text::whole_number(limit.text).value_or(0));
      if (limit.sign == '>') limits.fewest = number;
      if (limit.sign == '<') limits.most = number;
      if (limit.sign == '#') limits.unique_by = limit.text;
    }
    ValueShape shape{collection(category, element.type)};
    shape.constraint.server = &limits;
    if (category == Category::map) shape.constraint.key_pattern = pattern_of(key_pattern);
    // A list of texts that may not be empty has one.
    if (!own.empty() && category == Category::list)
      shape.constraint.not_empty =
          std::exchange(below.not_empty, !below.choices.empty() && !contains(below.choices, ""));
    return shape;
  }

  ValueShape of_scalar(std::string_view served, std::string_view own) {
    ValueShape shape;
    const char letter = served.front();
    shape.type = letter == 'b'                    ? &flag_type
                 : letter == 'i' || letter == 'j' ? &integer_type
                                                  : &string_type;
    const bool says_more = !own.empty() && ascii::is_lower(own.front());
    const View scalar = says_more ? scalars_.find(own) : View();
    if (scalar && row_text(scalar, "type") != "any" &&
        scalar_type(row_text(scalar, "type")).category == shape.type->category)
      shape.constraint = constraint(scalar);
    Constraint& constraint = shape.constraint;
    const bool is_text = shape.type == &string_type;
    if (letter == 'j') {
      constraint.min = std::max<std::int64_t>(constraint.min, INT32_MIN);
      constraint.max = std::min<std::int64_t>(constraint.max, INT32_MAX);
    }
    if (letter == 'q' || letter == 'u') {
      if (constraint.pattern == Pattern::any && constraint.server == nullptr)
        constraint.pattern = Pattern::quantity;
      constraint.not_empty = true;
      constraint.any_scalar = true;
    }
    if (letter == 'o') constraint.or_integer = true;
    ServerLimits found;
    std::vector<std::string_view> choices;
    for (const servers::Limit& limit : servers::limits(served.substr(1))) {
      const auto number =
          text::whole_number(limit.text.substr(limit.text.starts_with('-') ? 1 : 0)).value_or(0) *
          (limit.text.starts_with('-') ? -1 : 1);
      if (limit.sign == '|') choices.push_back(limit.text);
      if (limit.sign == '~') found.expression = servers::pattern(limit.text);
      if (limit.sign == '>' && is_text) found.shortest = static_cast<std::size_t>(number);
      if (limit.sign == '<' && is_text)
        constraint.longest = std::min(constraint.longest, static_cast<std::size_t>(number));
      if (limit.sign == '>' && !is_text) constraint.min = std::max(constraint.min, number);
      if (limit.sign == '<' && !is_text) constraint.max = std::min(constraint.max, number);
    }
    // Rules that know the catalog say more.
    if (scalar && scalar.find("ours")) return shape;
    if (!choices.empty()) constraint.choices = words_.emplace_back(std::move(choices));
    constraint.not_empty |= found.shortest > 0;
    if (!found.expression.empty() || found.shortest > 0)
      constraint.server = &limits_.emplace_back(found);
    return shape;
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
    if (const std::string_view expression = row_text(scalar, "expression"); !expression.empty())
      constraint.server = &limits_.emplace_back(ServerLimits{.expression = expression});
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
  std::map<std::string, ObjectType> types_;  // by their names in both tables
  std::deque<Type> collections_;
  std::deque<Constraint> constraints_;
  std::deque<ServerLimits> limits_;
  std::deque<std::string> texts_;
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

std::string_view api_version(std::string_view kind) {
  if (kind.empty()) return {};
  const std::string_view own = tables().api_version(kind);
  if (!own.empty()) return own;
  // The last one that is stable, if one is.
  std::string_view best;
  for (const servers::ServedObject& object : servers::served_objects()) {
    const bool is_stable = object.version.find("alpha") == object.version.npos &&
                           object.version.find("beta") == object.version.npos;
    if (object.kind == kind && object.mark != '-' && (best.empty() || is_stable))
      best = object.version;
  }
  return best;
}

std::vector<std::string_view> kinds_of(std::string_view api_version) {
  std::vector<std::string_view> kinds;
  const auto add = [&](std::string_view kind) {
    if (!contains(kinds, kind)) kinds.push_back(kind);
  };
  for (const servers::ServedObject& object : servers::served_objects()) {
    if (object.version == api_version) add(object.kind);
  }
  for (const View type : embedded_document().find("types")) {
    if (!api_version.empty() && row_text(type, "apiVersion") == api_version)
      add(row_text(type, type.find("kind") ? "kind" : "name"));
  }
  return kinds;
}

std::vector<std::string_view> versions_of(std::string_view kind) {
  std::vector<std::string_view> versions;
  for (const servers::ServedObject& object : servers::served_objects()) {
    if (object.kind == kind) versions.push_back(object.version);
  }
  for (const View type : embedded_document().find("types")) {
    const std::string_view version = row_text(type, "apiVersion");
    if (!version.empty() && row_text(type, type.find("kind") ? "kind" : "name") == kind &&
        !contains(versions, version))
      versions.push_back(version);
  }
  return versions;
}

bool is_own_group(std::string_view group) {
  return any_of(servers::served_objects(), [&](const servers::ServedObject& object) {
    const std::size_t end = object.version.find('/');
    return object.program == "kubernetes" &&
           (end == object.version.npos ? group.empty() : object.version.substr(0, end) == group);
  });
}

bool is_field_anywhere(std::string_view key) { return servers::is_field_in(key, {}); }

bool is_field_of(std::string_view kind, std::string_view key) {
  return servers::is_field_in(key, kind);
}

bool has_items_apart(std::string_view list) {
  for (const View type : embedded_document().find("types")) {
    if (!row_text(type.find("listKeys"), list).empty()) return true;
    for (const View each : type.find("independent")) {
      if (each.text() == list) return true;
    }
  }
  return false;
}

bool is_of_no_release(std::string_view key, std::string_view kind) {
  const auto is_it = [](View list, std::string_view word) {
    return any_of(list, [&](View each) { return each.text() == word; });
  };
  const View rows = embedded_document().find("ofNoRelease");
  if (is_it(rows.find("anywhere"), key)) return true;
  if (!is_it(rows.find("without"), kind)) return false;
  return is_it(rows.find("pods"), key) ||
         (std::ranges::any_of(key, ascii::is_upper) &&
          any_of(rows.find("workloads"),
                 [&](View each) { return servers::is_field_in(key, each.text()); }) &&
          !servers::is_field_beside(key, kind));
}

LaterRefusal later_refusal(std::string_view kind, std::string_view field, bool is_none) {
  for (const View row : embedded_document().find("acceptedFirst")) {
    const View kinds = row.find("kinds");
    const auto is_in_path = [&](View each) {
      const std::size_t at = field.find(each.text()), end = at + each.text().size();
      return at != field.npos && (at == 0 || field[at - 1] == '.') &&
             (end == field.size() || field[end] == '.' || field[end] == '[');
    };
    const auto is_kind = [&](View each) { return each.text() == kind; };
    const auto is_end = [&](View each) { return field.ends_with(each.text()); };
    const bool is_of_none = bool(row.find("onlyNone"));
    if (is_of_none && !(is_none && any_of(row.find("fields"), is_end))) continue;
    if ((!is_none || is_of_none || row.find("orNone")) && (!kinds || any_of(kinds, is_kind)) &&
        any_of(row.find("fields"), is_in_path))
      return {row_text(row, "who"), bool(row.find("harmless"))};
  }
  return {};
}

bool refuses_fractions(std::string_view kind) {
  return any_of(embedded_document().find("fractionsRefused"),
                [&](View each) { return each.text() == kind; });
}

std::string_view kind_like(std::string_view text) {
  const std::string lowered = text::lower(text);
  const auto is_like = [&](std::string_view kind) {
    return text::lower(kind) == lowered || text::lower(kind) + "s" == lowered;
  };
  for (const View type : embedded_document().find("types")) {
    const std::string_view kind = row_text(type, "name");
    if (!row_text(type, "apiVersion").empty() && is_like(kind)) return kind;
  }
  for (const servers::ServedObject& object : servers::served_objects()) {
    if (is_like(object.kind)) return object.kind;
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
  if (any_of(embedded_document().find("clusterScoped"),
             [&](View each) { return each.text() == kind; }))
    return true;
  // Objects that compile makes are in the shorter list, and need not be looked for in the other.
  return tables().api_version(kind).empty() &&
         any_of(servers::served_objects(), [&](const servers::ServedObject& object) {
           return object.kind == kind && object.is_cluster_scoped;
         });
}

}  // namespace flexslice::schema::kubernetes
