// The commands of a script as a shell would run them: which are parts of a pipe or of a block, and
// which run in the background.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace flexslice::view {

struct ShellCommand {
  std::string program;   // the first word without assignments and quotes; empty: there is none
  std::string argument;  // the next word; empty: there is none, or it is a redirection
  std::vector<std::string> others = {};  // the words after that
  std::string function = {};             // whose body it is in; empty: none
  bool piped = false;                    // a part of a pipe
  bool nested = false;                   // within `if`, a loop, `case`, `{ }`, `( )` or a function
  bool background = false;               // it ends with `&`
  bool redirected = false;
  bool prefixed = false;  // with `!` or `time`
};

// In the order of the text. Here-documents and comments are none.
std::vector<ShellCommand> shell_commands(std::string_view script);

}  // namespace flexslice::view
