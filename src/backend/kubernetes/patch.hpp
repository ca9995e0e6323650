// The user's patches on the generated objects. One of the passes after the plan that may report: a
// patch that matches nothing, or that breaks what the plan derives.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "diag/diag.hpp"
#include "plan/plan.hpp"
#include "yaml/value.hpp"

namespace flexslice::kubernetes {

// Applies the patch if the object is of its kind (and name), or to its pod or container there, and
// reports nothing.
void patch(const spec::Patch& patch, yaml::Value& object);

// The patches of one spec. Findings are at the patch's own lines.
class Patches {
 public:
  Patches(std::span<const spec::Patch> patches, diag::Sink& sink)
      : patches_(patches),
        sink_(sink),
        hit_(patches.size()),
        missed_(patches.size()),
        instead_(patches.size()),
        idle_(patches.size()) {}

  // Applies each patch, in order, to the objects of its kind (and name).
  void apply(std::vector<yaml::Value>& objects);
  // Reports the patches that no object was for, and what they delete that no object has. Called
  // last.
  void report_misses();

 private:
  // To a part of the object, or to itself.
  void apply(std::size_t index, const yaml::Value& object, yaml::Value& target);

  std::span<const spec::Patch> patches_;
  diag::Sink& sink_;
  std::vector<bool> hit_;             // by patch
  std::vector<std::string> missed_;   // by patch: the last object that lacks its part,
  std::vector<std::string> instead_;  // and the parts that this has
  // By patch: the items that it deletes and none of its targets had.
  std::vector<std::vector<Span>> idle_;
  std::vector<std::string> generated_;  // `Job `train``
};

}  // namespace flexslice::kubernetes
