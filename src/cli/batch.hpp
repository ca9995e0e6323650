// Many files through the compiler, in order: what compile and check have in common.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "cli/options.hpp"
#include "driver.hpp"

namespace flexslice::cli {

// One document, compiled, with the command line's policy applied.
struct Checked {
  Compiled compiled;     // `ok` is false when an error is left
  std::string findings;  // rendered
};

class Batch {
 public:
  explicit Batch(const Run& run);

  // Calls `each` for every document of the file; it gives an exit status. Returns the highest of them, or `io_error`.
  int file(const std::string& path, const CompileOptions& options, const std::function<int(const Checked&)>& each);

  diag::Rendering& rendering() { return rendering_; }
  // `findings` when there was an error.
  int status() const;
  // How many are fine and how many not, on stderr; says nothing about a single one.
  void summary() const;
  bool failed() const { return bad_ > 0; }

 private:
  Checked document(Source source, const CompileOptions& options);

  const Run& run_;
  diag::Rendering rendering_;
  std::size_t good_ = 0;
  std::size_t bad_ = 0;
};

}  // namespace flexslice::cli
