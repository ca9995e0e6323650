// How much of an object its text says, which decides what a rule may conclude from what is missing.
#pragma once

#include <cstdint>

namespace flexslice {

// It is decided where the object is read. Of an object that is two of these the later one counts:
// a fragment in a here-document is a fragment, since rules that ask for more leave both alone.
enum class Completeness : std::uint8_t {
  whole,     // a cluster gets it as it is written
  expanded,  // the same, after a shell or envsubst has replaced `$NAME` in it
  fragment,  // it has no kind or no name, or less than a pod needs: the rest may be elsewhere
  patch,     // something merges it into an object that is elsewhere, or parts of it are lost
};

// The cluster lacks whatever is missing in it.
constexpr bool says_all(Completeness completeness) { return completeness < Completeness::fragment; }

// Other objects may refer to it by what it says.
constexpr bool stands_alone(Completeness completeness) {
  return completeness < Completeness::patch;
}

}  // namespace flexslice
