// Kueue's Configuration, of the files of a run.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "diag/diag.hpp"
#include "yaml/node.hpp"

namespace flexslice::rules {

// An object with the label of a queue.
struct QueuedKind {
  std::string kind, object;  // `Job`, "Job `a`"
};

struct KueueConfigs {
  // Ignores objects that are not a Configuration, and ConfigMaps without one.
  void add_object(const yaml::Node& object);
  void add_map(const yaml::Node& config_map);
  // Reports kinds of `queued` that no Configuration manages, and switches without an effect.
  void judge(std::span<const QueuedKind> queued, diag::Sink& sink) const;

  struct Managed {
    Span where;
    std::vector<std::string> frameworks;
  };
  struct Problem {
    Span where;
    std::string text, help;
  };
  // `of_all`: the place of everything in it; empty: each node has its own.
  void add(const yaml::Node& tree, Span of_all);

  std::vector<Managed> managed = {};
  std::vector<Problem> problems = {};
};

}  // namespace flexslice::rules
