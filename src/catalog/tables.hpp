// The schema::Tables of rows.def, and how the table machine reads and fills what their rows consist
// of. The decoder, verify and the build tool walk the tables; nothing else needs them.
#pragma once

#include <cstring>
#include <memory>
#include <type_traits>

#include "catalog/catalog.hpp"
#include "schema/table.hpp"

namespace flexslice::schema {

namespace detail {

inline const void* same(const void* value) { return value; }
inline bool get_topology(const void* value, yaml::Value& out) {
  out = yaml::Value::string(static_cast<const catalog::Topology*>(value)->text());
  return true;
}
inline bool parse_topology(void* value, std::string_view text, Storage*) {
  const auto topology = catalog::parse_topology(text);
  if (topology) *static_cast<catalog::Topology*>(value) = *topology;
  return topology.has_value();
}
template <class T>
void grow(void* list, std::size_t more, Storage* storage) {
  auto& rows = *static_cast<catalog::List<T>*>(list);
  const std::size_t size = rows.size() + more;
  auto* kept = static_cast<T*>(storage->allocate(size * sizeof(T), alignof(T)));
  std::uninitialized_value_construct_n(std::uninitialized_copy(rows.begin(), rows.end(), kept),
                                       more);
  rows = {kept, size};
}
// Shapes stay sorted. Rows without a name go before older ones, and so the newest counts.
template <class T>
void settle(void* list, std::size_t size, std::size_t old) {
  auto& rows = *static_cast<catalog::List<T>*>(list);
  rows = rows.first(size);
  if (old == 0) return;
  auto* first = const_cast<T*>(rows.data());
  if constexpr (std::is_same_v<T, catalog::Support> || std::is_same_v<T, catalog::Price> ||
                std::is_same_v<T, catalog::Change>)
    std::rotate(first, first + old, first + size);
  if constexpr (std::is_same_v<T, catalog::Shape>) {
    std::stable_sort(first, first + size, [](const T& a, const T& b) {
      return catalog::smaller(a.topology, b.topology);
    });
  }
}

template <>
struct TypeOf<catalog::Topology> {
  static constexpr Type type{
      .category = Category::text, .inside = same, .get = get_topology, .parse = parse_topology};
};
template <class T>
struct TypeOf<catalog::List<T>> {
  static constexpr Type type{
      .category = Category::list,
      .element = &TypeOf<T>::type,
      .inside = same,
      .size = [](const void* list) { return static_cast<const catalog::List<T>*>(list)->size(); },
      .at = [](const void* list, std::size_t i) -> const void* {
        return &(*static_cast<const catalog::List<T>*>(list))[i];
      },
      .grow = grow<T>,
      .settle = settle<T>};
};

}  // namespace detail

template <std::size_t size>
struct Literal {
  char text[size]{};
  consteval Literal(const char (&literal)[size]) { std::copy_n(literal, size, text); }
};

// Returns the words of a closed set, also for a value that may be absent and for a list of them; if
// it is empty, any text is valid.
template <class T>
constexpr std::span<const std::string_view> choices() {
  if constexpr (Worded<T>) {
    return words_of<T>;
  } else if constexpr (requires { typename T::value_type; }) {
    return choices<typename T::value_type>();
  } else {
    return {};
  }
}

// `maxChips` for `max_chips`.
template <Literal member>
inline constexpr auto camel_case = [] {
  Literal key = member;
  char* end = key.text;
  for (const char* c = member.text; *c != '\0'; ++c)
    *end++ = *c != '_' ? *c : static_cast<char>(*++c - 'a' + 'A');
  *end = '\0';
  return key;
}();

template <auto member>
constexpr Field catalog_field(std::string_view key, Presence presence, std::string_view noun = {}) {
  using Member = decltype(detail::member_type(member));
  Constraint constraint{.choices = choices<Member>()};
  if constexpr (std::is_same_v<Member, int>) constraint.max = 1'000'000;
  return field<member>(key, presence, constraint, {noun});
}

#define FS_TABLE(type, noun, scalar)                                 \
  template <>                                                        \
  struct TableOf<catalog::type> {                                    \
    using Row = catalog::type;                                       \
    static constexpr std::string_view name{noun}, shorthand{scalar}; \
    static constexpr Field fields[] = {
#define FS_REQUIRED(type, member, ...)                  \
  catalog_field<&Row::member>(camel_case<#member>.text, \
                              Presence::required __VA_OPT__(, ) __VA_ARGS__),
#define FS_OPTIONAL(type, member, ...)                  \
  catalog_field<&Row::member>(camel_case<#member>.text, \
                              Presence::optional __VA_OPT__(, ) __VA_ARGS__),
#define FS_DEFAULT(type, member, value) FS_OPTIONAL(type, member)
#define FS_MEMBER(type, member)
#define FS_END                                           \
  }                                                      \
  ;                                                      \
  static constexpr Table table{name, fields, shorthand}; \
  }                                                      \
  ;
#include "catalog/rows.def"

// The types of the document itself, and of records that recur in it, are needed by name.
inline constexpr const Type& catalog_type = detail::TypeOf<catalog::Catalog>::type;
inline constexpr const Type& evidence_type = detail::TypeOf<catalog::Evidence>::type;
inline constexpr const Type& text_type = detail::TypeOf<catalog::Text>::type;
inline constexpr const Type& topology_type = detail::TypeOf<catalog::Topology>::type;

}  // namespace flexslice::schema
