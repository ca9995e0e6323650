// flexslice lint: the rules for files that people already have. Pure, as compile is: no files, no
// clock, no environment. The command line and the library call it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.hpp"
#include "catalog/catalog.hpp"
#include "diag/diag.hpp"

namespace flexslice::lint {

struct Options {
  bool notes = false;          // also findings that are only worth a note
  std::string gcloud_version;  // stated by the user
};

struct Linted {
  std::vector<diag::Diagnostic> diagnostics;  // on source 0, in order of place
  bool mentions_tpus = false;
  std::size_t unread = 0;  // fragments that could not be read, because of template marks
};

// Whether the text may hold anything to judge: a fast search that finds some texts too many.
bool mentions_tpus(std::string_view text);

// Judges one file, which is source 0 of `sources`; its name says what it is.
Linted lint(Sources& sources, const catalog::Catalog& catalog, const Options& options);

}  // namespace flexslice::lint
