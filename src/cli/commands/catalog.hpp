// The lists of `flexslice catalog`, as text or JSON.
#pragma once

#include <string>
#include <vector>

#include "catalog/catalog.hpp"
#include "cli/files/streams.hpp"
#include "cli/help/command.hpp"

namespace flexslice::cli {

struct CatalogAnswer {
  std::string text = {};                // a table or JSON
  std::vector<std::string> notes = {};  // what is doubtful or left out
  Status status = fine;
};

// Throws Failure for wrong usage.
CatalogAnswer list_catalog(const CommandLine& line, const catalog::Catalog& catalog);

}  // namespace flexslice::cli
