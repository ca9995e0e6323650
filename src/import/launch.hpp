// What import says of a command of a launcher, beside the object and the commands that are made of
// it: the flags that no spec keeps.
#pragma once

#include "import/commands.hpp"
#include "view/launch.hpp"

namespace flexslice::imports {

// Places are in the excerpt.
Launch launch_from(const view::LaunchClaims& claims);

}  // namespace flexslice::imports
