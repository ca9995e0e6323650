// Scripts, and manifests as text, in fields of files of other programs: build services, task
// runners, Ansible, Cluster Toolkit. script_formats.yaml lists the fields.
#pragma once

#include <string_view>
#include <vector>

#include "extract/excerpt.hpp"
#include "extract/given_names.hpp"

namespace flexslice::extract {

// `file`: the text that the document is in. In the order of the rows; each field once. Lines that
// set the variables which the file gives a script are before it, and values that a template has are
// in their places; those that a call may be `given` are not known.
std::vector<Excerpt> field_scripts(const Excerpt& document, std::string_view file,
                                   const GivenNames& given);

}  // namespace flexslice::extract
