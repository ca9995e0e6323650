// Many files through lint, in order.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/files/tree.hpp"
#include "cli/run/baseline.hpp"
#include "cli/run/fixer.hpp"
#include "cli/run/module.hpp"
#include "cli/run/progress.hpp"
#include "cli/run/settings.hpp"
#include "driver/lint_file.hpp"
#include "driver/lint_folders.hpp"

namespace flexslice::cli {

struct LintBatchOptions {
  lint::RuleOptions rules;
  std::vector<diag::Code> only;      // empty: all
  std::vector<std::string> exclude;  // patterns
  std::string stdin_name = "<stdin>";
  unsigned jobs = 1;             // threads
  Fixer* fixer = nullptr;        // applies the fixes that findings carry
  Baseline* baseline = nullptr;  // findings that are not reported
  bool writes_baseline = false;  // the findings go into the baseline instead
  // Gets where pods are placed, of all files as one run; nothing else is written then.
  std::vector<diag::Diagnostic>* placement = nullptr;
};

class LintBatch {
 public:
  // `say` writes findings: print or print_error. Everything must outlive this.
  LintBatch(const Run& run, const LintBatchOptions& options, void (*say)(std::string_view));

  // Files and directories, `-` for stdin. Ends early when stdout is gone.
  void files(std::span<const std::string> words);

  // `findings` after an error, `io_error` for a file that cannot be read.
  int status() const;
  // `2 errors, 1 warning`; empty: none.
  std::string counted_findings() const;
  std::size_t with_tpus() const { return with_tpus_; }
  // Writes the baseline, and the summary, on stderr.
  void end();

 private:
  struct File;
  struct Chunk;
  class Feed;

  void work(Chunk& chunk) const;
  void take(File& file, std::string& buffer) const;
  std::optional<std::string_view> read_walked(File& file, std::string& buffer) const;
  bool judges_all(const File& file) const;
  void judge(File& file) const;
  void sort_out(File& file) const;
  void emit(File& file);
  void compare_folder(File& file);
  void find_base(const std::string& path);
  std::optional<lint::AddedFile> complete(const std::string& path) const;
  void compare_run();
  void emit_folder(std::optional<lint::Folders::Findings> folder);
  std::vector<diag::Diagnostic> take_known(lint::Folders::Findings& folder);
  void drop_unasked(std::vector<diag::Diagnostic>& findings) const;
  void emit_findings(const Sources& sources, std::span<const diag::Diagnostic> findings);
  void fix(const File& file);
  void keep_baseline(const File& file);
  void count_stale();
  template <class Action>
  void attempt(Action action);
  template <class Render>
  void show(Render render);

  const Run& run_;
  const LintBatchOptions& options_;
  void (*say_)(std::string_view);
  diag::Rendering rendering_;
  Progress progress_;
  int status_ = fine;
  std::span<const std::string> named_;
  bool compares_ = false;  // there is more than one file
  mutable Modules modules_;
  mutable Neighbours neighbours_;
  std::set<FileId> not_walked_;  // files that are named, and the baseline
  LeftOut left_out_;
  std::size_t files_ = 0, with_tpus_ = 0, unread_files_ = 0, unread_fragments_ = 0;
  std::size_t specs_ = 0, large_ = 0, binary_ = 0, others_ = 0;
  std::size_t known_ = 0, stale_ = 0;
  std::map<std::string, KnownFindings> unmatched_;  // of the baseline, by their file
  std::map<std::string, KnownFindings> recorded_;   // that compare files, by theirs
  std::set<std::string> compared_;                  // files whose findings are all known
  lint::Folders folders_;
  std::vector<std::string> completing_;  // files without TPUs that may have what others lack
  std::vector<std::string> belonging_;   // files without TPUs, but with objects
  std::set<std::string, std::less<>> folders_with_tpus_;
  std::array<std::size_t, 4> levels_{};  // findings by diag::Level
};

}  // namespace flexslice::cli
