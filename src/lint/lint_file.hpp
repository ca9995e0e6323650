// flexslice lint: the rules for files that people already have. Pure, as compile is: no files, no
// clock, no environment. The command line and the library call it.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.hpp"
#include "catalog/catalog.hpp"
#include "diag/diag.hpp"
#include "extract/excerpt.hpp"
#include "rules/file_rules.hpp"
#include "yaml/node.hpp"

namespace flexslice::lint {

struct RuleOptions {
  bool notes = false;          // also findings that are only worth a note
  std::string gcloud_version;  // stated by the user
};

// Node pools that a file creates, and that its pods select: for comparing the files of a folder.
struct PoolNames {
  std::vector<rules::NamedNodes> pools, pods;
  bool empty() const { return pools.empty() && pods.empty(); }
};

struct Linted {
  // On source 0, in order of place. Errors are soft: nothing is compiled, so any can be allowed.
  std::vector<diag::Diagnostic> diagnostics;
  bool mentions_tpus = false;
  std::size_t unread = 0;  // fragments that could not be read, because of template marks
  PoolNames names;
  std::vector<extract::Excerpt> excerpts;  // none if nothing mentions TPUs
};

// Whether the text may hold anything to judge: a fast search that finds some texts too many.
bool mentions_tpus(std::string_view text);

// Gets each YAML document that was read and judged, with the index of its excerpt; its places are
// in the excerpt.
using Listener = std::function<void(std::size_t excerpt, yaml::Node tree)>;

// The note at a key that is given twice.
inline constexpr const char* last_value_counts = "kubectl silently takes the last value";

// Judges one file, which is source 0 of `sources`; its name says what it is.
Linted lint(Sources& sources, const catalog::Catalog& catalog, const RuleOptions& options,
            const Listener& listener = {});

}  // namespace flexslice::lint
