// The words of a gcloud command by the table of its commands: which of them name it, and which are
// the values of its flags.
#pragma once

#include <span>

#include "catalog/command_table.hpp"
#include "extract/arguments.hpp"

namespace flexslice::view {

struct GcloudWords {
  extract::Arguments arguments;  // operands: with those that name the command
  catalog::NamedCommand command;
  catalog::CommandSyntax syntax;  // without flags of its own where it is not known
};

// `words`: those after `gcloud`, or after the name of another program, whose flags are taken for
// those of gcloud of the same name. Points into them.
GcloudWords read_gcloud(std::span<const extract::Word> words);

}  // namespace flexslice::view
