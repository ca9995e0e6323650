// Compares the files of a run: node pools that one creates and pods of another select by name, in a
// folder; Services that pods name, and the pods of Kueue's flavors, in all.
// The files come in the order in which they are linted.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "driver/lint_file.hpp"

namespace flexslice::lint {

// The release of Kueue that a spec states, and where.
struct StatedKueue {
  std::string release, file;
  Position at;
};
// Returns the releases that the specs of a file state.
std::vector<StatedKueue> stated_kueue(const std::string& name, std::string_view text);

class Folders {
 public:
  struct Findings {
    Sources sources;
    std::vector<diag::Diagnostic> diagnostics;
  };

  // Adds a file. Gives what is to be said of the folder before, if this one is in another.
  std::optional<Findings> add(const Source& file, rules::FileSummary summary);
  // Names a file of a folder, read or not: a kustomization makes it a base, whose overlays may add
  // what is missing.
  void has_file(std::string_view name);
  // A spec of the run, which judges what the files leave open.
  void has_kueue(StatedKueue stated) { kueue_.push_back(std::move(stated)); }
  // What is to be said of the last folder.
  std::optional<Findings> end();

  // Whether files without TPUs may have what others lack.
  bool is_open() const { return !open_.empty(); }
  // After all files.
  Findings end_of_run(const catalog::Catalog& catalog);

 private:
  struct FolderFile {
    Source source;
    rules::FileSummary summary;
  };
  void judge_hosts(const rules::NamedHosts& hosts, std::string_view folder, diag::Sink& sink) const;
  void judge_dropped(const rules::DroppedVersion& object, diag::Sink& sink) const;

  std::set<std::string, std::less<>> bases_;  // folders
  std::string folder_;
  std::vector<FolderFile> files_;  // of the folder, those that name pools
  std::vector<FolderFile> open_;   // of the run
  std::vector<rules::Placed<view::ServiceClaims>> services_;
  std::vector<rules::Placed<view::PolicyClaims>> policies_;
  std::vector<StatedKueue> kueue_;
  rules::RunDisks disks_;
  rules::Queues queues_;
};

}  // namespace flexslice::lint
