// The commands, each in a file of its own. They return the exit status, or throw Failure.
#pragma once

#include "cli/help/command.hpp"

namespace flexslice::cli {

int run_compile(const CommandLine& line);
int run_check(const CommandLine& line);
int run_lint(const CommandLine& line);
int run_import(const CommandLine& line);
int run_explain(const CommandLine& line);
int run_catalog(const CommandLine& line);
int run_init(const CommandLine& line);
int run_schema(const CommandLine& line);
int run_completion(const CommandLine& line);
int run_diff(const CommandLine& line);
int run_krm(const CommandLine& line);
int run_lsp(const CommandLine& line);
int run_mcp(const CommandLine& line);
int run_why(const CommandLine& line);
int run_man(const CommandLine& line);

}  // namespace flexslice::cli
