// Compares the files of a run: node pools with the pods, clusters, policies and autoscalers of
// other files, in a folder; Services that pods name, queues and flavors of Kueue, in all. The
// files come in the order in which they are linted.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "driver/lint_file.hpp"

namespace flexslice::lint {

using rules::StatedRelease;
// A fast search, which finds some texts too many.
bool may_state_release(std::string_view text);
// Returns the releases that the specs of a file state, or that commands of another file install.
std::vector<StatedRelease> stated_releases(const catalog::Catalog& catalog, const std::string& name,
                                           std::string_view text, bool is_spec);

// A file of the folder that was not added, where it may have what the others lack.
struct AddedFile {
  Source source;
  rules::FileSummary summary;
};
using Complete = std::function<std::optional<AddedFile>(const std::string& name)>;

class Folders {
 public:
  struct Findings {
    Sources sources;
    std::vector<diag::Diagnostic> diagnostics;
  };

  // `complete`: reads a file that was named alone, in a folder with pools that lack something.
  explicit Folders(const catalog::Catalog& catalog, Complete complete = {})
      : catalog_(catalog), complete_(std::move(complete)) {}
  // Says where pods are placed, too; `as_one`: all folders are one.
  void list_placement(bool as_one) { lists_ = true, is_one_ = as_one; }

  // Adds a file. Gives what is to be said of the folder before, if this one is in another.
  std::optional<Findings> add(const Source& file, rules::FileSummary summary);
  // Takes findings of the file that was added last, or of its folder, that are none if another file
  // has what this one lacks. Those of them that stay are among the findings of the run.
  void hold(const Sources& file, std::vector<diag::Diagnostic>& findings);
  // Names a file of a folder, read or not: a kustomization makes it a base, whose overlays may add
  // what is missing.
  void has_file(std::string_view name);
  // Adds a release that somebody states, since objects of an old version are no mistake for one
  // that serves it.
  void has_release(StatedRelease stated) { releases_.push_back(std::move(stated)); }
  // Returns the findings of the last folder.
  std::optional<Findings> end();

  // Says whether files without TPUs may have what others lack.
  bool is_open() const { return !open_.empty() || !comments_.empty() || !held_.empty(); }
  // Says whether the file has a name that the run lacks, or is in a folder that lacks something.
  bool may_answer(const Source& file);
  // After all files.
  Findings end_of_run();

 private:
  // A comment that allows what is found later, and the file that has it.
  struct Comment {
    Source file;
    diag::AllowedLine line;
  };

  struct HeldFile {
    Source source;
    std::vector<diag::Diagnostic> findings;
  };

  // The run names these and lacks them; read once for all files that may have them.
  struct Sought {
    std::set<std::string, std::less<>> names = {}, texts = {}, folders = {};
    std::size_t open = 0;  // files, when it was read

    void add(const std::string& name);
    bool is_named_in(std::string_view text) const;
  };
  Sought sought() const;

  // Drops held findings about a file to which `answers` says yes for one of their reasons.
  static void drop_answered(HeldFile& file, const auto& answers);
  // By the nodes, and the bindings, of the folder.
  void drop_placed(const rules::World& nodes, std::span<const std::string> files);
  std::span<HeldFile> held_in(std::string_view folder);
  void give_held(Findings& findings);
  void give_file(HeldFile& held, Findings& findings) const;
  // Drops what comments allow.
  void drop_allowed(Findings& findings);
  // Reports comments that allow nothing.
  void judge_comments(Findings& findings) const;
  // Reads what the files of the folder may lack in those that were named alone.
  void complete_folder();
  void judge_hosts(const rules::NamedHosts& hosts, std::string_view folder, diag::Sink& sink) const;
  // `is_judged`: for itself, and not only because others name it.
  void judge_need(const rules::ReleaseNeed& need, const Source& file, diag::Sink& sink) const;
  std::vector<const StatedRelease*> releases_for(std::string_view controller,
                                                 std::string_view file) const;
  void judge_names(std::span<const rules::ObjectReference> references, std::string_view folder,
                   diag::Sink& sink) const;
  void judge_program(rules::Program program, std::string_view folder, diag::Sink& sink) const;
  void judge_queued(const rules::QueuedPods& pods, const rules::Queues& of_file,
                    std::string_view file, diag::Sink& sink) const;

  // Returns whether the files are for different clusters, as far as commands beside them say.
  bool are_apart(std::string_view file, std::string_view other) const;
  std::set<std::string_view> clusters_of(std::string_view file) const;

  std::string_view folder_in(std::string_view file) const {
    return is_one_ ? std::string_view() : folder_of(file);
  }

  const catalog::Catalog& catalog_;
  Complete complete_;
  bool lists_ = false, is_one_ = false;
  std::set<std::string, std::less<>> bases_;  // folders
  std::string folder_;
  std::set<std::pair<std::string, std::string>> clusters_;  // that files of a folder name
  std::vector<AddedFile> files_;                            // of the folder, those with nodes
  std::vector<std::string> others_;  // names of files, those of the folder among them
  std::size_t most_others_ = 1024;
  std::vector<AddedFile> open_;  // of the run
  std::optional<Sought> sought_;
  std::map<std::string, std::vector<HeldFile>, std::less<>> held_;  // by folder
  std::vector<std::pair<std::string, rules::PodLabels>> labels_;    // of the folder, by their file
  std::vector<Comment> comments_;
  std::vector<rules::Placed<view::ServiceClaims>> services_;
  std::vector<rules::Placed<view::PolicyClaims>> policies_;
  std::vector<rules::Placed<view::NamespaceClaims>> namespaces_;
  std::vector<rules::Placed<view::ClusterQueueClaims>> cluster_queues_;
  std::vector<rules::MadeObject> made_;
  std::vector<std::pair<std::string, rules::ConfigMap>> configs_;  // by their file
  std::vector<StatedRelease> releases_;
  rules::RunDisks disks_;
  rules::Queues queues_;
};

}  // namespace flexslice::lint
