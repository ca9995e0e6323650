// The findings that a repository has when it begins to use lint, so that only new ones count: a
// file to review and to commit.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "base/source.hpp"
#include "diag/diag.hpp"
#include "yaml/node.hpp"

namespace flexslice::cli {

// A finding keeps these when the lines of its file move.
struct KnownFinding {
  std::string code, message;
  std::string line;  // the text of the line where it begins

  KnownFinding(const Source& source, const diag::Diagnostic& finding);
  KnownFinding(std::string its_code, std::string its_message, std::string its_line);
  friend bool operator<(const KnownFinding& a, const KnownFinding& b) {
    return std::tie(a.code, a.message, a.line) < std::tie(b.code, b.message, b.line);
  }
};
using KnownFindings = std::map<KnownFinding, std::size_t>;  // how many of each
// A row whose code was merged into another since it was written has no message, and matches any.
// False: there is none.
bool take_one(KnownFindings& known, KnownFinding finding);

class Baseline {
 public:
  explicit Baseline(const std::string& path);
  const std::string& path() const { return path_; }

  // Throws Failure when the file is missing, unless it may be, or is no baseline.
  void read(bool may_be_missing);
  // Whole or not at all. Throws Failure.
  void write() const;

  // A file goes by its path from the current directory. May be called from several threads.
  const KnownFindings& of(const std::string& file) const;
  // The file was judged.
  void judged(const std::string& file) { judged_.insert(name_of(file)); }
  void replace(const std::string& file, KnownFindings findings);
  // Adds findings to a file. Of a file that this run did not judge, their old counts are replaced.
  void add(const std::string& file, const KnownFindings& findings);

  // How many findings are in files that were not judged and are gone. Forgets them.
  std::size_t drop_gone();
  // All findings, and the files that have some.
  std::size_t size() const;
  std::size_t files() const { return known_.size(); }

 private:
  std::string name_of(const std::string& file) const;
  bool add(const yaml::Node& document);

  std::string path_;
  std::filesystem::path directory_;  // names of files are relative to it
  std::map<std::string, KnownFindings> known_;
  std::set<std::string> judged_;
};

}  // namespace flexslice::cli
