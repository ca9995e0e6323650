// Many files through the compiler, in order: what compile, check and explain have in common.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "cli/files/specs.hpp"
#include "cli/run/defaults_hint.hpp"
#include "cli/run/fixer.hpp"
#include "cli/run/progress.hpp"
#include "cli/run/settings.hpp"
#include "driver/run.hpp"

namespace flexslice::cli {

// One spec of a document, compiled, with the command line's policy applied.
struct Checked {
  Compiled compiled;  // `ok` is false when an error is left
  std::string_view file;
  int line = 1;  // where the document begins in the file
};

struct BatchOptions {
  CompileOptions compile;
  unsigned jobs = 1;       // threads
  Fixer* fixer = nullptr;  // applies the fixes that findings carry
  // The one says whether specs that contradict an earlier one are errors, the other whether the
  // first such error ends the run, because what the earlier one gave has been printed.
  bool conflicts = false, ends_at_conflict = false;
  // Called in the order of the input, by one thread at a time. May throw Failure, which ends the
  // work on this document alone.
  std::function<void(const Checked&)> document;
};

class Batch {
 public:
  // `say` writes findings: print or print_error. `shows_results`: results appear on stdout one by
  // one.
  Batch(const Run& run, void (*say)(std::string_view), bool shows_results);

  // Ends early when stdout is gone. Where conflicts count, the files must outlive this.
  void files(std::span<const SpecFile> files, const BatchOptions& options);

  // Some formats write something before all findings, and after.
  void begin();
  void end();

  // The highest so far: `findings` after an error, `io_error` for a file that cannot be read.
  int status() const;
  // How many are fine and how many not, on stderr; of a single one at most that it is fine.
  // `skipped`: files that are not taken for specs.
  enum class Single : std::uint8_t { silent, said };
  void summary(std::size_t skipped, Single single = Single::silent) const;

 private:
  struct InputFile;
  struct Piece;
  class Feed;

  void work(Piece& piece, const BatchOptions& options) const;
  void emit(Piece& piece, const BatchOptions& options);
  void emit_document(Piece& piece, const BatchOptions& options);
  void find_conflict(Piece& piece, const BatchOptions& options);
  void judge_run();
  void emit_end(InputFile& file, const BatchOptions& options);
  template <class Action>
  void attempt(Action action);

  const Run& run_;
  DefaultsHint hint_;
  void (*say_)(std::string_view);
  diag::Rendering rendering_;
  Progress progress_;
  int status_ = fine;
  std::size_t good_ = 0, bad_ = 0, unread_ = 0;
  std::size_t between_ = 0;  // errors that several specs make together
  plan::Defined specs_;
  std::set<std::pair<Span, std::string>> shared_;  // findings about what all specs have
  bool ended_ = false;                             // by a conflict
  std::shared_ptr<InputFile> current_;
  // These describe the current file:
  int line_shift_ = 0;    // lines that fixes have added so far
  bool fixable_ = false;  // a finding is left that has a fix
};

}  // namespace flexslice::cli
