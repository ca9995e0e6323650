// The field-table machine. One row per field of the spec gives decoding with its messages, the JSON Schema and the field reference.
// Rows are plain data: a key, the member it fills, the form a value must have, and the words for people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.hpp"
#include "record/form.hpp"
#include "yaml/node.hpp"

namespace flexslice::record {

// Where a value was written. For a field that was left out, the span is that of the nearest enclosing thing that was written.
struct Where {
  Span span;
  bool given = false;  // written, and of the right type and form
  bool bad = false;    // wrong, or missing though required; reported already, so later passes keep quiet about it
};

struct Text {
  Where where;
  std::string value;
};
struct Integer {
  Where where;
  std::int64_t value = 0;
};
struct Flag {
  Where where;
  bool value = false;
};
// Any YAML, handed through as it was written.
struct Tree {
  Where where;
  yaml::Node value;
};
template <class T>
struct List {
  Where where;
  std::vector<T> items;
};
template <class T>
struct Entry {
  Text key;
  T value;
};
template <class T>
struct Map {
  Where where;
  std::vector<Entry<T>> entries;
};

struct Table;

enum class Kind : std::uint8_t { text, integer, flag, tree, list, map, record };

// How to fill one C++ type, erased to plain functions.
struct Type {
  Kind kind = Kind::text;
  Where& (*where)(void* value) = nullptr;
  const Type* element = nullptr;                // list, map
  void* (*append)(void* collection) = nullptr;  // list, map: a new element's value
  Text* (*key_of_last)(void* map) = nullptr;    // map: the key of the element appended last
  const Table* table = nullptr;                 // record
};

enum class Presence : std::uint8_t { optional, required };

// What a value must be like, beyond its type. For lists and maps it holds for every element.
struct Rule {
  Form form = Form::any;                           // of texts
  Form key_form = Form::any;                       // of a map's keys
  std::span<const std::string_view> choices = {};  // the texts allowed; empty: any
  std::string_view choices_of = {};                // the name of a set of texts that only the catalog knows; checked later
  std::int64_t min = INT64_MIN;                    // of integers
  std::int64_t max = INT64_MAX;
  bool not_empty = false;   // texts, lists and maps; not what stands in them
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
  std::string_view shorthand = {};  // the field that a bare scalar stands for; empty: a mapping is required
  // Exactly one of these fields must be given; empty: no such rule.
  std::span<const std::string_view> one_of = {};
  std::span<const Foreign> foreign = {};
  std::string_view otherwise = {};  // help for unknown keys of which nothing better can be said
};

// The Type of each member type; records specialise table_of with their Table.
template <class T>
struct TableOf;

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

template <class T>
struct TypeOf {
  static constexpr Type type{Kind::record, where_of<T>, nullptr, nullptr, nullptr, &TableOf<T>::table};
};
template <>
struct TypeOf<Text> {
  static constexpr Type type{Kind::text, where_of<Text>};
};
template <>
struct TypeOf<Integer> {
  static constexpr Type type{Kind::integer, where_of<Integer>};
};
template <>
struct TypeOf<Flag> {
  static constexpr Type type{Kind::flag, where_of<Flag>};
};
template <>
struct TypeOf<Tree> {
  static constexpr Type type{Kind::tree, where_of<Tree>};
};
template <class T>
struct TypeOf<List<T>> {
  static constexpr Type type{Kind::list, where_of<List<T>>, &TypeOf<T>::type, append_item<T>};
};
template <class T>
struct TypeOf<Map<T>> {
  static constexpr Type type{Kind::map, where_of<Map<T>>, &TypeOf<T>::type, append_entry<T>, last_key<T>};
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
  return {key, presence, &detail::TypeOf<Member>::type, detail::member_of<member>, rule, words.doc, words.fallback, words.example};
}

}  // namespace flexslice::record
