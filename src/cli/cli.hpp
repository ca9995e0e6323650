// The command line: which command is meant, and the exit status.
#pragma once

namespace flexslice::cli {

int run(int argc, char** argv);

}  // namespace flexslice::cli
