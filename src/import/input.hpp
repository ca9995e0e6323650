// Reads the files of an import: Kubernetes objects and commands, each with its place in its file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.hpp"
#include "catalog/catalog.hpp"
#include "diag/diag.hpp"
#include "driver/lint_file.hpp"
#include "driver/near.hpp"
#include "extract/given_names.hpp"
#include "import/commands.hpp"
#include "yaml/value.hpp"

namespace flexslice::imports {

struct FoundObject {
  yaml::Value value;  // without what controllers add; of a live object without defaults too
  std::string kind = std::string(value.text_at({"kind"}));
  std::string name = std::string(value.text_at({"metadata", "name"}));
  bool used = false;               // a spec was made of it, or compile makes it
  bool is_live = false;            // a cluster printed it, with all defaults
  Completeness completeness = {};  // as kustomizations say
  std::string owner = {};          // with which Kubernetes deletes it; empty: none
  // In commands and other free text of a here-document, which no spec can do; each once.
  std::vector<extract::Unfilled> filled_by_shell = {};
  std::shared_ptr<const Launch> launch = {};  // null: the input has the object itself
};

// The object's name stands there.
Span name_span(const FoundObject& object);

struct Material {
  std::vector<FoundObject> objects;
  std::vector<NodeCommand> commands;
  std::vector<std::shared_ptr<const Launch>> launches;
  bool nodes_by_gke = false;  // a provision script of an Autopilot workload says so
};

struct FileMaterial {
  Material material;
  std::vector<diag::Diagnostic> findings;  // lint's, and of what cannot be read
  lint::FileSummary summary;               // for what the files say of each other
};

// All files of an import, searched once for what each may say of the others.
class InputFiles {
 public:
  explicit InputFiles(const Sources& sources);

  const Sources& sources() const { return sources_; }
  const Source* find(std::string_view path) const;
  lint::Near near(std::uint32_t index) const;

 private:
  const Sources& sources_;
  std::map<std::string_view, const Source*> by_name_;
  std::vector<const Source*> answering_;
  extract::GivenNames given_;
};

// Reads source `index`. `module`: of Terraform, that it is in, or null.
FileMaterial read_input(const InputFiles& files, std::uint32_t index, const extract::Module* module,
                        const catalog::Catalog& catalog);

// Drops objects that others of the input, or controllers of workloads, make.
void drop_owned(Material& material);

// Adds what a later file holds.
void add_material(Material&& later, Material& material);

}  // namespace flexslice::imports
