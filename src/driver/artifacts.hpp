// Every artifact once: its names, and what it is made of.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backend/gcloud/scripts.hpp"
#include "backend/kubernetes/queues.hpp"
#include "backend/template/template.hpp"
#include "base/text.hpp"
#include "diag/diag.hpp"
#include "flexslice.hpp"
#include "plan/plan.hpp"
#include "plan/prerequisites.hpp"
#include "yaml/value.hpp"

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

// The back ends make these of a plan.
struct Outputs {
  // A constructor, because an initializer list clears all 23 KiB first.
  Outputs(const plan::Plan& of, const templates::Set& by, const catalog::Catalog& facts,
          bool with_comments, std::vector<yaml::Value> made)
      : plan(of),
        templates(by),
        catalog(facts),
        comments(with_comments),
        objects(std::move(made)) {}

  const plan::Plan& plan;
  const templates::Set& templates;
  const catalog::Catalog& catalog;
  bool comments;
  std::vector<yaml::Value> objects, queues;
  std::vector<kubernetes::QueueNeed> queue_needs;  // one, or those of teams
  plan::Needed needed;
  gcloud::Scripts scripts;
};

// The header of an artifact names its workload, or the sweep that it is for.
struct ArtifactHeader {
  std::string_view name, summary, source;
  bool comments;
};
ArtifactHeader header_of(const Outputs& outputs);
// The text of Emit::multikueue; `whose` objects they are, in words.
std::string print_multikueue(std::string_view whose, const ArtifactHeader& header,
                             std::span<const yaml::Value> objects);

// A script, what a function prints, or a template of the whole document, with one that lists the
// fields that its format lacks. Points of a sweep share scripts and documents.
struct ArtifactRow {
  EmitRow names;
  yaml::Value gcloud::Scripts::*script = nullptr;
  std::string (*print)(const Outputs& outputs) = nullptr;
  std::string_view document = {}, lacking = {};
  // Says why the artifact of a plan has nothing in it.
  std::string_view (*why_empty)(const plan::Plan& plan) = nullptr;

  bool is_shared() const { return script != nullptr || !document.empty(); }
};
std::span<const ArtifactRow> artifact_rows();

// Points of a sweep unite this value before it is printed.
yaml::Value shared_value(const Outputs& outputs, const ArtifactRow& row);
// The objects of volumes.yaml.
std::vector<yaml::Value> volume_objects(const Outputs& outputs);
// Empty where the template has nothing to say of the plan.
std::string print_shared(const ArtifactRow& row, yaml::Value value, const ArtifactHeader& header,
                         const templates::Set& templates);
// The plan of the artifact, with the queue's amounts.
yaml::Value plan_value(const Outputs& outputs);

// Reports that another tool owns what the artifact describes.
void check_owner(const Outputs& outputs, const ArtifactRow& row, const spec::Provisioning& claims,
                 diag::Sink& sink);

// Reports what the plan has and the artifact's format lacks, or the stated release of the program
// that reads it, each field once.
void check_fields(const Outputs& outputs, const ArtifactRow& row, const yaml::Node& spec,
                  diag::Sink& sink);

// The text of Emit::queues: the Kueue objects of several workloads, each once. Workloads that share
// a queue share its ClusterQueue, so this is for the end of a run.
std::string queues(const kubernetes::QueueNeeds& needs, const templates::Set& templates,
                   bool comments);

// Different words in the order in which they come; only the first few are kept.
class Mentions {
 public:
  void add(std::string word) {
    const auto [place, is_new] = all_.insert(std::move(word));
    if (is_new && first_.size() < most) first_.push_back(*place);
  }
  const std::vector<std::string>& first() const { return first_; }
  std::string text() const {
    const std::string named = text::join(first_, ", ");
    return first_.size() == all_.size()
               ? named
               : fmt::format("{} and {} more", named, all_.size() - first_.size());
  }

 private:
  static constexpr std::size_t most = 8;
  std::set<std::string> all_;
  std::vector<std::string> first_;
};

}  // namespace flexslice
