// The table machine: each field of the spec, of the catalog and of the plan is declared once, as a
// row. From the rows come decoding with its messages, encoding, the JSON Schema, the field
// reference, and the paths that templates may name.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "base/words.hpp"
#include "schema/claim.hpp"
#include "schema/derived.hpp"
#include "schema/name_patterns.hpp"
#include "schema/pattern.hpp"
#include "yaml/frozen.hpp"
#include "yaml/value.hpp"

namespace flexslice::schema {

struct Table;
using Storage = std::pmr::monotonic_buffer_resource;

enum class Category : std::uint8_t { text, integer, flag, tree, list, map, record };

// One C++ type, erased to plain functions.
struct Type {
  Category category = Category::text;
  const Type* element = nullptr;  // list, map
  const Table* table = nullptr;   // record
  bool is_node = false;           // tree: a yaml::Node, else a yaml::Value

  // Filling a claim, and where it was said; null for a type of the plan.
  Where& (*where)(void* claim) = nullptr;
  void* (*append)(void* collection) = nullptr;  // list, map: a new element's value
  Text* (*key_of_last)(void* map) = nullptr;    // map: the key of the element appended last

  // Reading a value of the plan, or a claim. `inside` takes it out of std::optional, Derived and
  // Claim, and is null where there is none; the functions below it take the value inside.
  const void* (*inside)(const void* value) = nullptr;
  const Reason* (*reason)(const void* value) = nullptr;        // of a derived value
  bool (*get)(const void* value, yaml::Value& out) = nullptr;  // scalar, tree; false: it is empty
  std::size_t (*size)(const void* collection) = nullptr;       // list, map
  const void* (*at)(const void* collection, std::size_t i) = nullptr;    // element i's value
  std::string_view (*key_at)(const void* map, std::size_t i) = nullptr;  // map

  // Filling a claim's text, or a row of the catalog, whose strings and lists are in `storage`.
  // scalar; false: the text is not such a value, and nothing is changed
  bool (*parse)(void* value, std::string_view text, Storage* storage) = nullptr;
  // list: adds rows with default values behind those that are there
  void (*grow)(void* list, std::size_t more, Storage* storage) = nullptr;
  // list: keeps `size` rows, of which the first `old` were there before, and orders them
  void (*settle)(void* list, std::size_t size, std::size_t old) = nullptr;
};

// In a spec: whether the field must be given. In the plan: whether it always has a value; an
// optional one is absent while it is empty.
enum class Presence : std::uint8_t { optional, required };

struct ServerLimits;

// A value must meet this, beyond its type. For lists and maps it holds for every element.
struct Constraint {
  Pattern pattern = Pattern::any;                  // of texts
  Pattern key_pattern = Pattern::any;              // of a map's keys
  std::span<const std::string_view> choices = {};  // the texts allowed; empty: any
  std::span<const std::string_view> newer =
      {};                              // more of them, which the cluster's version may have
  NameSet choices_of = NameSet::none;  // checked later; none: any text
  std::size_t longest = SIZE_MAX;      // of texts, where it is less than the pattern's
  std::int64_t min = INT64_MIN;        // of integers
  std::int64_t max = INT64_MAX;
  bool not_empty = false;   // texts, lists and maps; not their elements
  bool any_scalar = false;  // a text that may also be written as a number (resource quantities)
  bool or_true = false;     // a text, or `true`
  bool or_integer = false;  // a text, or an integer from min to max (ports)
  bool or_one = false;      // a list that may also be written as its only element
  bool is_layer = false;    // a record that lies over another one, so anything may be missing
  // For texts: the field with this key lists further values.
  std::string_view rest = {};
  // For trees: this type of Kubernetes judges them; empty: any.
  std::string_view shape = {};
  // For lists of Kubernetes: a strategic merge patch finds an item by this key, for scalars any
  // word; empty: it replaces the list as a whole. Likewise a mapping that it replaces.
  std::string_view list_key = {};
  bool is_replaced = false;
  bool is_independent = false;  // of a list without a key: each item holds without the others
  // The value that the API server fills in, of types of Kubernetes.
  std::optional<std::string_view> by_default = {};
  const ServerLimits* server = nullptr;  // of fields of Kubernetes that its own table has
};

// An API server requires this of a value in a CRD, or of the items of any list.
struct ServerLimits {
  std::string_view expression = {};         // a regular expression, of texts
  std::size_t shortest = 0;                 // of texts
  std::size_t fewest = 0, most = SIZE_MAX;  // items of a list, or members of a map
  std::string_view unique_by = {};  // keys, with commas, by which items differ; `=`: the whole item
  const Constraint* element = nullptr;  // of lists and maps; null: as what holds it
};

// The items of a list, or the values of a map, may have a constraint of their own.
inline const Constraint& of_element(const Constraint& constraint) {
  return constraint.server == nullptr || constraint.server->element == nullptr
             ? constraint
             : *constraint.server->element;
}

struct Field {
  std::string_view key;
  Presence presence;
  const Type* type;
  void* (*member)(void* record);
  Constraint constraint;
  std::string_view doc;           // one or two sentences
  std::string_view fallback;      // the default, in words or as the value; empty: none
  std::string_view example;       // as YAML on one line
  bool internal = false;          // of the plan: for templates only, not in the document
  std::string_view kinds = {};    // of a workload: those it is for, separated by spaces; empty: all
  std::string_view instead = {};  // the field that other kinds have in its place
  // Kinds that may lack it although it is required; of a table without `kind`, a field that is
  // enough, by its path.
  std::string_view optional_for = {};
  bool is_kept = false;  // although it is optional: without it, a spec means other machines or pods

  const void* of(const void* record) const { return member(const_cast<void*>(record)); }
};

// Keys that belong to other tools and are not fields here, for the message about them.
struct Foreign {
  std::string_view keys;          // separated by spaces
  std::string_view help;          // what to do; empty: to write `instead`
  std::string_view instead = {};  // the field that takes its place, if one does
};

// Templates look up hundreds of paths, so the fields of a table are found by a hash of their keys.
class FieldIndex {
 public:
  constexpr FieldIndex(std::span<const Field> fields) {
    for (std::size_t i = fields.size(); i > 0; --i) {
      std::uint8_t& first = first_[slot(fields[i - 1].key)];
      next_.at(i - 1) = first;
      first = static_cast<std::uint8_t>(i);
    }
  }

  // The field of that key, or null.
  const Field* find(std::span<const Field> fields, std::string_view key) const {
    for (std::size_t i = key.empty() ? 0 : first_[slot(key)]; i > 0; i = next_[i - 1]) {
      if (fields[i - 1].key == key) return &fields[i - 1];
    }
    return nullptr;
  }

 private:
  static constexpr std::size_t slots = 64;
  static constexpr std::size_t slot(std::string_view key) {
    const auto byte = [](char c) { return static_cast<unsigned char>(c); };
    return (key.size() * 7 + byte(key.front()) * 3 + byte(key.back())) % slots;
  }

  // Counted from 1; 0: none.
  std::array<std::uint8_t, slots> first_{};
  std::array<std::uint8_t, 64> next_{};  // of the same hash
};

struct Table {
  std::string_view name;  // `cluster`, for messages: `unknown field x in cluster`
  std::span<const Field> fields;
  // The field that a bare scalar sets; empty: a mapping is required.
  std::string_view shorthand = {};
  // Exactly one of these fields must be given; empty: no such rule.
  std::span<const std::string_view> one_of = {};
  std::span<const Foreign> foreign = {};
  // For a raw table: these fields are not judged, because the cluster's version may have them.
  std::span<const std::string_view> newer = {};
  // Likewise: fields of which at most one may be given.
  std::span<const std::string_view> at_most_one = {};
  yaml::View rules = {};                               // likewise: the rows `rules` of its type
  yaml::View defaults_with = {}, defaults_below = {};  // likewise
  std::string_view otherwise = {};  // help for unknown keys of which nothing better can be said
  // A table of the plan has a member that is a record of claims. Its fields are the table's too,
  // except those that have a row here and those that values here are derived from.
  std::span<const Field> claims = {};
  std::span<const std::string_view> derived_from = {};
  bool raw =
      false;  // of Kubernetes: its fields have no members, and values are judged and not kept
  bool is_open = false;           // likewise: it has more fields
  bool is_custom = false;         // likewise: it is a part of a CRD
  std::string_view release = {};  // likewise: the newest that is known, such as `JobSet 0.12.0`
  FieldIndex index = fields;

  // The field of that key, or null.
  const Field* find(std::string_view key) const { return index.find(fields, key); }

  // The same, or the field of the claims.
  const Field* find_with_claims(std::string_view key) const {
    const Field* field = find(key);
    return field != nullptr || claims.empty() ? field : claims.front().type->table->find(key);
  }
  // Calls `visit` with each field of the claims that is the table's too.
  template <class Visit>
  void for_each_claim(const Visit& visit) const {
    if (claims.empty()) return;
    for (const Field& field : claims.front().type->table->fields) {
      if (find(field.key) == nullptr && std::ranges::count(derived_from, field.key) == 0)
        visit(field);
    }
  }
};

// Records specialise this with their Table.
template <class T>
struct TableOf;

using Pairs = std::vector<std::pair<std::string, std::string>>;

// Mappings in the order that Kubernetes' own examples have, whatever the order in the spec.
yaml::Value as_in_objects(yaml::Value value);

namespace detail {

template <class T, template <class...> class Template>
constexpr bool is = false;
template <template <class...> class Template, class... Args>
constexpr bool is<Template<Args...>, Template> = true;

// The value inside std::optional and Derived, or null.
template <class T>
constexpr const auto* inside(const T& value) {
  if constexpr (is<T, Derived>) {
    return inside(value.value);
  } else if constexpr (is<T, std::optional>) {
    return value ? inside(*value) : nullptr;
  } else {
    return &value;
  }
}

template <class Collection>
auto& elements(Collection& collection) {
  if constexpr (requires { collection.items; }) {
    return collection.items;
  } else if constexpr (requires { collection.entries; }) {
    return collection.entries;
  } else {
    return collection;
  }
}
template <class Element>
auto& value_of(Element& element) {
  if constexpr (is<std::remove_const_t<Element>, Entry>) {
    return element.value;
  } else if constexpr (is<std::remove_const_t<Element>, std::pair>) {
    return element.second;
  } else {
    return element;
  }
}

inline const yaml::Value& tree(const yaml::Value& value) { return value; }
inline yaml::Value tree(const yaml::Node& said) { return as_in_objects(yaml::to_value(said)); }

template <class T>
bool get(const void* value, yaml::Value& out) {
  const T& scalar = *static_cast<const T*>(value);
  if constexpr (std::is_same_v<T, yaml::Value> || std::is_same_v<T, yaml::Node>) {
    out = tree(scalar);
    const bool collection = out.is_mapping() || out.is_sequence();
    return out.kind != yaml::Value::Kind::null && !(collection && out.is_empty());
  } else if constexpr (std::is_same_v<T, bool>) {
    out = yaml::Value::boolean(scalar);
    return scalar;
  } else if constexpr (std::is_integral_v<T>) {
    out = yaml::Value::number(scalar);
    return true;
  } else {
    out.kind = yaml::Value::Kind::string;
    if constexpr (Worded<T>) {
      out.text = word(scalar);
    } else {
      out.text = scalar;
    }
    return !out.text.empty();
  }
}

template <class T>
bool parse(void* value, std::string_view text, Storage* storage) {
  T& scalar = *static_cast<T*>(value);
  if constexpr (is<T, std::optional>) {
    typename T::value_type parsed{};
    const bool valid = parse<typename T::value_type>(&parsed, text, storage);
    if (valid) scalar = parsed;
    return valid;
  } else if constexpr (is<T, Claim>) {
    return parse<decltype(scalar.value)>(&scalar.value, text, storage);
  } else if constexpr (std::is_same_v<T, std::string>) {
    scalar = text;
    return true;
  } else if constexpr (std::is_same_v<T, std::string_view>) {
    auto* kept = static_cast<char*>(storage->allocate(text.size(), 1));
    std::ranges::copy(text, kept);
    scalar = {kept, text.size()};
    return true;
  } else if constexpr (Worded<T>) {
    const auto found = find_word<T>(text);
    if (found) scalar = *found;
    return found.has_value();
  } else if constexpr (std::is_same_v<T, bool>) {
    if (text != "true" && text != "false") return false;
    scalar = text == "true";
    return true;
  } else {
    const auto number = text::whole_number(text);
    if (number) scalar = static_cast<T>(*number);
    return number.has_value();
  }
}

template <class T>
struct TypeOf;

template <class T>
constexpr Type scalar_type() {
  Type type;
  if constexpr (std::is_same_v<T, bool>) {
    type.category = Category::flag;
  } else if constexpr (std::is_integral_v<T>) {
    type.category = Category::integer;
  } else if constexpr (std::is_same_v<T, yaml::Node> || std::is_same_v<T, yaml::Value>) {
    type.category = Category::tree;
    type.is_node = std::is_same_v<T, yaml::Node>;
  } else {
    static_assert(std::is_convertible_v<T, std::string_view> || Worded<T>);
  }
  return type;
}

template <class T>
constexpr Type collection_type() {
  using Element = typename std::remove_cvref_t<decltype(elements(std::declval<T&>()))>::value_type;
  using Value = std::remove_cvref_t<decltype(value_of(std::declval<Element&>()))>;
  Type type{.category = Category::list, .element = &TypeOf<Value>::type};
  type.append = [](void* to) -> void* {
    return &value_of(elements(*static_cast<T*>(to)).emplace_back());
  };
  type.size = [](const void* of) { return elements(*static_cast<const T*>(of)).size(); };
  type.at = [](const void* of, std::size_t i) -> const void* {
    return &value_of(elements(*static_cast<const T*>(of))[i]);
  };
  if constexpr (is<T, Map>) {
    type.category = Category::map;
    type.key_of_last = [](void* map) { return &static_cast<T*>(map)->entries.back().key; };
    type.key_at = [](const void* of, std::size_t i) -> std::string_view {
      return static_cast<const T*>(of)->entries[i].key.value;
    };
  } else if constexpr (std::is_same_v<T, Pairs>) {
    type.category = Category::map;
    type.key_at = [](const void* map, std::size_t i) -> std::string_view {
      return (*static_cast<const T*>(map))[i].first;
    };
  }
  return type;
}

template <class T>
constexpr Type make_type() {
  using Value = std::remove_cvref_t<decltype(*inside(std::declval<const T&>()))>;
  Type type;
  if constexpr (requires { TableOf<Value>::table; }) {
    type = {.category = Category::record, .table = &TableOf<Value>::table};
  } else if constexpr (is<Value, Claim>) {
    constexpr Type scalar = scalar_type<decltype(Value::value)>();
    type = scalar;
    type.get = get<decltype(Value::value)>;
    if constexpr (scalar.category == Category::text) type.parse = parse<Value>;
  } else if constexpr (is<Value, List> || is<Value, Map> || is<Value, std::vector>) {
    type = collection_type<Value>();
  } else {
    type = scalar_type<Value>();
    type.get = get<Value>;
    constexpr bool is_parsed =
        std::is_integral_v<Value> || std::is_same_v<Value, std::string_view> || Worded<Value>;
    if constexpr (is_parsed && !is<T, Derived>) type.parse = parse<T>;
  }
  if constexpr (requires { requires std::is_same_v<decltype(Value::where), Where>; }) {
    type.where = [](void* claim) -> Where& { return static_cast<Value*>(claim)->where; };
    type.inside = [](const void* value) -> const void* {
      const Value& claim = *static_cast<const Value*>(value);
      if (!claim.where.usable()) return nullptr;
      if constexpr (is<Value, Claim>) {
        return &claim.value;
      } else {
        return &claim;
      }
    };
  } else {
    type.inside = [](const void* value) -> const void* {
      return inside(*static_cast<const T*>(value));
    };
  }
  if constexpr (is<T, Derived>)
    type.reason = [](const void* value) { return &static_cast<const T*>(value)->reason; };
  return type;
}

template <class T>
struct TypeOf {
  static constexpr Type type = make_type<T>();
};

template <class Record, class Member>
Member member_type(Member Record::*);
template <class Record, class Member>
Record record_type(Member Record::*);

}  // namespace detail

// The words of a row, given by name: {.doc = …, .fallback = …, .example = …}.
struct Words {
  std::string_view doc;
  std::string_view fallback = {};
  std::string_view example = {};
};

template <auto member>
constexpr Field field(std::string_view key, Presence presence, Constraint constraint, Words words) {
  using Record = decltype(detail::record_type(member));
  return {key,
          presence,
          &detail::TypeOf<decltype(detail::member_type(member))>::type,
          [](void* record) -> void* { return &(static_cast<Record*>(record)->*member); },
          constraint,
          words.doc,
          words.fallback,
          words.example};
}

// A row for templates alone, which documents and schemas leave out; the struct says what it holds.
template <auto member>
constexpr Field internal(std::string_view key, Presence presence = Presence::optional) {
  Field row = field<member>(key, presence, {}, {});
  row.internal = true;
  return row;
}

}  // namespace flexslice::schema
