// Made from the commands and options: help messages, completion scripts, the manual page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "cli/help/command.hpp"

namespace flexslice::cli {

// The text of --help: usage, options, an example.
std::string help_text(std::string_view command);
// Without a command: the list of commands.
std::string help_text();

// Shells with completion, and the script of each.
struct Shell {
  std::string_view name;
  std::string (*script)();
};
std::span<const Shell> shells();

// The manual page, as roff.
std::string manual_page();

// Completions offer these for an argument.
struct ArgumentWords {
  std::vector<std::string> words;
  bool files = false;
  bool specs = false;  // files that look like specs
  bool directories = false;

  std::string joined() const;  // the words, with spaces
};
// Reads an argument as help messages show it: alternatives between `|`, in lower case the word
// itself, in capitals a placeholder. Throws std::logic_error for a placeholder that is not
// explained.
ArgumentWords argument_words(std::string_view argument, const catalog::Catalog& catalog);

}  // namespace flexslice::cli
