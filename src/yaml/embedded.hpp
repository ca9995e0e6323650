// The files that are compiled in, as tables of cells. The build makes them with flexslice-embed.
#pragma once

#include <span>
#include <string_view>

#include "yaml/frozen.hpp"

namespace flexslice::embedded {

struct File {
  std::string_view name;  // relative to their folder: `kubernetes/job.yaml`
  const yaml::Cell* cells = nullptr;
  const char* texts = nullptr;

  yaml::View root() const { return {cells, texts}; }
};

extern const std::span<const File> templates;
extern const std::span<const File> texts;  // of the command line's help

}  // namespace flexslice::embedded
