// From a workload of the input to its spec: a draft without what compile derives, the fields that
// it derives otherwise, and patches for the rest.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "import/compare.hpp"
#include "import/draft.hpp"
#include "import/match.hpp"
#include "import/path.hpp"
#include "import/trial.hpp"
#include "import/view.hpp"

namespace flexslice::imports {

// An object of the input differs so from its compiled one.
struct Compared {
  ObjectPair pair;
  std::vector<Difference> differences;
  std::vector<RenamedContainer> renamed;
  std::optional<Span> scaled_count = {};  // `replicas`, which an autoscaler decides
};

// A value of the draft that a rule refuses. It is in no spec, and in no patch. Its origin is where
// the input has it; where that is two places, the origin of its key is the other one.
struct Refusal {
  Path path;
  yaml::Value value;
  diag::Code code;
  std::string message;
};

// Says whether the spec alone has no place for the value, and a patch may set it.
inline bool is_limit_of_spec(const Refusal& refusal) {
  // Compile selects a reservation only where nodes are created for the pods.
  const bool is_of_reservation = refusal.code == diag::Code::DerivedSelector &&
                                 !refusal.path.empty() &&
                                 refusal.path.back().starts_with("cloud.google.com/reservation-");
  return refusal.code == diag::Code::UnknownVolume || is_of_reservation;
}

struct Synthesis {
  yaml::Value spec;
  Parts parts;
  std::vector<std::string> todo;
  std::vector<Refusal> refusals;
  Trial trial;  // of the spec
  Placeholders names;
  std::vector<Compared> compared;
};

// Says whether a rule refuses what differs.
bool is_refused(const Synthesis& synthesis, const Difference& difference);

Synthesis synthesize(Parts parts, const Material& input, const catalog::Catalog& catalog,
                     const Compiler& compiler);

}  // namespace flexslice::imports
