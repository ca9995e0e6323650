// Many files through the compiler, in order: what compile and check have in common.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/batch_progress.hpp"
#include "cli/files.hpp"
#include "cli/options.hpp"
#include "driver.hpp"

namespace flexslice::cli {

// One document, compiled, with the command line's policy applied.
struct Checked {
  Compiled compiled;     // `ok` is false when an error is left
  std::string findings;  // rendered
  std::string_view file;
  int line = 1;           // where the document begins in the file
  std::string text;       // with `fix`: of the document, mended
  std::size_t fixed = 0;  // how many findings that took
};

struct BatchOptions {
  CompileOptions compile;
  unsigned jobs = 1;  // threads
  // Applies the fixes that findings carry, until there are none, to the files for which this gives
  // no failure.
  std::function<std::optional<Failure>(const std::string& path)> fix;
};

// What is done with the results: called in the order of the input on the thread that called,
// whatever the number of jobs. Each gives an exit status; those that are not set count as `fine`.
struct Visitor {
  std::function<int(const Checked&)> document;
  // With `fix`, for each file that may be mended: it begins, as it was written at that time (see
  // modified_at); text that belongs to no document; it has been read, to its end or not.
  std::function<int(const std::string& path, std::int64_t modified)> begin;
  std::function<int(std::string_view text)> other;
  std::function<int(bool whole)> end;
};

class Batch {
 public:
  // `speaks`: stdout shows results as they come.
  explicit Batch(const Run& run, bool speaks = false);

  // Returns the highest status of all: those of the visitor, `io_error` for a file that cannot be
  // read. Ends early when stdout is gone.
  int files(std::span<const SpecFile> files, const BatchOptions& options, const Visitor& visitor);
  // One file, in this thread.
  int file(const std::string& path, const CompileOptions& options,
           const std::function<int(const Checked&)>& each);

  // What formats write before all findings, and after.
  std::string begin();
  std::string end();
  // Before the visitor writes to stderr or to a terminal by itself.
  void quiet() { progress_.clear(); }

  // `findings` when there was an error.
  int status() const;
  bool failed() const { return bad_ > 0; }
  // How many are fine and how many not, on stderr; says nothing about a single one.
  void summary() const;

 private:
  struct Item;
  using Chunk = std::vector<Item>;
  class Feed;

  void work(Item& item, const BatchOptions& options) const;
  Sources sources_of(Source source) const;
  Compiled compile_once(const Sources& sources, const CompileOptions& options) const;
  int consume(Item& item, const Visitor& visitor);
  int consume_document(Item& item, const Visitor& visitor);
  int consume_end(Item& item, const Visitor& visitor);

  const Run& run_;
  diag::Rendering rendering_;
  Progress progress_;
  std::size_t good_ = 0, bad_ = 0, unread_ = 0;
  // Of the file that is at hand:
  int line_shift_ = 0;    // lines that fixes have added so far
  bool fixable_ = false;  // something is left that a fix could mend
};

// `--jobs` and `--only-specs`.
void add_batch(cxxopts::Options& options);
struct BatchWords {
  unsigned jobs = 1;
  bool only_specs = false;
};
std::optional<int> read_batch(const cxxopts::ParseResult& parsed, BatchWords& words);

}  // namespace flexslice::cli
