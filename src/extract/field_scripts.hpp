// Scripts, and manifests as text, in fields of files of other programs: build services, task
// runners, Ansible, Cluster Toolkit. script_formats.yaml lists the fields.
#pragma once

#include <vector>

#include "extract/excerpt.hpp"

namespace flexslice::extract {

// In the order of the rows; each field once. Lines that set the variables which the file gives a
// script are before it.
std::vector<Excerpt> field_scripts(const Excerpt& document);

}  // namespace flexslice::extract
