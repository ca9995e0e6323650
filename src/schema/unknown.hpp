// A key that its table does not have. decode reports it by this.
#pragma once

#include <string_view>

#include "diag/diag.hpp"
#include "schema/table.hpp"
#include "yaml/node.hpp"

namespace flexslice::schema {

// `root` is the table of the whole document, `path` the way to the mapping. The field that was
// meant, or empty: that it is missing need not be told as well.
std::string_view report_unknown(const yaml::Node& key, const Table& table, const Table& root,
                                std::string_view path, diag::Sink& sink);

}  // namespace flexslice::schema
