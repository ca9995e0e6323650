// The program git, read-only: nothing that a hostile repository configures is run, nothing is
// fetched, and nobody is asked.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace flexslice::cli {

#ifdef __EMSCRIPTEN__
// WebAssembly starts no process: node starts git and waits for its end, without a limit if
// `milliseconds` is 0.
std::string ask_git(const std::string& directory, const std::vector<std::string>& words,
                    int milliseconds = 0);
#else
// Its process, or -1. `out` becomes its stdout; `words` follow `git -C directory`.
pid_t start_git(const std::string& directory, const std::vector<std::string>& words, int out);

// Returns the output of git; empty where it fails or prints nothing. At most 64 MiB; throws Failure
// beyond.
std::string ask_git(const std::string& directory, const std::vector<std::string>& words);
#endif

}  // namespace flexslice::cli
