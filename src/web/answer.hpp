// The page shows an answer for its text: all that `compile`, `check`, `explain`, `lint` and
// `import` print about it, as JSON. An answer is pure, as compile is.
#pragma once

#include <string>
#include <string_view>

namespace flexslice::web {

// `emit`: a word of `--emit`, or empty for the usual artifacts and the picture.
//
//   version    of the program, and the date of its `catalog`
//   type       `spec`, `manifest`, `page`, `script` or `makefile`: the text alone decides
//   specs      how many the text has, of which the first 100 are compiled
//   workloads  of those that compile: `name`, `explanation`, and `files`, each with `emit`, `name`
//              and `text`
//   findings   as `--format json` has them, the first 500; `count` is the number of all
//   report     the findings as text
//   codes      what `explain` says of each code in `findings`
std::string answer(std::string_view text, std::string_view emit);

// The text is no spec: `import` makes a `spec` of it, and a `report` of what differs.
std::string imported(std::string_view text);

}  // namespace flexslice::web
