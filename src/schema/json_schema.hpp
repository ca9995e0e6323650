// The JSON Schema and the field reference, made from the field table. `flexslice schema` prints
// them; schemas/ holds copies that a test compares.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schema/table.hpp"
#include "yaml/value.hpp"

namespace flexslice::schema {

using Choices = std::function<std::vector<std::string>(NameSet set)>;

// The choices of one field of a table depend on another field, if that has one of `values`.
struct Dependency {
  std::string_view table, field;
  std::vector<std::string> values;
  std::string_view dependent;
  std::vector<std::string> choices;
};

// Draft 2020-12, with examples for editors. `id` is its `$id`. What contradicts what is not in it,
// beyond the dependencies.
yaml::Value json_schema(const Table& table, const Choices& choices,
                        std::span<const Dependency> dependencies, std::string_view id,
                        std::string_view title);
// Leaves out what only editors know, and writes the rest so that readers in strict mode take it.
void make_strict(yaml::Value& schema);

// One field of a record or of a record inside it, in the order of the tables.
struct FieldDoc {
  std::string path;  // `tpu.machineType`, `workload.volumes[].name`, `workload.env.NAME.secret`
  const Field* field;
  std::string type;  // in words
};
// The type of a field in words.
std::string type_text(const Field& field, const Choices& choices);
std::vector<FieldDoc> field_docs(const Table& table, const Choices& choices);

// Every field with type, presence, default and example, as Markdown.
std::string reference(const Table& table, const Choices& choices);
// One line for each field: the first sentence about it and its default. What a record has inside
// is said where it stands first.
std::string short_reference(const Table& table, const Choices& choices);

}  // namespace flexslice::schema
