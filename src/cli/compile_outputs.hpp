// Where artifacts go: to stdout, into one file, or into a directory for each workload; with what
// make wants to know about them. For
// --check nothing is written, and what differs is shown. compile.cpp calls it.
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

#include "cli/batch.hpp"
#include "cli/io_write.hpp"

namespace flexslice::cli {

struct Destination {
  std::string file;       // -o; empty: not given
  std::string directory;  // --out-dir; empty: not given
  bool check = false;
  bool dep = false;                        // write dep files
  std::string dep_file;                    // -MF; empty: beside the output
  std::vector<std::string> prerequisites;  // of every output, beside its spec
  std::vector<Emit> emit;
  Inputs inputs;
  std::function<std::string(const kubernetes::QueueNeeds&)> queues;  // the text of Emit::queues

  bool to_stdout() const { return file.empty() && directory.empty(); }
};

class Outputs {
 public:
  explicit Outputs(const Destination& destination);

  // A document that is fine. Gives an exit status, like `finish`.
  int add(const Checked& checked);
  // After the last one: writes what belongs to all, such as queues. `good`: no spec had an error.
  int finish(bool good);

 private:
  // For make: every target depends on every spec.
  struct Rule {
    std::vector<std::string> targets, specs;
  };
  // A workload with a queue, kept until every spec has said what it needs of the queue. `made`: its
  // other outputs.
  struct Queued {
    kubernetes::QueueNeed need;
    std::string workload;
    Rule made;
  };

  int add_text(const Compiled& compiled);
  int add_directory(const Checked& checked);
  bool claim(const Checked& checked);
  bool write(OutputFile& file, std::int64_t newest, Failure& failure) const;
  int finish_file();
  int finish_queues();
  int finish_queue(const std::vector<const Queued*>& members, const std::string& text);
  int write_queue(const Queued& queued, const std::string& text,
                  const std::vector<std::string>& specs);

  int compare(int directory, const std::string& name, const std::string& shown,
              std::string_view wanted);
  int report_stale(int directory, const std::string& name, const std::string& shown);
  int check_summary() const;

  std::int64_t newest_for(const std::string& spec) const;
  int add_rules(const std::vector<Rule>& rules, const std::string& workload);

  const Destination& to_;
  OutputDirectory directory_;
  std::unique_ptr<OutputFile> file_, deps_;
  std::string collected_;           // for the check of -o
  std::vector<std::string> specs_;  // that went into -o
  std::size_t documents_ = 0;
  struct Place {
    std::string file;
    int line;
  };
  std::map<std::string, Place, std::less<>> names_;
  std::vector<Queued> queued_;
  std::int64_t newest_ = 0;  // time of the newest prerequisite
  std::size_t differing_ = 0, missing_ = 0, stale_ = 0;
};

}  // namespace flexslice::cli
