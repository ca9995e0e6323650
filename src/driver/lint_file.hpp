// flexslice lint: the rules for files that people already have. Pure, as compile is: no files, no
// clock, no environment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.hpp"
#include "catalog/catalog.hpp"
#include "diag/diag.hpp"
#include "driver/near.hpp"
#include "extract/excerpt.hpp"
#include "extract/terraform.hpp"
#include "rules/file_summary.hpp"
#include "yaml/node.hpp"

namespace flexslice::lint {

using rules::FileSummary;

struct RuleOptions {
  bool notes = false;          // also findings that are only worth a note
  std::string gcloud_version;  // stated by the user
  bool placement = false;      // also which nodes take each set of pods
  std::span<const rules::Upgrade> upgrades = {};
};

// Says whether a text may have anything to judge: commands of GKE are judged by gcloud's table even
// if nothing says that they are about TPUs.
enum class Mentioned : std::uint8_t { nothing, commands, tpus };

struct Linted {
  // On source 0, in order of place. Errors are soft: nothing is compiled, so any can be allowed.
  std::vector<diag::Diagnostic> diagnostics;
  Mentioned mentions = Mentioned::nothing;
  std::size_t unread = 0;  // templates, which are to be rendered first, and fragments
  rules::FileSummary summary;
  std::vector<extract::Excerpt> excerpts;  // none if nothing was read
};

// A fast search, which finds some texts too many.
Mentioned mentions(std::string_view text);
inline bool mentions_tpus(std::string_view text) { return mentions(text) == Mentioned::tpus; }

// False: nothing says that it is of a type that lint reads.
bool is_readable(std::string_view name, std::string_view text);

// Gets each document that was read and judged, with the index of its excerpt, and the resources of
// Terraform in it; its places are in the excerpt.
using Listener = std::function<void(std::size_t excerpt, yaml::Node tree,
                                    extract::TerraformResources resources)>;

// The note at a key that is given twice.
inline constexpr const char* last_value_counts = "kubectl silently takes the last value";

// Says whether a file without TPUs may have objects, which are judged where another file of the run
// is about TPUs.
bool may_belong(std::string_view name, std::string_view text);

// A file without TPUs has no findings, but may say something of those of others: `is_read_for`.
rules::FileSummary summarize(const Source& file, const catalog::Catalog& catalog,
                             const extract::Module* module = nullptr);

// The files that Terraform reads together with each other, of which each is linted.
extract::Module read_module(std::vector<Source> files, const extract::GivenVariables& given = {});

// Judges one file, which is source 0 of `sources`; its name says what it is. `module`: of
// Terraform, that the file is in, or null. What nothing says of TPUs is read for a listener alone.
// `near`: what other files say of it.
Linted lint(Sources& sources, const catalog::Catalog& catalog, const RuleOptions& options,
            const extract::Module* module = nullptr, const Listener& listener = {},
            const Near& near = {});

}  // namespace flexslice::lint
