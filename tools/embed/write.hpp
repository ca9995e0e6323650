// Writes the catalog and the templates as C++ source. Only the build tool uses it.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalog/catalog.hpp"
#include "yaml/node.hpp"

namespace flexslice::embed {

// A C++ file that defines that folder of yaml/embedded.hpp.
std::string tables_source(std::string_view folder,
                          const std::vector<std::pair<std::string, yaml::Node>>& files);

// The arrays of fields and their tables, to be included where the records are known.
std::string fields_source(const yaml::Node& tables, diag::Sink& sink);

// A C++ file that defines `catalog::built_in` and the rows that it consists of.
std::string catalog_source(const catalog::Catalog& catalog);

}  // namespace flexslice::embed
