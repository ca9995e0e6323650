// Reports on a command of a launcher, in addition to the object and the commands that are made of
// it: no spec keeps these flags.
#pragma once

#include "import/commands.hpp"
#include "view/launch.hpp"

namespace flexslice::imports {

// Places are in the excerpt.
Launch launch_from(const view::LaunchClaims& claims);

}  // namespace flexslice::imports
