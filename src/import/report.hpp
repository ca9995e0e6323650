// Reports an import: what it could not keep, what compile adds, what it did not use.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "catalog/catalog.hpp"
#include "diag/diag.hpp"
#include "import/synthesis.hpp"

namespace flexslice::imports {

class Report {
 public:
  // The sink has the findings of lint.
  Report(const catalog::Catalog& catalog, diag::Sink& sink)
      : catalog_(catalog), sink_(sink), found_by_lint_(sink.found().size()) {}

  // Marks what the spec was made of as used, and comments values that do not compile.
  void spec(Synthesis& synthesis, Material& input);
  // Reports an earlier spec of the same name, place and kind: `where` has the name.
  void name(const yaml::Value& spec, Span where);
  // Returns true if no spec can describe the workload. Then what belongs to it is not reported
  // again.
  bool refuse(const FoundWorkload& workload, const Parts& parts, Material& input);
  // Reports objects and commands that fit no workload.
  void rest(const Material& input, std::size_t workloads);
  bool is_equal() const { return equal_; }

 private:
  // Reports what the specs do not keep.
  template <diag::Code code>
  diag::Diagnostic& lose(auto&&... parts) {
    equal_ = false;
    return sink_.report<code>(std::forward<decltype(parts)>(parts)...);
  }
  void refuse_part(const FoundObject& object);
  void refuse_claims(const FoundObject& object);
  void count_of_replicas(const FoundObject& object, const yaml::Value& compiled,
                         const Material& input);
  void refuse_launch(const Launch& launched);
  void launch(const Launch& launched);
  bool is_found_by_lint(std::string_view message) const;
  void compare_objects(Synthesis& synthesis, Material& input);
  void compare_commands(const Synthesis& synthesis, const Material& input);
  void refusals(const Synthesis& synthesis, const Material& input);
  void misfits(diag::Diagnostic& report, const NodeCommand& pool, const Material& input) const;
  bool is_for_more_slices(const NodeCommand& pool, const Material& input) const;
  void compare_flags(const NodeCommand& input, const NodeCommand& compiled,
                     const Synthesis& synthesis);
  void faults(Synthesis& synthesis, const FoundObject& object);
  void variables(const Synthesis& synthesis, const FoundObject& object);
  void unkept(const FoundObject& object);

  const catalog::Catalog& catalog_;
  diag::Sink& sink_;
  const std::size_t found_by_lint_;
  bool equal_ = true;
  std::vector<std::size_t> used_commands_;
  std::set<const Launch*> launches_;
  std::set<std::pair<std::uint32_t, std::string>> unkept_;  // by the file
  std::map<std::string, Span> named_;                       // specs, by all that names them
};

}  // namespace flexslice::imports
