// The table machine: each field of the spec, of the catalog and of the plan is declared once, as a
// row. From the rows come decoding with its messages, encoding, the JSON Schema, the field
// reference, and the paths that templates may name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schema/claim.hpp"
#include "schema/derived.hpp"
#include "schema/pattern.hpp"
#include "yaml/value.hpp"

namespace flexslice::schema {

struct Table;

enum class Category : std::uint8_t { text, integer, flag, tree, list, map, record };

// One C++ type, erased to plain functions. A type that is only read back (the plan's) has no
// functions to fill it, and the other way round.
struct Type {
  Category category = Category::text;
  const Type* element = nullptr;  // list, map
  const Table* table = nullptr;   // record

  // Filling a claim.
  Where& (*where)(void* value) = nullptr;
  void* (*append)(void* collection) = nullptr;  // list, map: a new element's value
  Text* (*key_of_last)(void* map) = nullptr;    // map: the key of the element appended last

  // Reading a value of the plan.
  bool (*get)(const void* value, yaml::Value& out) = nullptr;  // scalar, tree; false: there is none
  const void* (*get_record)(const void* value) = nullptr;      // record; null: there is none
  std::size_t (*size)(const void* collection) = nullptr;       // list, map
  const void* (*at)(const void* collection,
                    std::size_t i) = nullptr;  // list, map: the value of element i
  std::string_view (*key_at)(const void* map, std::size_t i) = nullptr;  // map
  const Reason* (*reason)(const void* value) = nullptr;                  // of a derived value
};

// In a spec: whether the field must be given. In the plan: whether it always has a value; an
// optional one is absent while it is empty.
enum class Presence : std::uint8_t { optional, required };

// What a value must be like, beyond its type. For lists and maps it holds for every element.
struct Rule {
  Pattern pattern = Pattern::any;                  // of texts
  Pattern key_pattern = Pattern::any;              // of a map's keys
  std::span<const std::string_view> choices = {};  // the texts allowed; empty: any
  std::string_view choices_of =
      {};  // the name of a set of texts that only the catalog knows; checked later
  std::int64_t min = INT64_MIN;  // of integers
  std::int64_t max = INT64_MAX;
  bool not_empty = false;   // texts, lists and maps; not their elements
  bool any_scalar = false;  // a text that may also be written as a number (resource quantities)
};

struct Field {
  std::string_view key;
  Presence presence;
  const Type* type;
  void* (*member)(void* record);
  Rule rule;
  std::string_view doc;       // one or two sentences
  std::string_view fallback;  // the default, in words or as the value; empty: none
  std::string_view example;   // as YAML on one line
  bool internal = false;      // of the plan: for templates only, not in the document

  const void* of(const void* record) const { return member(const_cast<void*>(record)); }
};

// A key that belongs to other tools and is not a field here, for the message about it.
struct Foreign {
  std::string_view key;
  std::string_view help;          // what to do; empty: to write `instead`
  std::string_view instead = {};  // the field that takes its place, if one does
};

struct Table {
  std::string_view name;  // `cluster`, for messages: `unknown field x in cluster`
  std::span<const Field> fields;
  std::string_view shorthand =
      {};  // the field that a bare scalar stands for; empty: a mapping is required
  // Exactly one of these fields must be given; empty: no such rule.
  std::span<const std::string_view> one_of = {};
  std::span<const Foreign> foreign = {};
  std::string_view otherwise = {};  // help for unknown keys of which nothing better can be said

  // The field of that key, or null.
  const Field* find(std::string_view key) const {
    for (const Field& field : fields) {
      if (field.key == key) return &field;
    }
    return nullptr;
  }
};

// Records specialise this with their Table.
template <class T>
struct TableOf;

using Pairs = std::vector<std::pair<std::string, std::string>>;

namespace detail {

template <class T>
Where& where_of(void* value) {
  return static_cast<T*>(value)->where;
}
template <class T>
void* append_item(void* list) {
  return &static_cast<List<T>*>(list)->items.emplace_back();
}
template <class T>
void* append_entry(void* map) {
  return &static_cast<Map<T>*>(map)->entries.emplace_back().value;
}
template <class T>
Text* last_key(void* map) {
  return &static_cast<Map<T>*>(map)->entries.back().key;
}

inline bool get_text(std::string_view text, yaml::Value& out) {
  out.kind = yaml::Value::Kind::string;
  out.text = text;
  return !text.empty();
}
template <class T>
bool get_scalar(const void* value, yaml::Value& out) {
  const T& scalar = *static_cast<const T*>(value);
  if constexpr (std::is_same_v<T, yaml::Value>) {
    out = scalar;
    const bool collection = scalar.is_mapping() || scalar.is_sequence();
    return scalar.kind != yaml::Value::Kind::null && !(collection && scalar.is_empty());
  } else if constexpr (std::is_same_v<T, bool>) {
    out = yaml::Value::boolean(scalar);
    return scalar;
  } else if constexpr (std::is_integral_v<T>) {
    out = yaml::Value::number(scalar);
    return true;
  } else {
    return get_text(scalar, out);
  }
}
template <class T>
const void* same(const void* value) {
  return value;
}
template <class T>
const void* inside(const void* value) {
  const auto& optional = *static_cast<const std::optional<T>*>(value);
  return optional ? &*optional : nullptr;
}
template <class T>
std::size_t vector_size(const void* list) {
  return static_cast<const std::vector<T>*>(list)->size();
}
template <class T>
const void* vector_at(const void* list, std::size_t i) {
  return &(*static_cast<const std::vector<T>*>(list))[i];
}

// A record of the plan.
template <class T>
struct TypeOf {
  static constexpr Type type{
      .category = Category::record, .table = &TableOf<T>::table, .get_record = same<T>};
};
// A record of claims.
template <class T>
requires std::is_same_v<decltype(T::where), Where>
struct TypeOf<T> {
  static constexpr Type type{
      .category = Category::record, .table = &TableOf<T>::table, .where = where_of<T>};
};
template <>
struct TypeOf<Text> {
  static constexpr Type type{.category = Category::text, .where = where_of<Text>};
};
template <>
struct TypeOf<Integer> {
  static constexpr Type type{.category = Category::integer, .where = where_of<Integer>};
};
template <>
struct TypeOf<Flag> {
  static constexpr Type type{.category = Category::flag, .where = where_of<Flag>};
};
template <>
struct TypeOf<Tree> {
  static constexpr Type type{.category = Category::tree, .where = where_of<Tree>};
};
template <class T>
struct TypeOf<List<T>> {
  static constexpr Type type{.category = Category::list,
                             .element = &TypeOf<T>::type,
                             .where = where_of<List<T>>,
                             .append = append_item<T>};
};
template <class T>
struct TypeOf<Map<T>> {
  static constexpr Type type{.category = Category::map,
                             .element = &TypeOf<T>::type,
                             .where = where_of<Map<T>>,
                             .append = append_entry<T>,
                             .key_of_last = last_key<T>};
};

template <>
struct TypeOf<std::string> {
  static constexpr Type type{.category = Category::text, .get = get_scalar<std::string>};
};
template <>
struct TypeOf<std::string_view> {
  static constexpr Type type{.category = Category::text, .get = get_scalar<std::string_view>};
};
template <>
struct TypeOf<std::int64_t> {
  static constexpr Type type{.category = Category::integer, .get = get_scalar<std::int64_t>};
};
template <>
struct TypeOf<bool> {
  static constexpr Type type{.category = Category::flag, .get = get_scalar<bool>};
};
template <>
struct TypeOf<yaml::Value> {
  static constexpr Type type{.category = Category::tree, .get = get_scalar<yaml::Value>};
};
template <class T>
bool get_optional(const void* value, yaml::Value& out) {
  const void* held = inside<T>(value);
  return held != nullptr && TypeOf<T>::type.get(held, out);
}
template <class T>
constexpr Type optional_type() {
  Type type = TypeOf<T>::type;
  if (type.get != nullptr) type.get = get_optional<T>;
  if (type.get_record != nullptr) type.get_record = inside<T>;
  return type;
}
template <class T>
struct TypeOf<std::optional<T>> {
  static constexpr Type type = optional_type<T>();
};
// The functions of a Derived<T> are those of T on its value.
template <class T>
const void* underived(const void* value) {
  return &static_cast<const Derived<T>*>(value)->value;
}
template <class T>
bool get_derived(const void* value, yaml::Value& out) {
  const bool has_value = TypeOf<T>::type.get(underived<T>(value), out);
  out.comment = static_cast<const Derived<T>*>(value)->reason.because;
  return has_value;
}
template <class T>
const Reason* reason_of(const void* value) {
  return &static_cast<const Derived<T>*>(value)->reason;
}
template <class T>
struct TypeOf<Derived<T>> {
  static constexpr Type type{
      .category = TypeOf<T>::type.category,
      .element = TypeOf<T>::type.element,
      .get = get_derived<T>,
      .size = [](const void* value) { return TypeOf<T>::type.size(underived<T>(value)); },
      .at = [](const void* value,
               std::size_t i) { return TypeOf<T>::type.at(underived<T>(value), i); },
      .reason = reason_of<T>};
};
template <class T>
struct TypeOf<std::vector<T>> {
  static constexpr Type type{.category = Category::list,
                             .element = &TypeOf<T>::type,
                             .size = vector_size<T>,
                             .at = vector_at<T>};
};
template <>
struct TypeOf<Pairs> {
  using Pair = Pairs::value_type;
  static constexpr Type type{
      .category = Category::map,
      .element = &TypeOf<std::string>::type,
      .size = vector_size<Pair>,
      .at = [](const void* map, std::size_t i) -> const void* {
        return &(*static_cast<const Pairs*>(map))[i].second;
      },
      .key_at = [](const void* map, std::size_t i) -> std::string_view {
        return (*static_cast<const Pairs*>(map))[i].first;
      },
  };
};

template <class Record, class Member>
Member member_type(Member Record::*);
template <class Record, class Member>
Record record_type(Member Record::*);

template <auto member>
void* member_of(void* record) {
  return &(static_cast<decltype(record_type(member))*>(record)->*member);
}

}  // namespace detail

// The words of a row, given by name: {.doc = …, .fallback = …, .example = …}.
struct Words {
  std::string_view doc;
  std::string_view fallback = {};
  std::string_view example = {};
};

template <auto member>
constexpr Field field(std::string_view key, Presence presence, Rule rule, Words words) {
  using Member = decltype(detail::member_type(member));
  return {key,
          presence,
          &detail::TypeOf<Member>::type,
          detail::member_of<member>,
          rule,
          words.doc,
          words.fallback,
          words.example};
}

}  // namespace flexslice::schema
