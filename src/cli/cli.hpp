// The command line: which command is meant, and the exit status.
#pragma once

namespace flexslice::cli {

// Exit statuses, as in README.md.
enum Status : int { fine = 0, findings = 1, usage = 2, io_error = 3, internal_error = 70 };

int run(int argc, char** argv);

}  // namespace flexslice::cli
