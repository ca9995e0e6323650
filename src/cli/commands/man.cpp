// flexslice man: prints the manual page, as roff.
#include "cli/commands/commands.hpp"
#include "cli/files/streams.hpp"
#include "cli/help/manual.hpp"

namespace flexslice::cli {

int run_man(const CommandLine&) {
  print(manual_page());
  return fine;
}

}  // namespace flexslice::cli
