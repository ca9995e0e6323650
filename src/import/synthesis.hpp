// From a workload of the input to its spec: draft, compile, compare, and again. import.cpp calls
// it.
#pragma once

#include <optional>
#include <vector>

#include "import/compare.hpp"
#include "import/draft.hpp"
#include "import/match.hpp"
#include "import/path.hpp"
#include "import/trial.hpp"
#include "import/view.hpp"

namespace flexslice::imports {

// What differs between an object of the input and its compiled one.
struct Compared {
  ObjectPair pair;
  std::vector<Difference> differences;
  std::vector<RenamedContainer> renamed;
};

// A field of the draft that the compiler refused.
struct Refusal {
  Path path;
  yaml::Value value;
  std::string message;  // the compiler's
};

struct Synthesis {
  yaml::Value spec;
  Parts parts;
  std::vector<std::string> todo;
  std::vector<Refusal> refusals;
  Trial trial;  // of the spec
  // Of the spec as it is, where `trial` has stand-ins for what the compiler does not take.
  std::optional<Trial> refused;
  bool shape_is_open = false;  // what follows from it in `trial` is not the input's
  Placeholders names;
  std::vector<Compared> compared;
};

Synthesis synthesize(Parts parts, const Material& input, const catalog::Catalog& catalog,
                     const Compiler& compiler);

}  // namespace flexslice::imports
