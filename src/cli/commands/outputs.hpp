// Writes artifacts to stdout, into one file, or into a directory for each workload; with dep files
// for make. For --check nothing is written, and the differences are shown.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/files/output.hpp"
#include "cli/run/batch.hpp"

namespace flexslice::cli {

struct Destination {
  std::string file;       // -o; empty: not given
  std::string directory;  // --out-dir; empty: not given
  bool check = false;
  bool diff = false;     // `check` shows missing files and those no longer made in full
  bool prune = false;    // delete outputs that no spec makes any more
  bool forget = false;   // with `prune`: also where cleanup.sh may still be needed
  bool whole = false;    // the specs are all that there are: directories were given
  std::string update;    // arguments of the `compile` that writes what `check` compares
  bool dep = false;      // write dep files
  std::string dep_file;  // -MF; empty: next to the output
  std::vector<std::string> prerequisites;  // of every output, besides its spec
  std::vector<Emit> emit;
  Inputs inputs;
  std::function<std::string(const kubernetes::QueueNeeds&)> queues;  // the text of Emit::queues

  bool to_stdout() const { return file.empty() && directory.empty(); }
};

class OutputFiles {
 public:
  explicit OutputFiles(const Destination& destination);

  // A document without errors. May throw Failure.
  void add(const Checked& checked);
  // After the last one: writes what belongs to all, such as queues. `good`: nothing has failed.
  // Returns the exit status.
  int finish(bool good);
  // How many files a directory got; empty where that is not the output.
  std::string summary() const;

 private:
  // For make: every target depends on every spec.
  struct MakeRule {
    std::vector<std::string> targets, specs;
  };
  // A workload with a queue, kept until every spec has said what it needs of the queue. `others`:
  // its other outputs.
  struct Queued {
    kubernetes::QueueNeed need;
    std::string workload;
    MakeRule others;
  };

  void add_to_directory(const Checked& checked);
  void claim_name(const Checked& checked);
  FilePlace place_in(const Descriptor& directory, const std::string& workload, Emit emit) const;
  void put(std::string_view text);
  void put(const FilePlace& place, std::string_view text, const std::vector<std::string>& specs);
  void finish_file();
  void finish_queues();
  void put_queue(const Queued& queued, const std::string& text,
                 const std::vector<std::string>& specs);
  void compare(const FilePlace& place, std::optional<std::string_view> wanted);
  void warn_of_leftovers(const FilePlace& plan, std::string_view wanted);
  void drop(const FilePlace& place);
  void drop_workloads();
  std::string check_summary() const;
  std::int64_t newest_of(const std::vector<std::string>& specs) const;
  void add_rules(const std::vector<MakeRule>& rules, const std::string& workload);

  const Destination& to_;
  OutputDirectory directory_;
  std::unique_ptr<OutputFile> file_, deps_;
  std::string collected_;           // for the check of -o
  std::vector<std::string> specs_;  // that went into -o, and of queues with several
  std::size_t documents_ = 0;
  std::map<std::string, std::string, std::less<>> names_;  // of workloads, with `FILE:LINE`
  std::vector<Queued> queued_;
  std::int64_t newest_ = 0;                              // time of the newest prerequisite
  std::size_t differing_ = 0, missing_ = 0, stale_ = 0;  // found by --check
  std::string leftovers_;  // what replaced plans made, to say at the end
  std::size_t written_ = 0, unchanged_ = 0, deleted_ = 0;  // in the directory
  int status_ = fine;                                      // of `finish`
};

}  // namespace flexslice::cli
