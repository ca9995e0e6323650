// Reads a catalog document into plain structs by tables of fields. Owns the rules of merging and of
// inherited evidence. Only load.cpp uses it, which holds the tables.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"

namespace flexslice::catalog {

class Loader;

// One key of a mapping and how its value is read into a struct, whose type the reading function
// knows.
struct Field {
  std::string_view key;
  void (*read)(Loader&, const Field&, yaml::View value, void* object);
  bool required = false;          // of a thing that is not there yet
  std::string_view choices = {};  // of texts; separated by blanks; empty: any text
};

struct Table {
  std::string_view noun;          // `a machine type`
  std::span<const Field> fields;  // at most 32
  std::uint32_t required = 0;     // one bit for each field

  constexpr Table(std::string_view noun_, std::span<const Field> fields_)
      : noun(noun_), fields(fields_) {
    for (std::size_t i = 0; i < fields.size(); ++i) required |= fields[i].required ? 1u << i : 0u;
  }
};

// What the list reader has to know of T:
//   table        its fields
//   name_key     the field that names it; empty: it has no name, and newer rows go to the front
//   lone_scalar  a scalar may stand for it: its name alone
//   encloses     things inside it inherit its evidence
//   is(T, text)  whether that is its name
//   before(a, b) the order of the list, when it has one (may be left out)
template <class T>
struct Form;

class Loader {
 public:
  explicit Loader(diag::Sink& sink) : sink_(sink) {}

  void read_document(const Table& table, yaml::View document, Catalog& catalog);
  void read_mapping(const Table& table, yaml::View mapping, void* object, bool fresh);

  void read(const Field& field, yaml::View value, std::string_view& text) {
    if (!value.is_scalar()) return wrong_type(field, value, "text");
    if (!field.choices.empty()) check_choice(field, value);
    text = value->text;
  }
  void read(const Field& field, yaml::View value, std::int64_t& number);
  void read(const Field& field, yaml::View value, int& number);
  void read(const Field& field, yaml::View value, bool& truth);
  void read(const Field& field, yaml::View value, std::optional<bool>& truth);
  void read(const Field& field, yaml::View value, Texts& texts);
  void read(const Field& field, yaml::View value, Topology& topology);
  void read(const Field& field, yaml::View value, Confidence& confidence);
  void read(const Field& field, yaml::View value, Evidence& evidence);
  template <class T>
  void read(const Field& field, yaml::View value, std::vector<T>& list);

  void wrong_type(const Field& field, yaml::View value, std::string_view wanted);
  void bad_value(const Field& field, yaml::View value, std::string_view wanted);

 private:
  bool read_evidence(yaml::View mapping);
  void check_choice(const Field& field, yaml::View value);
  void missing(const Table& table, yaml::View mapping, std::string_view key);
  void report_unknown(const Table& table, yaml::View member);
  template <class T>
  void read_item(const Field& field, yaml::View item, std::vector<T>& list, std::size_t old_size);
  template <class T>
  void fill(yaml::View item, T& object, bool fresh);

  diag::Sink& sink_;
  Evidence inherited_;  // of the nearest enclosing thing
};

template <class T>
void Loader::read(const Field& field, yaml::View value, std::vector<T>& list) {
  if (!value.is_sequence()) return wrong_type(field, value, "a list");
  std::size_t count = 0;
  for ([[maybe_unused]] const yaml::View item : value) ++count;
  const std::size_t old_size = list.size();
  if (list.capacity() < old_size + count) list.reserve(std::max(old_size + count, 2 * old_size));
  for (const yaml::View item : value) read_item(field, item, list, old_size);
  if (old_size == 0) return;
  if constexpr (Form<T>::name_key.empty()) {
    std::rotate(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(old_size), list.end());
  } else if constexpr (requires { &Form<T>::before; }) {
    std::stable_sort(list.begin(), list.end(), &Form<T>::before);
  }
}

template <class T>
void Loader::read_item(const Field& field, yaml::View item, std::vector<T>& list,
                       std::size_t old_size) {
  constexpr std::string_view name_key = Form<T>::name_key;
  const bool lone = item.is_scalar() && Form<T>::lone_scalar;
  if (!lone && !item.is_mapping())
    return wrong_type(field, item,
                      Form<T>::lone_scalar ? "a list of texts or mappings" : "a list of mappings");
  const yaml::View name = lone ? item : name_key.empty() ? yaml::View() : item.find(name_key);
  if (!name_key.empty() && (!name || !name.is_scalar()))
    return missing(Form<T>::table, item, name_key);
  T* object = nullptr;
  for (std::size_t i = 0; i < old_size && name; ++i) {
    if (Form<T>::is(list[i], name->text)) object = &list[i];
  }
  const bool fresh = object == nullptr;
  if (fresh) object = &list.emplace_back();
  fill(item, *object, fresh);
}

template <class T>
void Loader::fill(yaml::View item, T& object, bool fresh) {
  const Evidence outer = inherited_;
  if constexpr (requires { object.evidence; }) {
    inherited_.note = {};
    inherited_.where = item->span;
    const bool own = Form<T>::encloses && item.is_mapping() && read_evidence(item);
    // A thing that was there keeps its evidence when the document only adds to what is inside it.
    if (fresh || own || !Form<T>::encloses) object.evidence = inherited_;
    object.evidence.where = item->span;
    if constexpr (requires { object.limit_evidence; }) {
      if (fresh) object.limit_evidence = inherited_;
    }
  }
  if (item.is_mapping()) read_mapping(Form<T>::table, item, &object, fresh);
  if constexpr (Form<T>::lone_scalar) {
    constexpr auto is_name = [](const Field& field) { return field.key == Form<T>::name_key; };
    const Field& field =
        *std::find_if(Form<T>::table.fields.begin(), Form<T>::table.fields.end(), is_name);
    if (item.is_scalar()) field.read(*this, field, item, &object);
  }
  inherited_ = outer;
}

}  // namespace flexslice::catalog
