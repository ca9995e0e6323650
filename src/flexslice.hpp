// The library's public interface: what `flexslice compile`, `check`, `lint` and `import` do, for
// other programs. This header is the only one that is installed; it needs nothing but the standard
// library.
//
//   #include <flexslice/flexslice.hpp>
//   const auto result = flexslice::api::compile(text, {.file = "train.yaml"});
//   for (const auto& workload : result.workloads)
//     std::cout << *workload.find(flexslice::api::Emit::manifests);
//
// Pure: no files, no environment, no clock, no locale, nothing on stdout or stderr. The same
// arguments give the same bytes as the program. Threads: every function may be called from any
// number of threads at the same time; what they share is constant. Errors: a mistake in a spec is a
// finding, never an exception. Functions throw std::bad_alloc; anything else they throw is our bug.
// Time and memory are bounded for hostile input: a document has at most 1 MiB, 64 levels and
// 100,000 nodes after aliases are expanded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace flexslice::api {

// The artifacts, as the words of `--emit`.
enum class Emit : std::uint8_t {
  manifests,  // Kubernetes YAML
  preflight,  // bash
  provision,  // bash
  verify,     // bash
  cleanup,    // bash
  queues,  // Kubernetes YAML; only of workloads with `provisioning.queue`. The whole queue, for all
           // workloads of the result that name it
  plan,    // JSON, by plan.schema.json
  // These are other forms of what the scripts create, so only made if asked for; none where that is
  // nothing.
  terraform,         // JSON
  config_connector,  // Kubernetes YAML
  compute_class,     // Kubernetes YAML; the one that is also the first of the manifests
  picture,           // SVG; only if it is asked for
  volumes,           // Kubernetes YAML; only of workloads with claims that are made
  gcluster,          // bash; only if it is asked for
  blueprint,         // YAML of Cluster Toolkit; only if it is asked for
  status,            // bash: saves what the cluster says, for `flexslice why`
  run,               // bash; only of specs with `places`, for all of them
  multikueue,        // Kubernetes YAML; only if it is asked for: of the manager, and of each place
};

// `manifests`.
std::string_view word(Emit emit);
// `manifests.yaml`, the file's name below `--out-dir DIR/NAME/`. NAME in it is the workload's name.
std::string_view file_name(Emit emit);

enum class Level : std::uint8_t {
  error,
  soft_error,  // rests on a fact that is not certain: artifacts are made nevertheless. The program
               // refuses, unless `--allow CODE`
  warning,
  note,  // of lint, if it is asked for notes
};

// A half-open range in an input. Lines count from 1 in the file, columns from 1 in Unicode code
// points.
struct Place {
  std::string file;  // Options::file, Layer::file, or `--set`; empty: of no input
  int line = 0;      // 0 in all four: the input as a whole, or `--set`
  int column = 0;
  int end_line = 0;
  int end_column = 0;  // just behind the last code point
};

// Replaces the text at `where`. Those of one finding belong together.
struct Fix {
  Place where;
  std::string text;
};

// A second place that a finding is about, and what is there.
struct Related {
  Place where;
  std::string text;
};

struct Finding {
  std::string code;  // `FS3002`; never reused for anything else
  Level level = Level::error;
  Place where;
  std::string message;  // one line, in UTF-8; may quote the input, so escape it for a terminal
  std::vector<std::string> notes;  // facts and arithmetic
  std::vector<std::string> helps;  // what to do
  std::vector<Fix> fixes;          // empty: there is none that is certain
  std::vector<Related> related;
};

struct Artifact {
  Emit emit = Emit::manifests;
  std::string text;  // whole, with its last line break
};

// One document of the input that compiled, or a point of its matrix; behind the points their sweep,
// with the scripts and the queue that they share, and the manifests of all of them again. A spec
// with places gives one for each, and one for what they share.
struct Workload {
  std::string name;  // as in the spec; a DNS label, so safe as a file's name
  std::vector<Artifact> artifacts;
  std::string place =
      {};  // of `places`; a DNS label. Empty: what all places share, or there are none

  // Null when it was not asked for, or there is none.
  const std::string* find(Emit emit) const;
};

struct Result {
  bool ok = false;  // no error, soft ones included: the program would exit with 0
  std::vector<Workload>
      workloads;  // in order; without documents that are empty or have an error that is not soft
  std::vector<Finding> findings;  // in order of documents, then of place
};

// A partial spec that is laid underneath each spec.
struct Layer {
  std::string file;  // what findings call it
  std::string text;
};

struct Options {
  // Findings name the input by this; comments use the part after the last `/`.
  std::string file = "spec.yaml";
  std::vector<Emit> emit = {};         // empty: all but those that are only made if asked for
  bool comments = true;                // explain derived values where they stand
  std::vector<Layer> defaults = {};    // the first lies lowest
  std::vector<std::string> sets = {};  // `tpu.topology=4x4`, put on top of each spec
};

// `specs` is a stream of documents separated by `---`: UTF-8, YAML or JSON.
Result compile(std::string_view specs, const Options& options = {});
// Only the findings.
std::vector<Finding> check(std::string_view specs, const Options& options = {});

struct LintOptions {
  // Findings name the file by this. It decides what the text is: `job.yaml`, `README.md`, `run.sh`.
  std::string file = "manifest.yaml";
  bool notes = false;  // also findings that are only worth a note
};

// Finds mistakes in the Kubernetes objects and gcloud commands of a file, in order of place. Its
// errors are soft: nothing is compiled.
std::vector<Finding> lint(std::string_view text, const LintOptions& options = {});

struct InputFile {
  std::string name;  // as for LintOptions::file
  std::string text;
};

struct ImportResult {
  // Documents separated by `---`, in the order of the workloads; empty where there is none.
  std::string specs;
  // Has the findings of lint about each file, warnings about what a spec cannot keep, and notes
  // about what compile adds. The notes come first, each in order of files, then of place.
  std::vector<Finding> findings;
  bool equal = false;  // the specs compile to the objects and commands of the files, no more
};

// The specs that compile to what the files have together: manifests, scripts, pages.
ImportResult import_files(const std::vector<InputFile>& files);

struct About {
  std::string_view version;         // `1.0.0`
  std::string_view catalog_date;    // of the newest fact built in, `2026-08`
  std::string_view gcloud_version;  // the gcloud whose flags the scripts keep to
};
About about();

}  // namespace flexslice::api
