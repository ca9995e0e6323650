// Build tool: turns YAML and text files into C++ tables, so that the program parses nothing at
// start.
//   flexslice-embed [--catalog] OUT.cpp SPAN DIR FILE...
// SPAN is one of the spans of embed/embedded.hpp. The files are named relative to DIR, and so they
// are called in the table. A file that does not end in .yaml becomes one scalar. With --catalog the
// files are loaded and verified as facts, too.
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "embed/write.hpp"
#include "yaml/parse.hpp"

namespace {

using namespace flexslice;

struct Input {
  std::string name;
  std::unique_ptr<yaml::Frozen> table;
};

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

yaml::Node text_node(std::string text) {
  yaml::Node node;
  node.kind = yaml::Kind::scalar;
  node.quoted = true;
  node.text = std::move(text);
  return node;
}

std::optional<yaml::Node> read_node(const std::string& path, Sources& sources, diag::Sink& sink) {
  std::optional<std::string> text = read_file(path);
  if (!text) {
    std::cerr << path << ": cannot be read\n";
    return std::nullopt;
  }
  if (!path.ends_with(".yaml")) return text_node(*std::move(text));
  return yaml::parse(sources, sources.add({path, *std::move(text)}), sink);
}

void print(const Sources& sources, const std::vector<diag::Diagnostic>& found) {
  for (const diag::Diagnostic& each : found) {
    const Position at = sources.position(each.where);
    std::cerr << sources[each.where.source].name << ':' << at.line << ':' << at.column
              << ": error: " << each.message << '\n';
    for (const std::string& note : each.notes) std::cerr << "  note: " << note << '\n';
    for (const std::string& help : each.helps) std::cerr << "  help: " << help << '\n';
  }
}

void check_catalog(const std::vector<Input>& inputs, diag::Sink& sink) {
  catalog::Catalog catalog;
  for (const Input& input : inputs) catalog::load(input.table->root(), catalog, sink);
  catalog::verify(catalog, sink);
}

// Positions are for people only; the program has no text to point into.
embed::NamedTable without_spans(const Input& input) {
  embed::NamedTable table{input.name, input.table->cells(), input.table->texts()};
  for (yaml::Cell& cell : table.cells) cell.span = {};
  return table;
}

int run(std::vector<std::string> arguments) {
  const bool is_catalog = !arguments.empty() && arguments.front() == "--catalog";
  if (is_catalog) arguments.erase(arguments.begin());
  if (arguments.size() < 4) {
    std::cerr << "usage: flexslice-embed [--catalog] OUT.cpp SPAN DIR FILE...\n";
    return 2;
  }
  Sources sources;
  diag::Sink sink;
  std::vector<Input> inputs;
  bool readable = true;
  const std::string directory = arguments[2] + '/';
  for (std::size_t i = 3; i < arguments.size(); ++i) {
    const std::string name =
        arguments[i].starts_with(directory) ? arguments[i].substr(directory.size()) : arguments[i];
    std::optional<yaml::Node> node = read_node(directory + name, sources, sink);
    readable = readable && node.has_value();
    if (node) inputs.push_back({name, std::make_unique<yaml::Frozen>(*std::move(node))});
  }
  if (is_catalog) check_catalog(inputs, sink);
  const std::vector<diag::Diagnostic> found = sink.take();
  print(sources, found);
  if (!found.empty() || !readable) return 1;

  std::vector<embed::NamedTable> tables;
  tables.reserve(inputs.size());
  for (const Input& input : inputs) tables.push_back(without_spans(input));
  std::ofstream out(arguments[0], std::ios::binary);
  out << embed::cpp_source(arguments[1], tables);
  out.close();
  if (out) return 0;
  std::cerr << arguments[0] << ": cannot be written\n";
  return 3;
}

}  // namespace

int main(int argc, char** argv) { return run({argv + 1, argv + argc}); }
