// The files that are compiled in, as tables of cells. The build makes them with flexslice-embed.
#pragma once

#include <span>
#include <string_view>

#include "yaml/frozen.hpp"

namespace flexslice::embedded {

struct File {
  std::string_view name;  // relative to the folder: `kubernetes/job.yaml`
  const yaml::Cell* cells = nullptr;

  yaml::View root() const { return yaml::View(cells); }
};
using Folder = std::span<const File>;

extern const Folder templates;
extern const Folder texts;       // of the command line's help
extern const Folder examples;    // the specs, each as one scalar
extern const Folder gcloud;      // the table of gcloud's commands
extern const Folder kubernetes;  // schema/kubernetes.yaml, what servers add, flags of Terraform

// The folder must have a file of that name.
inline yaml::View root_of(Folder folder, std::string_view name) {
  for (const File& file : folder) {
    if (file.name == name) return file.root();
  }
  return {};
}

}  // namespace flexslice::embedded
