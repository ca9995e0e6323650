// How a value of the wrong shape would be written in the right one, for helps. decode uses it.
#pragma once

#include <string>
#include <string_view>

#include "diag/diag.hpp"
#include "schema/table.hpp"
#include "yaml/node.hpp"

namespace flexslice::schema {

// `"python", "train.py"` of `python train.py`: each word is an item of its own.
std::string as_list(std::string_view text);
// `{A: "1", B: "2"}` of a list in Kubernetes' pattern, `[{name: A, value: "1"}, …]`; `KEY: VALUE`
// of any other.
std::string as_mapping(const yaml::Node& list);
// The scalar in quotes, as a fix.
void help_with_quotes(diag::Diagnostic& found, const yaml::Node& scalar);
// Where one field of the table is all that is required, the text may be meant for it.
void help_with_scalar(diag::Diagnostic& found, std::string_view text, const Table& table);

}  // namespace flexslice::schema
