#include "write.hpp"

#include <fmt/core.h>

#include <array>
#include <map>

#include "catalog/tables.hpp"

namespace flexslice::embed {

namespace {

using schema::Category;
using schema::Type;

// Strings one after another, each once.
class Pool {
 public:
  // `{}` or `{BEGIN, SIZE}`.
  std::string place(std::string_view bytes) {
    if (bytes.empty()) return "{}";
    const auto [known, added] = places_.try_emplace(std::string(bytes), size_);
    if (added) {
      size_ += bytes.size();
      literals_ += "\n    " + literal(bytes);
    }
    return fmt::format("{{{}, {}}}", known->second, bytes.size());
  }
  const std::string& literals() const { return literals_; }
  std::size_t size() const { return size_; }

 private:
  std::map<std::string, std::size_t> places_;
  std::size_t size_ = 0;
  std::string literals_ = "\n    \"\"";
};

// Adds the cells of a subtree, and returns how many they are.
std::size_t add_cells(const yaml::Node& node, std::string_view key, Pool& pool,
                      std::string& cells) {
  constexpr std::array kinds{"null", "scalar", "sequence", "mapping"};
  std::size_t size = 1;
  std::string below;
  std::string places = pool.place(key) + ", ";
  places += pool.place(node.text);
  for (const yaml::Node& item : node.items) size += add_cells(item, {}, pool, below);
  for (const yaml::Member& member : node.members)
    size += add_cells(member.value, member.key.text, pool, below);
  cells +=
      fmt::format("    {{Kind::{}, {}, {}, {}, {{}}}},\n{}",
                  kinds[static_cast<std::size_t>(node.kind)], node.quoted, places, size, below);
  return size;
}

// `machine_types` for `machineTypes`: the tables' keys are the members' names in other letters.
std::string member_name(std::string_view key) {
  std::string name;
  for (const char c : key) {
    if (c >= 'A' && c <= 'Z') name += '_';
    name += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return name;
}

// The rows of a catalog as initialisers. Each list of a table has an array of its own, which is
// named by its path and takes its type from the member.
class Rows {
 public:
  // `path` and `cpp_type` are those of the record.
  std::string record(const schema::Table& table, const void* record, const std::string& path,
                     const std::string& cpp_type) {
    std::string members;
    for (const schema::Field& field : table.fields) {
      const std::string name = member_name(field.key);
      members += fmt::format(".{} = {}, ", name,
                             value(*field.type, field.of(record),
                                   path.empty() ? name : fmt::format("{}_{}", path, name),
                                   fmt::format("decltype({}::{})", cpp_type, name)));
    }
    return fmt::format("{{{}}}", members);
  }
  std::string definitions() const {
    std::string members = fmt::format("  char texts[{}];\n", pool_.size() + 1);
    std::string values = fmt::format("    .texts ={},\n", pool_.literals());
    for (const auto& [name, array] : arrays_) {
      members += fmt::format("  {} {}[{}];\n", array.cpp_type, name, array.rows.size());
      values += fmt::format("    .{} = {{\n", name);
      for (const std::string& row : array.rows) values += fmt::format("        {},\n", row);
      values += "    },\n";
    }
    return fmt::format(
        "struct BuiltIn {{\n{}}};\n\n#define FLEXSLICE_ROWS(list, first, count) \\\n  "
        "{{offsetof(BuiltIn, "
        "list) + (first) * sizeof(BuiltIn::list[0]), count}}\n\nconstexpr BuiltIn "
        "built_in_rows{{\n{}}};\n",
        members, values);
  }

 private:
  struct Array {
    std::string cpp_type;
    std::vector<std::string> rows;
  };

  std::string value(const Type& type, const void* value, const std::string& path,
                    const std::string& cpp_type) {
    if (type.category == Category::list) return list(type, value, path, cpp_type);
    if (type.category == Category::record) return record(*type.table, value, path, cpp_type);
    const void* inside = type.inside(value);
    if (inside == nullptr) return "{}";
    yaml::Value scalar;
    type.get(inside, scalar);
    if (&type == &schema::text_type) return pool_.place(scalar.text);
    if (&type == &schema::topology_type)
      return fmt::format("*parse_topology({})", literal(scalar.text));
    if (type.category != Category::text) return scalar.text;
    return fmt::format("FromWord{{{}}}", literal(scalar.text));
  }

  std::string list(const Type& type, const void* list, const std::string& path,
                   const std::string& cpp_type) {
    std::vector<std::string> rows;
    const std::string row_type = cpp_type + "::value_type";
    for (std::size_t i = 0; i < type.size(list); ++i)
      rows.push_back(value(*type.element, type.at(list, i), path, row_type));
    if (rows.empty()) return "{}";
    Array& array = arrays_[path];
    const std::size_t first = array.rows.size();
    array.cpp_type = row_type;
    array.rows.insert(array.rows.end(), rows.begin(), rows.end());
    return fmt::format("FLEXSLICE_ROWS({}, {}, {})", path, first, rows.size());
  }

  Pool pool_;
  std::map<std::string, Array> arrays_;
};

constexpr std::string_view head = "// Generated by flexslice-embed; do not edit.\n";

}  // namespace

std::string literal(std::string_view bytes) {
  std::string text = "\"";
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char c = bytes[i];
    if (c == '\n') {
      text += i + 1 < bytes.size() ? "\\n\"\n     \"" : "\\n";
    } else if (c == '"' || c == '\\' || c == '?') {
      text += {'\\', c};
    } else if (c >= ' ' && c <= '~') {
      text += c;
    } else {
      // Three digits always, so that a digit after it is not taken in.
      text += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    }
  }
  return text + '"';
}

std::string tables_source(std::string_view folder,
                          const std::vector<std::pair<std::string, yaml::Node>>& files) {
  Pool pool;
  std::string cells;
  std::string rows;
  std::size_t root = 0;
  for (const auto& [name, node] : files) {
    cells += fmt::format("    // {}\n", name);
    const std::size_t size = add_cells(node, {}, pool, cells);
    rows += fmt::format("    {{{}, {}}},\n", pool.place(name), root);
    root += size;
  }
  return fmt::format(
      R"({}#include "yaml/embedded.hpp"

namespace flexslice::embedded {{

namespace {{

using yaml::Cell;
using yaml::Kind;

constexpr char characters[] ={};

constexpr Cell cells[] = {{
{}}};

constexpr File files[] = {{
{}}};

}}  // namespace

const Folder {}{{files, cells, characters}};

}}  // namespace flexslice::embedded
)",
      head, pool.literals(), cells, rows, folder);
}

std::string catalog_source(const catalog::Catalog& catalog) {
  Rows rows;
  const std::string facts = rows.record(*schema::catalog_type.table, &catalog, {}, "Catalog");
  return fmt::format(
      "{}#include <cstddef>\n\n#include \"catalog/catalog.hpp\"\n\nnamespace flexslice::catalog "
      "{{\n\n{}\nCatalog built_in() {{\n  return {};\n}}\n\n}}  // namespace flexslice::catalog\n",
      head, rows.definitions(), facts);
}

}  // namespace flexslice::embed
