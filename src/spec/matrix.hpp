// The points of a sweep: a spec with `matrix` is the specs of all combinations of its values. Done
// on nodes, as one more layer, so that every value keeps the place where it was written, and no
// later pass knows of sweeps.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "diag/diag.hpp"
#include "spec/claims.hpp"
#include "yaml/node.hpp"

namespace flexslice::spec {

inline constexpr std::string_view sweep_label = "flexslice-sweep";

// Points may differ only by some fields, such as `tpu.topology`.
bool may_vary(std::string_view path);

struct PointSpec {
  yaml::Node tree;
  std::string values;  // `LR=0.1, topology=4x8`
  SweepPoint claim;
};

class Sweep {
 public:
  // `spec` has a `matrix`. There are no points where the sink has an error.
  Sweep(yaml::Node spec, diag::Sink& sink);

  const std::string& name() const { return name_; }
  std::size_t size() const { return points_.size(); }
  PointSpec point(std::size_t index) const;
  // A sweep without points is judged by these instead: the spec with each value of the matrix. It
  // has none if the matrix itself cannot be read.
  std::vector<PointSpec> combinations() const;

 private:
  struct Axis {
    const schema::Entry<List<Tree>>* field;
    std::string label;               // `LR`; the whole path where two end alike
    std::vector<std::string> words;  // of the values, in names
    bool of_pool;                    // whether pools differ by it
  };
  struct Choice {
    std::size_t number;  // among all combinations
    std::string pool;
    bool first;
  };

  PointSpec point_of(const Choice& choice) const;
  void add_axis(const schema::Entry<List<Tree>>& field, diag::Sink& sink);
  void name_values(Axis& axis);
  void judge_exclusion(const Map<Tree>& entry, diag::Sink& sink) const;
  void choose(std::size_t count, diag::Sink& sink);
  std::vector<std::size_t> values_of(std::size_t number) const;
  std::string named(std::size_t number, bool of_pool) const;

  yaml::Node spec_;
  Matrix matrix_;
  std::string name_;
  bool is_read_ = false, queued_ = false, shares_ = false;
  bool moves_ = false;  // a field of the cluster was to vary
  std::vector<Axis> axes_;
  std::vector<Choice> points_;
};

}  // namespace flexslice::spec
