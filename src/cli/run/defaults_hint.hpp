// Finds out that `--defaults` was forgotten: fields are missing that a file beside the specs, or
// beside their folder, has.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.hpp"
#include "cli/run/settings.hpp"
#include "diag/diag.hpp"

namespace flexslice::cli {

class DefaultsHint {
 public:
  explicit DefaultsHint(const Run& run) : run_(run) {}

  // Adds one help to all findings of the run: to the second that the same file would answer.
  // `path` and `spec` are those of the document that the findings are about.
  void add_to(std::vector<diag::Diagnostic>& findings, std::string_view path, const Source& spec);

 private:
  // A file that may be one of defaults, and how many findings it would have answered.
  struct NearFile {
    Source layer;
    std::size_t answered = 0;
  };

  std::vector<NearFile>& beside(const std::string& folder);
  void add_from(std::string_view folder, std::vector<diag::Diagnostic>& findings,
                const Source& spec);
  std::vector<diag::Diagnostic> findings_with(const Source& layer, const Source& spec) const;

  const Run& run_;
  std::map<std::string, std::vector<NearFile>> folders_;
  bool said_ = false;
};

}  // namespace flexslice::cli
