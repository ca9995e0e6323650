// The build tools, flexslice-embed and flexslice-codes, write C++ literals and files with it.
#pragma once

#include <string>
#include <string_view>

namespace flexslice::embed {

// A C++ string literal of these bytes, whatever they are; broken after line ends.
std::string literal(std::string_view bytes);

// Leaves a file alone that has this text already, so that nothing is compiled again. False when it
// cannot be written.
bool write_if_changed(const std::string& path, std::string_view text);

}  // namespace flexslice::embed
