// A draft through the real compiler.
#pragma once

#include <string>
#include <vector>

#include "backend/template/template.hpp"
#include "catalog/catalog.hpp"
#include "driver/driver.hpp"
#include "import/commands.hpp"
#include "import/placeholders.hpp"
#include "yaml/value.hpp"

namespace flexslice::imports {

struct Trial {
  bool ok = false;                   // artifacts are there
  std::vector<yaml::Value> objects;  // with those of volumes.yaml and of the queue
  std::vector<NodeCommand> commands;
  std::vector<diag::Diagnostic> diagnostics;
  yaml::Node tree;  // of the spec as it was compiled, for the places of the diagnostics
};

// A newer Kubernetes may have a field that this version does not know, if it resembles none.
bool may_be_newer(const diag::Diagnostic& finding);

class Compiler {
 public:
  Compiler(const catalog::Catalog& catalog, const templates::Set& templates)
      : catalog_(catalog), templates_(templates) {}

  // A name takes the place of each placeholder of the spec; `names` knows which.
  Trial compile(yaml::Value spec, Placeholders& names) const;
  // Reports on the spec as it is, with its placeholders.
  Trial judge(const yaml::Value& spec) const;

 private:
  const catalog::Catalog& catalog_;
  const templates::Set& templates_;
};

}  // namespace flexslice::imports
