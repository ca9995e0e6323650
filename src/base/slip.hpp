// Words that differ by one slip of a hand.
#pragma once

#include <string_view>

namespace flexslice::text {

// Returns whether one letter of the other word is added, missing, replaced, or swapped with the
// next. Every key of a file is compared with all that are known, so this takes no table of
// distances.
bool is_slip(std::string_view one, std::string_view other);

// Returns whether one name is the other with such a slip. A single letter tells names apart where
// it is a word: `tpu-a` and `tpu-b`, also in an address or a path.
bool is_slip_of_name(std::string_view one, std::string_view other);

// Returns whether both have the same digits. Another number is another generation: `v9` is not a
// misspelt `v3`.
bool same_digits(std::string_view a, std::string_view b);

}  // namespace flexslice::text
