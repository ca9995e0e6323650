// Compares the files of a folder: node pools that one creates and pods of another select by name.
// The command calls it with the files in the order in which they are linted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lint/lint_file.hpp"

namespace flexslice::lint {

class Folders {
 public:
  struct Findings {
    Sources sources;
    std::vector<diag::Diagnostic> diagnostics;
  };

  // Adds a file. Gives what is to be said of the folder before, if this one is in another.
  std::optional<Findings> add(const Source& file, const PoolNames& names);
  // What is to be said of the last folder.
  std::optional<Findings> end();

 private:
  struct FolderFile {
    Source source;
    PoolNames names;
  };

  std::string folder_;
  std::vector<FolderFile> files_;  // of the folder, those that name pools
};

}  // namespace flexslice::lint
