// What a shell makes of a word where it alone knows a part: `train-$(date)`. shell.cpp and
// commands.cpp call it.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>

#include "base/source.hpp"
#include "extract/shell.hpp"

namespace flexslice::extract {

// Of the word at `word`. Values have `budget` bytes at most and take them from it. Null where the
// word cannot be read or is an array.
std::shared_ptr<const HostText> host_text(std::string_view script, Span word,
                                          const Variables& variables, std::size_t& budget);

// Without the first `length` bytes, `NAME=`.
std::shared_ptr<const HostText> without_prefix(const HostText& text, std::size_t length);
// What a variable has, if anything is known of it.
std::shared_ptr<const HostText> host_text(const Variable& variable);
// One after the other; null where either is.
std::shared_ptr<const HostText> joined(const std::shared_ptr<const HostText>& first,
                                       const std::shared_ptr<const HostText>& second);

}  // namespace flexslice::extract
