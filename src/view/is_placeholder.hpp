// Values that stand for the reader's own: documentation, templates and examples are full of them.
// found/ calls it for every value that rules might judge.
#pragma once

#include <string_view>

namespace flexslice::view {

// `$X`, `<x>`, `{{ x }}`, `TPU_TOPOLOGY`, `your-pool`, `changeme`, `...`: no value to judge.
bool is_placeholder(std::string_view text);

}  // namespace flexslice::view
