// What somebody may have meant by a text that does not have its form: `64GB`, `2 hours`, `us-east5b`, `gs://bucket`, `My_Job`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "record/form.hpp"

namespace flexslice::record {

// A text that has the form, or nothing.
std::optional<std::string> likely(Form form, std::string_view text);

}  // namespace flexslice::record
