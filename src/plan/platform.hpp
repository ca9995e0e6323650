// The specs of a run that describe queues without a workload, and the workloads of other specs that
// enter by these queues.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "diag/diag.hpp"
#include "plan/plan.hpp"

namespace flexslice::plan {

// A spec says this of queues: those that it describes, or the one that its workload uses.
struct QueueUse {
  std::uint64_t cluster = 0;  // a hash, as in conflicts.hpp
  bool names_cluster = false;
  std::string spec, object;  // its name; `Job `train``
  std::string queue, name_space;
  std::string flavor;  // of its nodes; empty: `topology: none`
  std::string nodes;   // in words
  std::string reservation = {};
  std::int64_t chips = 0;  // that Kueue admits at once
  bool has_own_pools = false;
  std::string priority = {};  // the class of the workload
  bool makes_priority = false;
  Span of_priority = {};
  std::vector<QueueOfTeam> teams;  // empty: of a workload
};

struct PlatformFinding {
  Source source;
  diag::Diagnostic finding;
  std::uint32_t other_file;  // where the queues are described
  Position other;
};

class Platforms {
 public:
  // `place` and `file` are those of the spec.
  void add(std::shared_ptr<const QueueUse> use, Span where, std::uint32_t file, Position place,
           const Source& source);
  // Workloads whose queue is not described, or never admits them.
  std::vector<PlatformFinding> findings() const;

 private:
  struct SpecUse {
    std::shared_ptr<const QueueUse> use;
    Span where;
    std::uint32_t file;
    Position place;
    Source source;
  };
  void judge(const SpecUse& guest, std::vector<PlatformFinding>& all) const;
  void judge_priority(const SpecUse& guest, const std::vector<const SpecUse*>& platforms,
                      diag::Sink& sink) const;

  std::vector<SpecUse> platforms_, guests_;
};

}  // namespace flexslice::plan
