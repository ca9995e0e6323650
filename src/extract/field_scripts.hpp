// Scripts in fields of files of other programs: build services, task runners, Ansible. Which fields
// these are says script_formats.yaml.
#pragma once

#include <vector>

#include "extract/excerpt.hpp"

namespace flexslice::extract {

// In the order of the rows; each field once. Lines that set the variables which the file gives a
// script are before it.
std::vector<Excerpt> field_scripts(const Excerpt& document);

}  // namespace flexslice::extract
