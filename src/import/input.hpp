// What the files of an import hold: Kubernetes objects and commands, each with its place.
// import.cpp calls it.
#pragma once

#include <string>
#include <vector>

#include "base/source.hpp"
#include "diag/diag.hpp"
#include "import/commands.hpp"
#include "read/excerpt.hpp"
#include "yaml/node.hpp"
#include "yaml/value.hpp"

namespace flexslice::imports {

struct FoundObject {
  yaml::Node node;    // as it is written, with its places
  yaml::Value value;  // without what controllers add; of a live object without defaults too
  bool used = false;  // a spec was made of it, or compile makes it

  std::string_view kind() const { return value.text_at({"kind"}); }
  std::string_view name() const { return value.text_at({"metadata", "name"}); }
};

struct Material {
  std::vector<FoundObject> objects;
  std::vector<Command> commands;
  bool nodes_by_gke = false;  // a provision script of an Autopilot workload says so
  bool mentions_tpus = false;
};

// Reads files into one Material. Places in excerpts are moved to the files at the end.
class MaterialReader {
 public:
  // `sources` are the files; excerpts are added behind them.
  MaterialReader(Sources& sources, diag::Sink& sink)
      : sources_(sources), files_(sources.size()), sink_(sink) {}

  Material read();
  void move_to_files(diag::Diagnostic& finding) const;

 private:
  // `original` has the marks of templates that are blanked in the excerpt.
  void read_yaml(const read::Excerpt& excerpt, const std::string& original, std::uint32_t file,
                 Material& input);
  // The index of the source.
  std::uint32_t add(const std::string& text, const read::Excerpt& excerpt, std::uint32_t file);
  void read_shell(const read::Excerpt& excerpt, std::uint32_t index, read::Variables& variables,
                  Material& input);

  struct ExcerptPart {
    read::Excerpt excerpt;
    std::uint32_t file;
  };

  Sources& sources_;
  std::size_t files_;
  diag::Sink& sink_;
  std::vector<ExcerptPart> parts_;  // of the sources from `files_` on
};

}  // namespace flexslice::imports
