// decode adds these to a report so that the mistake can be fixed: the value in the right shape, the
// field that was meant.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "diag/diag.hpp"
#include "schema/table.hpp"
#include "yaml/node.hpp"

namespace flexslice::schema {

// Guesses the value that somebody meant by a text that does not have its pattern: `2 hours`,
// `64GB`, `us-east5b`, `gs://bucket`, `My_Job`. The result has the pattern; nothing when no guess
// has.
std::optional<std::string> likely(Pattern pattern, std::string_view text);

// Names the rule of the pattern that the text breaks, if there is one to name.
std::optional<std::string> broken_rule(Pattern pattern, std::string_view text);

// A scalar where a list of `type` must be: `["python", "train.py"]` of `python train.py`, since
// each word is an element of its own.
void help_with_list(diag::Diagnostic& report, const yaml::Node& scalar, const Type& type,
                    const Constraint& constraint);
// A list where a mapping is needed: `{A: "1"}` of `[{name: A, value: "1"}]`, as Kubernetes has it.
void help_with_mapping(diag::Diagnostic& report, const yaml::Node& list);
// A list of one value where the value is needed.
void help_with_only_item(diag::Diagnostic& report, const yaml::Node& node);
// A list where `key` takes the first value, and `rest` a list of the others.
void help_with_rest(diag::Diagnostic& report, const yaml::Node& list, std::string_view key,
                    std::string_view rest);
// `gs://bucket/folder`, or a claim and a path in it: the path belongs to the mount.
void help_with_folder(diag::Diagnostic& report, Pattern pattern, std::string_view key,
                      std::string_view text);
// The scalar in quotes, as a fix.
void help_with_quotes(diag::Diagnostic& report, const yaml::Node& scalar);
// If only one field of the table is required, the text may be meant for it.
void help_with_scalar(diag::Diagnostic& report, const yaml::Node& scalar, const Table& table);

// A key of `mapping` that `table` does not have; `root` is the table of the whole document. Returns
// the field that was meant, or empty: that it is missing need not be reported as well.
std::string_view help_with_unknown(diag::Diagnostic& report, const yaml::Node& key,
                                   const yaml::Node& mapping, const Table& table,
                                   const Table& root);

}  // namespace flexslice::schema
