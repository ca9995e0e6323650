// The program git, read-only: nothing that a hostile repository configures is run, nothing is
// fetched, and nobody is asked.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace flexslice::cli {

// Returns the output of `git -C directory WORDS`; empty where it fails, prints nothing, or prints
// nothing for so long (0: it may take its time). At most 64 MiB; throws Failure beyond.
// WebAssembly starts no process: there node starts git.
std::string ask_git(const std::string& directory, const std::vector<std::string>& words,
                    int milliseconds = 0);

// Why git does not answer in this directory, and what to do, where it refuses the repository of
// another user; nothing otherwise. To be asked after an answer that is empty.
std::optional<std::string> why_refused(const std::string& directory);

}  // namespace flexslice::cli
