// The only quoting of shell words.
#pragma once

#include <string>
#include <string_view>

namespace flexslice::gcloud {

// One word that bash reads back as exactly these bytes. Text that needs no quotes gets none; of
// `--flag=value` only the value is quoted. NUL cannot be in an argument and is not allowed.
std::string shell_quote(std::string_view text);

}  // namespace flexslice::gcloud
