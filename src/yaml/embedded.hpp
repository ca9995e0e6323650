// The files that are compiled in, as tables of cells. The build makes them with flexslice-embed.
#pragma once

#include <span>
#include <string_view>

#include "yaml/frozen.hpp"

namespace flexslice::embedded {

struct File {
  yaml::Cell::Text name;   // relative to the folder: `kubernetes/job.yaml`
  std::uint32_t root = 0;  // among the folder's cells
};

struct Folder {
  std::span<const File> files = {};
  const yaml::Cell* cells = nullptr;
  const char* texts = nullptr;

  std::string_view name(const File& file) const {
    return {texts + file.name.begin, file.name.size};
  }
  yaml::View root(const File& file) const { return {cells + file.root, texts}; }
};

extern const Folder templates;
extern const Folder texts;       // of the command line's help
extern const Folder kubernetes;  // schema/kubernetes.yaml

}  // namespace flexslice::embedded
