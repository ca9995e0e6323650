// Specs of one run: each between the same layers and under the same policy, what they define
// together, and the queues that they share.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "backend/template/template.hpp"
#include "base/source.hpp"
#include "catalog/catalog.hpp"
#include "diag/policy.hpp"
#include "driver/driver.hpp"
#include "plan/conflicts.hpp"

namespace flexslice {

// All specs of a run share this.
struct Setting {
  const catalog::Catalog& catalog;
  const templates::Set& templates;
  std::span<const Source> defaults = {};  // the first lies lowest
  std::span<const Source> sets = {};      // on top of each spec
  const diag::Policy* policy =
      nullptr;  // null: findings keep their level, and soft ones stop nothing
};

// The spec between its layers; its index is the number of the defaults.
Sources layered(const Setting& setting, Source spec);

// The spec with its layers, as one value; null where one of them cannot be read.
yaml::Value merged(const Setting& setting, const Sources& sources);

// The specs of the document in `layered` sources, after the policy.
std::vector<Compiled> compile_document(const Setting& setting, const Sources& sources,
                                       const CompileOptions& options, unsigned jobs = 1);

// Adds the spec to those of the run. A conflict with an earlier one becomes a finding of this one,
// which then has no artifacts. `file` and `source` are those of the spec; see plan::Defined.
void add_to_run(plan::Defined& run, std::string_view file, const Source& source,
                Compiled& compiled);

// Adds Emit::queues to the artifacts of those that have a need: each gets the whole of its queue,
// for all of the run.
void add_queues(std::span<Compiled> run, const templates::Set& templates, bool comments);

// All documents of a text.
struct TextRun {
  std::vector<Compiled> good;  // with their queues
  std::size_t documents = 0;
};
// Judges and compiles at most `most` documents of the texts, and says of each what is wrong, in
// order; at the end what is wrong with all of them together. The name of a text is what findings
// call it.
TextRun compile_texts(const Setting& setting, std::span<const Source> texts,
                      const CompileOptions& options,
                      const std::function<void(const Sources&, std::vector<diag::Diagnostic>)>& say,
                      std::size_t most = -1);
// The same for one.
TextRun compile_text(const Setting& setting, std::string_view file, std::string_view text,
                     const CompileOptions& options,
                     const std::function<void(const Sources&, std::vector<diag::Diagnostic>)>& say,
                     std::size_t most = -1);

}  // namespace flexslice
