// The files that are compiled in, as tables of cells. The build makes the tables with
// flexslice-embed, one C++ file for each span below. The catalog's loader and the templates'
// expansion read them through yaml::View.
#pragma once

#include <span>
#include <string_view>

#include "yaml/frozen.hpp"

namespace flexslice::embedded {

struct File {
  std::string_view name;  // the path as the build gave it, relative: `kubernetes/job.yaml`
  const yaml::Cell* cells = nullptr;
  const char* texts = nullptr;

  yaml::View root() const { return {cells, texts}; }
};

// Only those that the program links exist.
extern const std::span<const File> catalog_files;
extern const std::span<const File> templates;
extern const std::span<const File> texts;

}  // namespace flexslice::embedded
