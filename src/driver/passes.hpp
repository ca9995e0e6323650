// The passes of one spec in order. Pure: no files, no clock, no environment; the same input gives
// the same bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "backend/kubernetes/multikueue.hpp"
#include "backend/template/template.hpp"
#include "catalog/catalog.hpp"
#include "diag/diag.hpp"
#include "driver/artifacts.hpp"
#include "plan/conflicts.hpp"
#include "plan/plan.hpp"
#include "rules/upgrade.hpp"
#include "spec/matrix.hpp"
#include "yaml/node.hpp"

namespace flexslice {

struct CompileOptions {
  std::vector<Emit> emit;  // empty, and nothing of what is below: only check
  bool comments = true;    // explain derived values where they stand
  bool explain = false;    // fill Compiled::explanation
  bool objects = false;    // fill Compiled::objects
  bool notes = false;      // also report what is only worth knowing
  // Specs are judged as after these.
  std::span<const rules::Upgrade> upgrades = {};
};

struct Compiled {
  std::string name;  // of the workload or the sweep; empty when it is not known
  // The name of the sweep that the spec is a point of, and the values of that point, `LR=0.1,
  // topology=4x8`. The sweep itself has no values.
  std::string sweep = {}, values = {};
  // The place that the spec is for; empty, with `of_places`: what its places share.
  std::string place = {};
  bool of_places = false;
  std::vector<Artifact> artifacts = {};
  std::map<Emit, std::string_view> why_empty = {};  // of wanted ones that are not there
  // When Emit::queues is wanted and the workload has a queue: for `queues`. Of a sweep those of all
  // points, which have none then.
  std::vector<kubernetes::QueueNeed> queue_needs = {};
  std::string explanation = {};  // the plan in words
  // The manifests come first, then the queue of this spec alone.
  std::vector<yaml::Value> objects = {};
  std::vector<yaml::Value> volumes = {};  // with them: the objects of volumes.yaml
  gcloud::Scripts scripts = {};           // with them, where a script is wanted
  // The spec defines these, which may conflict with other specs of the run.
  std::vector<plan::Resource> resources = {};
  // In order of place; before any policy of the command line.
  std::vector<diag::Diagnostic> diagnostics = {};
  bool ok = false;  // artifacts are complete

  // Below the output directory: `train`, or `train/us` for a place.
  std::string folder() const { return place.empty() ? name : name + "/" + place; }
};

// A point leaves these parts to its sweep, which prints them once.
struct PointParts {
  plan::Plan plan;
  std::vector<yaml::Value> shared;  // by artifact
  yaml::Value document;             // the plan
};

// The passes begin with this.
struct SpecTree {
  const yaml::Node& tree;
  std::uint32_t source;                     // in which a name is shown
  std::string_view name;                    // of the file
  const spec::SweepPoint* point = nullptr;  // with `parts`
  PointParts* parts = nullptr;
  std::string_view place = {};                  // of `places`, with the next
  kubernetes::WorkerPlace* of_place = nullptr;  // filled for what places share
};

bool is_wanted(const CompileOptions& options, Emit emit);

// As far as the spec allows; each pass says in the sink why it stops.
void run_passes(const SpecTree& spec, const catalog::Catalog& catalog,
                const templates::Set& templates, const CompileOptions& options, Compiled& compiled,
                diag::Sink& sink);

}  // namespace flexslice
