#include "write.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "catalog/tables.hpp"
#include "output.hpp"

namespace flexslice::embed {

namespace {

using schema::Category;
using schema::Type;

// Adds the cells of a subtree, and returns how many they are.
std::size_t add_cells(const yaml::Node& node, std::string_view key, std::string& cells) {
  constexpr std::array kinds{"null", "scalar", "sequence", "mapping"};
  std::size_t size = 1;
  std::string below;
  for (const yaml::Node& item : node.items) size += add_cells(item, {}, below);
  for (const yaml::Member& member : node.members)
    size += add_cells(member.value, member.key.text, below);
  cells += fmt::format("    {{Kind::{}, {}, {}sv, {}sv, {}, {{}}}},\n{}",
                       kinds[static_cast<std::size_t>(node.kind)], node.quoted, literal(key),
                       literal(node.text), size, below);
  return size;
}

// `machine_types` for `machineTypes`: the tables' keys are the members' names in other letters.
std::string member_name(std::string_view key) {
  std::string name;
  for (const char c : key) {
    if (c >= 'A' && c <= 'Z') name += '_';
    name += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c == '-' ? '_' : c;
  }
  return name;
}

// Tables of fields as schema::Table. Each list is an array of its own, defined before.
class FieldTables {
 public:
  explicit FieldTables(diag::Sink& sink) : sink_(sink) {}

  std::string source(const yaml::Node& tables) {
    for (const yaml::Member& table : tables.members) add(table.key.text, table.value);
    return lists_;
  }

 private:
  using Keys = std::vector<std::string_view>;

  void add(const std::string& record, const yaml::Node& table) {
    std::string name = record;
    name[0] = static_cast<char>(name[0] - 'A' + 'a');
    std::string fields, foreign;
    const yaml::Node none;
    const auto part = [&](std::string_view key) -> const yaml::Node& {
      const yaml::Node* found = table.find(key);
      return found == nullptr ? none : *found;
    };
    for (const yaml::Member& row : part("fields").members) fields += field(record, row);
    for (const auto& [keys, row] : part("foreign").members) {
      foreign += fmt::format(
          "  {{.keys = {}, {}}},\n", literal(keys.text),
          row.kind == yaml::Kind::scalar
              ? ".help = " + literal(row.text)
              : (row.find("help") ? "" : ".help = {}, ") + cells(row, {"help", "instead"}));
    }
    std::string rest = cells(table, {"shorthand", "oneOf"});
    if (!foreign.empty()) rest += ".foreign = " + list("Foreign", foreign) + ", ";
    rest += cells(table, {"otherwise"});
    if (const yaml::Node* claims = table.find("claims"))
      rest += fmt::format(
          ".claims = {}, ",
          list("Field", fmt::format("  internal<&{0}::{1}>(\"{1}\"),\n", record, claims->text)));
    rest += cells(table, {"derivedFrom"});
    check(table,
          {"name", "shorthand", "oneOf", "foreign", "otherwise", "claims", "derivedFrom", "fields"},
          record);
    const std::string array = list("Field", fields);
    lists_ +=
        fmt::format("const Table TableOf<{}>::table{{.name = {}, .fields = {}, {}}};\n\n", record,
                    literal(table.find("name") ? part("name").text : name), array, rest);
  }

  std::string field(std::string_view record, const yaml::Member& row) {
    static const Keys constraint{"pattern", "keyPattern", "choices",   "choicesOf", "min",
                                 "max",     "notEmpty",   "anyScalar", "orInteger", "orOne",
                                 "rest",    "shape",      "orTrue",    "isLayer"};
    static const Keys words{"doc", "fallback", "example"};
    const auto& [whole, value] = row;
    const std::string_view key =
        std::string_view(whole.text).substr(0, whole.text.find_last_not_of('?') + 1);
    const yaml::Node* other = value.find("member");
    const std::string start = fmt::format(
        "<&{}::{}>({}, Presence::{}", record, other == nullptr ? member_name(key) : other->text,
        literal(key), key == whole.text ? "required" : "optional");
    if (value.kind == yaml::Kind::null) return fmt::format("  internal{}),\n", start);
    if (value.kind == yaml::Kind::scalar)
      return fmt::format("  field{}, {{}}, {{{}}}),\n", start, literal(value.text));
    Keys known{"member", "kinds", "instead", "optionalFor", "kept"};
    for (const Keys* keys : {&constraint, &words})
      known.insert(known.end(), keys->begin(), keys->end());
    check(value, known, key);
    std::string text = fmt::format("field{}, {{{}}}, {{{}}})", start, cells(value, constraint),
                                   cells(value, words));
    if (const yaml::Node* others = value.find("optionalFor"))
      text = fmt::format("optional_for({}, {})", literal(others->text), text);
    if (value.find("kept") != nullptr) text = fmt::format("kept({})", text);
    const yaml::Node *kinds = value.find("kinds"), *instead = value.find("instead");
    if (kinds == nullptr) return fmt::format("  {},\n", text);
    return fmt::format("  only_for({}, {}, {}),\n", literal(kinds->text), text,
                       literal(instead == nullptr ? "" : instead->text));
  }

  // `.key_pattern = Pattern::label_key, `
  std::string cells(const yaml::Node& row, const Keys& keys) {
    std::string members;
    for (const std::string_view key : keys) {
      const yaml::Node* cell = row.find(key);
      if (cell == nullptr) continue;
      members += fmt::format(".{} = {}, ", member_name(key), value(key, *cell));
    }
    return members;
  }

  std::string value(std::string_view key, const yaml::Node& cell) {
    if (cell.kind == yaml::Kind::sequence) {
      std::string words;
      for (const yaml::Node& item : cell.items) words += "  " + literal(item.text) + ",\n";
      return list("std::string_view", words);
    }
    if (key == "pattern" || key == "keyPattern") return "Pattern::" + cell.text;
    if (key == "choicesOf") return "NameSet::" + cell.text;
    const bool is_constant = key == "choices" || yaml::type_of(cell) != yaml::ScalarType::string;
    return is_constant ? cell.text : literal(cell.text);
  }

  std::string list(std::string_view type, std::string_view rows) {
    std::string name = fmt::format("list_{}", ++count_);
    lists_ += fmt::format("constexpr {} {}[] = {{\n{}}};\n", type, name, rows);
    return name;
  }

  void check(const yaml::Node& mapping, const Keys& keys, std::string_view what) {
    for (const yaml::Member& member : mapping.members) {
      if (std::ranges::find(keys, member.key.text) == keys.end())
        sink_.report<diag::Code::UnknownField>(member.key, member.key.text, what);
    }
  }

  diag::Sink& sink_;
  std::string lists_;
  int count_ = 0;
};

// The rows of a catalog as initialisers. Each list of a row is an array of its own, defined before.
class Rows {
 public:
  std::string record(const schema::Table& table, const void* record, const std::string& cpp_type) {
    std::string members;
    for (const schema::Field& field : table.fields) {
      const std::string name = member_name(field.key);
      members += fmt::format(
          ".{} = {}, ", name,
          value(*field.type, field.of(record), fmt::format("decltype({}::{})", cpp_type, name)));
    }
    return fmt::format("{{{}}}", members);
  }
  const std::string& lists() const { return lists_; }

 private:
  std::string value(const Type& type, const void* value, const std::string& cpp_type) {
    if (type.category == Category::list) return list(type, value, cpp_type);
    if (type.category == Category::record) return record(*type.table, value, cpp_type);
    const void* inside = type.inside(value);
    if (inside == nullptr) return "{}";
    yaml::Value scalar;
    type.get(inside, scalar);
    if (&type == &schema::text_type) return literal(scalar.text) + "sv";
    if (&type == &schema::topology_type)
      return fmt::format("*parse_topology({})", literal(scalar.text));
    if (type.category != Category::text) return scalar.text;
    return fmt::format("FromWord{{{}}}", literal(scalar.text));
  }

  std::string list(const Type& type, const void* list, const std::string& cpp_type) {
    const std::string row_type = cpp_type + "::value_type";
    std::string rows;
    for (std::size_t i = 0; i < type.size(list); ++i)
      rows += fmt::format("  {},\n", value(*type.element, type.at(list, i), row_type));
    if (rows.empty()) return "{}";
    const std::string name = fmt::format("list_{}", ++count_);
    lists_ += fmt::format("constexpr {} {}[] = {{\n{}}};\n", row_type, name, rows);
    return name;
  }

  std::string lists_;
  int count_ = 0;
};

constexpr std::string_view head = "// Generated by flexslice-embed; do not edit.\n";

}  // namespace

std::string tables_source(std::string_view folder,
                          const std::vector<std::pair<std::string, yaml::Node>>& files) {
  std::string arrays;
  std::string rows;
  int count = 0;
  for (const auto& [name, node] : files) {
    const std::string array = fmt::format("file_{}", count++);
    std::string cells;
    add_cells(node, {}, cells);
    arrays += fmt::format("constexpr Cell {}[] = {{\n{}}};\n", array, cells);
    rows += fmt::format("    {{{}sv, {}}},\n", literal(name), array);
  }
  return fmt::format(
      R"({}#include "yaml/embedded.hpp"

namespace flexslice::embedded {{

namespace {{

using yaml::Cell;
using yaml::Kind;
using namespace std::string_view_literals;

{}
constexpr File files[] = {{
{}}};

}}  // namespace

const Folder {}{{files}};

}}  // namespace flexslice::embedded
)",
      head, arrays, rows, folder);
}

std::string fields_source(const yaml::Node& tables, diag::Sink& sink) {
  return std::string(head) + FieldTables(sink).source(tables);
}

std::string catalog_source(const catalog::Catalog& catalog) {
  Rows rows;
  const std::string facts = rows.record(*schema::catalog_type.table, &catalog, "Catalog");
  return fmt::format(
      R"({}#include "catalog/catalog.hpp"

namespace flexslice::catalog {{

namespace {{

using namespace std::string_view_literals;

{}
}}  // namespace

Catalog built_in() {{
  return {};
}}

}}  // namespace flexslice::catalog
)",
      head, rows.lists(), facts);
}

}  // namespace flexslice::embed
