// Tells whether kubectl gets the texts of a script as they are written there.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "extract/shell.hpp"

namespace flexslice::extract {

class WrittenInputs {
 public:
  explicit WrittenInputs(std::string script) : script_(std::move(script)) {}

  // No: a program of its line, or one that gets the file or the variable which takes it, writes
  // another text; or the text is a part, a comment, or meant to be refused.
  bool are_applied(const HereText& here);

 private:
  bool keeps_variable(std::string_view name, bool needs_use);
  bool keeps_file(std::string_view line);

  std::string script_;
  // The whole script is searched for each once.
  std::map<std::pair<std::string, bool>, bool> variables_;
  std::map<std::string, bool> files_;
};

}  // namespace flexslice::extract
