// Tables of Kubernetes' own types: decode judges by them what a spec writes as Kubernetes has it,
// and what patches change; the JSON Schema has some as definitions. Each is made of kubernetes.yaml
// when it is first asked for, since most specs need none.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "schema/table.hpp"

namespace flexslice::schema::kubernetes {

// The table of a type of that file, such as `Container`.
const Table& table(std::string_view type);
// Finds such a type; null if the file has none of that name.
const Table* find(std::string_view type);
// Finds the type of an object; null if the file has no such kind, or another version of it.
const Table* find(std::string_view kind, std::string_view api_version);
// The version of the objects of a kind that the file describes, or empty.
std::string_view api_version(std::string_view kind);
// The kind that is meant by one with other capitals, or in the plural; empty: none is.
std::string_view kind_like(std::string_view text);

// The kinds of an API version; none: it is not known.
std::vector<std::string_view> kinds_of(std::string_view api_version);
// The versions of a kind, in which servers of the releases that are known have it.
std::vector<std::string_view> versions_of(std::string_view kind);

// Returns whether the group is of Kubernetes itself, so that all of its kinds are known.
bool is_own_group(std::string_view group);
// Returns whether some type has such a field, or a type that only a CRD's kind has.
bool is_field_anywhere(std::string_view key);
bool is_field_of(std::string_view kind, std::string_view key);
// Returns whether lists of that name have items that are found by a key, or hold without the
// others, so that one can be left out.
bool has_items_apart(std::string_view list);
// Returns whether no later release gives objects of the kind such a field: people mean another
// object.
bool is_of_no_release(std::string_view key, std::string_view kind);
// API servers accept a wrong value of some fields.
struct LaterRefusal {
  std::string_view who;      // refuses it, as a sentence; empty: the API server does
  bool is_harmless = false;  // nobody refuses it
};
// `is_none`: of a field without a value.
LaterRefusal later_refusal(std::string_view kind, std::string_view field, bool is_none);
// Returns whether API servers refuse a quantity such as 0.5 in objects of the kind.
bool refuses_fractions(std::string_view kind);

// A type whose fields people write into another one.
struct Neighbour {
  std::string_view where;     // it is, as messages say it
  bool is_container = false;  // in the list of a pod
};
// The neighbour of a type that has the field, if any has.
std::optional<Neighbour> neighbour_with(std::string_view key, std::string_view type);

// Returns whether objects of the kind, which the file need not describe, are in no namespace.
bool is_cluster_scoped(std::string_view kind);

}  // namespace flexslice::schema::kubernetes
