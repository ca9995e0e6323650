// What an import says: what it could not keep, what compile adds, what it did not use.
// import.cpp calls it.
#pragma once

#include <vector>

#include "diag/diag.hpp"
#include "import/synthesis.hpp"
#include "import/xpk.hpp"

namespace flexslice::imports {

class Report {
 public:
  explicit Report(diag::Sink& sink) : sink_(sink) {}

  // Marks what the spec was made of as used.
  void spec(Synthesis& synthesis, Material& input);
  // What fits no workload.
  void rest(const Material& input, std::size_t workloads);
  // The spec, as it is written.
  yaml::Value xpk(const Command& command, XpkSpec made, const Compiler& compiler);
  bool is_equal() const { return equal_; }

 private:
  void compare_objects(Synthesis& synthesis, Material& input);
  void compare_commands(const Synthesis& synthesis, const Material& input);
  void compare_flags(const Command& input, const Command& compiled);
  void faults(Synthesis& synthesis, const FoundObject& object);
  void variables(const Synthesis& synthesis, const FoundObject& object);

  diag::Sink& sink_;
  bool equal_ = true;
  std::vector<std::size_t> used_commands_;
};

}  // namespace flexslice::imports
