// The passes in order. `compile` is pure: no files, no clock, no environment; the same input gives
// the same bytes. The command line, the tests, the fuzzers and the benchmarks all call it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/gcloud/scripts.hpp"
#include "backend/kubernetes/queues.hpp"
#include "base/source.hpp"
#include "catalog/catalog.hpp"
#include "diag/diag.hpp"
#include "flexslice.hpp"
#include "plan/conflicts.hpp"
#include "plan/plan.hpp"
#include "template/template.hpp"

namespace flexslice {

using api::Artifact, api::Emit;

// `manifests` and `manifests.yaml` for each; the word of `--emit`, and the file's name below
// `--out-dir DIR/NAME/`, in which NAME is the workload's name.
struct EmitRow {
  Emit emit;
  std::string_view word;
  std::string_view file;
  bool if_asked = false;  // not among the artifacts that are made without `--emit`
};
std::span<const EmitRow> emit_rows();
// The artifacts that are made without `--emit`.
std::vector<Emit> usual_artifacts();

// Reports what is wrong in the templates of all artifacts.
void check_templates(const templates::Set& templates, diag::Sink& sink);

struct CompileOptions {
  std::vector<Emit> emit;  // empty, and nothing of what is below: only check
  bool comments = true;    // explain derived values where they stand
  bool explain = false;    // fill Compiled::explanation
  bool objects = false;    // fill Compiled::objects
};

// Sources of one compilation: `spec` is the document, `defaults` and `sets` the layers under and
// over it, all indices into `sources`.
struct Input {
  const Sources& sources;
  std::uint32_t spec = 0;
  std::vector<std::uint32_t> defaults;  // the first lies lowest
  std::vector<std::uint32_t> sets;
};

struct Compiled {
  std::string name;  // of the workload or the sweep; empty when it is not known
  // The name of the sweep that the spec is a point of, and the values of that point, `LR=0.1,
  // topology=4x8`. The sweep itself has no values.
  std::string sweep = {}, values = {};
  std::vector<Artifact> artifacts = {};
  // When Emit::queues is wanted and the workload has a queue: for `queues`. Of a sweep those of all
  // points, which have none then.
  std::vector<kubernetes::QueueNeed> queue_needs = {};
  std::string explanation = {};  // the plan in words
  // Of the manifests, then of the queue of this spec alone.
  std::vector<yaml::Value> objects = {};
  gcloud::Scripts scripts = {};  // with them, where a script is wanted
  // What the spec defines, for conflicts with other specs of the run.
  std::vector<plan::Resource> resources = {};
  // In order of place; before any policy of the command line.
  std::vector<diag::Diagnostic> diagnostics = {};
  bool ok = false;  // artifacts are complete
};

// The specs of a document: one, or the points of its matrix, and then the sweep, which has what
// they share: scripts, whole documents, all manifests and the needs of the queue. `jobs`: threads,
// for points.
std::vector<Compiled> compile_all(const Input& input, const catalog::Catalog& catalog,
                                  const templates::Set& templates, const CompileOptions& options,
                                  unsigned jobs = 1);

// Takes the findings of a document's specs: each once, with the points that it is about if these
// are not all. An error in one of them leaves none of them ok.
std::vector<diag::Diagnostic> take_findings(std::vector<Compiled>& specs);

// The first of them, with all findings. A document of spaces alone is no spec, with or without
// layers.
Compiled compile(const Input& input, const catalog::Catalog& catalog,
                 const templates::Set& templates, const CompileOptions& options);

// A spec that no file holds, under a file's name. Comments suppress nothing in it.
Compiled compile(const yaml::Node& spec, std::string_view name, const catalog::Catalog& catalog,
                 const templates::Set& templates, const CompileOptions& options);

// Adds the spec to those of the run. A conflict with an earlier one becomes a finding of this one,
// which then has no artifacts. `file` and `source` are those of the spec; see plan::Defined.
void add_to_run(plan::Defined& run, std::string_view file, const Source& source,
                Compiled& compiled);

// The text of Emit::queues: the Kueue objects of several workloads, each once. Workloads that share
// a queue share its ClusterQueue, so this is for the end of a run.
std::string queues(const kubernetes::QueueNeeds& needs, const templates::Set& templates,
                   bool comments);
// Adds it to the artifacts of those that have a need: each gets the whole of its queue, for all of
// the run.
void add_queues(std::span<Compiled> run, const templates::Set& templates, bool comments);

}  // namespace flexslice
