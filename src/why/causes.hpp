// The causes that a pod may not run for, as causes.yaml has them, and how a text is compared with
// the form of a sign.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "yaml/frozen.hpp"

namespace flexslice::why {

using Holes = std::map<std::string, std::string, std::less<>>;

// A text that says something about pods or what owns them, and which part of the cluster says it:
// a word that causes.yaml explains.
struct ClusterSign {
  std::string from, text;
  std::string about;       // `Pod train-0`
  std::string at;          // when, as the cluster writes it; empty: the dump does not say
  std::int64_t nodes = 0;  // of the scheduler: how many nodes it says this of
};

// The parts of the text that are in the places of names, if it has that form.
std::optional<Holes> match_form(std::string_view form, std::string_view text);

// A row of causes.yaml, as far as a sign has decided it.
struct PodCause {
  std::string_view code;  // `FS6010`
  std::string says, next;
  bool waits = false;    // it can end without anybody doing something
  ClusterSign sign;      // the first that shows it
  std::size_t rank = 0;  // its place in the table
};

// The cause that the sign shows. Null where it shows none.
std::optional<PodCause> cause_of(const ClusterSign& sign, Holes known);

// `explain FS6010` prints this; nothing where there is no such row.
std::optional<std::string> cause_text(std::string_view code);

}  // namespace flexslice::why
