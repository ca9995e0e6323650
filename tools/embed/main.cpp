// Build tool: turns the catalog, tables of fields, Kubernetes' types and the templates into C++, so
// that the program parses nothing at start.
//   flexslice-embed catalog|fields|templates|texts|gcloud|kubernetes|examples OUT DIR FILE...
// The catalog's documents are verified. Other files are named relative to DIR, and those outside of
// it by their names alone; an example, or one
// that does not end in .yaml, becomes one scalar.
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "diag/render.hpp"
#include "output.hpp"
#include "write.hpp"
#include "yaml/embedded.hpp"
#include "yaml/parse.hpp"

// The tool itself knows no types of Kubernetes and no commands of gcloud.
namespace flexslice::embedded {
const Folder kubernetes{};
const Folder gcloud{};
}  // namespace flexslice::embedded

namespace {

using namespace flexslice;

std::optional<yaml::Node> read_node(const std::string& path, bool is_text, Sources& sources,
                                    diag::Sink& sink) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) {
    std::cerr << path << ": cannot be read\n";
    return std::nullopt;
  }
  if (path.ends_with(".yaml") && !is_text)
    return yaml::parse(sources, sources.add({path, text.str()}), sink);
  return yaml::Node{yaml::Kind::scalar, true, false, {}, text.str(), {}, {}};
}

std::string source_of(const std::string& what,
                      const std::vector<std::pair<std::string, yaml::Node>>& files,
                      diag::Sink& sink) {
  if (what == "fields") return files.empty() ? "" : embed::fields_source(files[0].second, sink);
  if (what != "catalog") return embed::tables_source(what, files);
  catalog::Catalog catalog;
  for (const auto& [name, node] : files) catalog::load(node, catalog, sink);
  catalog::verify(catalog, sink);
  return embed::catalog_source(catalog);
}

int write_output(const std::vector<std::string>& arguments) {
  if (arguments.size() < 4) {
    std::cerr << "usage: flexslice-embed catalog|fields|templates|texts|gcloud|kubernetes|examples "
                 "OUT DIR "
                 "FILE...\n";
    return 2;
  }
  Sources sources;
  diag::Sink sink;
  std::vector<std::pair<std::string, yaml::Node>> files;
  const std::string directory = arguments[2] + '/';
  for (std::size_t i = 3; i < arguments.size(); ++i) {
    const std::string& path = arguments[i];
    std::optional<yaml::Node> node = read_node(path, arguments[0] == "examples", sources, sink);
    if (!node) break;
    files.emplace_back(path.starts_with(directory) ? path.substr(directory.size())
                                                   : path.substr(path.rfind('/') + 1),
                       *std::move(node));
  }
  const std::string source = source_of(arguments[0], files, sink);
  const std::vector<diag::Diagnostic> findings = sink.take();
  std::cerr << diag::render({}, sources, findings);
  if (!findings.empty() || files.size() + 3 < arguments.size()) return 1;
  if (embed::write_if_changed(arguments[1], source)) return 0;
  std::cerr << arguments[1] << ": cannot be written\n";
  return 3;
}

}  // namespace

int main(int argc, char** argv) { return write_output({argv + 1, argv + argc}); }
