// One row for each command. Private to cli/; every command has a file of its own.
#pragma once

#include <span>
#include <string_view>

namespace flexslice::cli {

// What cxxopts wants: argv without the program, the command's name in front.
using Arguments = std::span<char*>;

struct Command {
  std::string_view name;
  std::string_view summary;
  int (*run)(Arguments arguments);
};

int run_compile(Arguments arguments);
int run_check(Arguments arguments);
int run_explain(Arguments arguments);
int run_schema(Arguments arguments);

std::span<const Command> commands();

}  // namespace flexslice::cli
