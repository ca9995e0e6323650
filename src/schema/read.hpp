// Values read through their tables: by a path, as a tree, with their reasons. Templates, `explain`
// and `--emit plan` read the plan with it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/table.hpp"
#include "yaml/value.hpp"

namespace flexslice::schema {

// A value with its type. Null: there is none.
struct Ref {
  const Type* type = nullptr;
  const void* value = nullptr;
  bool always = true;  // false: an empty scalar counts as absent

  explicit operator bool() const { return value != nullptr; }
};

template <class T>
Ref ref(const T& value) {
  return {&detail::TypeOf<T>::type, &value};
}

// A type without a value, for checks that look at types alone.
template <class T>
Ref type_of() {
  return {&detail::TypeOf<T>::type, nullptr};
}

// Finds the value at a path such as `tpu.hosts` below a record, a map or a tree.
Ref find(Ref value, std::string_view path);
// The elements of a list, or of a tree that is one.
std::vector<Ref> elements(Ref list);
// Returns whether a field says the value wrongly; in a tree it is null.
bool is_open(Ref value);
// A condition fails on an empty value: nothing, false, and empty texts, lists and mappings.
bool is_empty(Ref value);
// The value as a tree, derived values with their reasons as comments. False: it is absent, and
// `out` is unspecified.
bool encode(Ref value, yaml::Value& out);
yaml::Value encode(Ref value);

// A derived value, its path (a list on the way means each of its elements), and why it is what
// it is.
struct ListedReason {
  std::string path;
  std::string value;  // on one line
  const Reason* reason;
};
// In the order of the tables.
std::vector<ListedReason> reasons(Ref record);

}  // namespace flexslice::schema
