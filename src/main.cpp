#include "cli/cli.hpp"

int main(int argc, char** argv) { return flexslice::cli::run(argc, argv); }
