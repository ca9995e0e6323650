// One row for each command. Private to cli/; every command has a file of its own.
#pragma once

#include <span>
#include <string_view>

namespace flexslice::cli {

struct Command;
struct Manual;

// What a command is called with. With a manual, it only writes its options there: help texts,
// completions and the manual page are made of the options themselves.
struct Arguments {
  std::span<char*>
      words;  // argv without the program, the command's name in front, as cxxopts wants it
  const Command* command = nullptr;
  Manual* manual = nullptr;
};

struct Command {
  std::string_view name;
  std::string_view summary;  // for the list of commands
  std::string_view
      positional;            // what it takes beside options, as usage lines show it; empty: nothing
  std::string_view about;    // what the summary leaves open, a few sentences
  std::string_view example;  // a command line that works
  int (*run)(Arguments arguments);
};

int run_compile(Arguments arguments);
int run_check(Arguments arguments);
int run_explain(Arguments arguments);
int run_catalog(Arguments arguments);
int run_init(Arguments arguments);
int run_schema(Arguments arguments);
int run_completion(Arguments arguments);
int run_man(Arguments arguments);

std::span<const Command> commands();

}  // namespace flexslice::cli
