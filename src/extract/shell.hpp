// Commands of a script, as words with their places. No shell: what a command does is not known,
// and what depends on it, on functions, branches or subshells is marked as unknown.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/source.hpp"
#include "extract/excerpt.hpp"

namespace flexslice::extract {

// A part of a word that only the shell which runs the script knows.
struct Unfilled {
  std::string text;  // `$X`, `$(…)`, as it is written
  Span where;
};

struct Word {
  // Without quotes, with the values of variables that are set to literals above, and the rest as it
  // is written.
  std::string text;
  Span where;
  // A variable that is not known, `$(…)`, or a placeholder such as `<zone>` or ZONE_NAME.
  bool unknown = false;
  bool unfinished = false;  // a quote in it has no end
  Span set_at = {};  // where the variable that it takes a value from is set; empty: from none
  std::vector<Unfilled> unfilled = {};  // each once
  std::vector<Span> parts = {};         // of a list whose items are apart: where each is
};

// What ends a command before its last options.
enum class BrokenBy : std::uint8_t {
  blanks,              // after a `\`, which a fix can remove
  comment,             // after a line that ends with `\`
  missing,             // a `\` at the end of the line, which a fix can add
  missing_at_comment,  // where a comment is, after which there can be none
  in_flag,             // a line break within a flag: `--tpu-`
  blank_in_flag        // a blank within one, after which the command goes on
};

// The resource of Terraform that a command was read from.
struct ResourceBlock {
  struct Argument {
    std::string path;  // `placement_policy.tpu_topology`
    std::string flag;  // `--tpu-topology`
  };

  std::string_view type;            // `google_container_node_pool`; empty: it is a command
  std::vector<Argument> arguments;  // that it has
  std::vector<std::string> open;    // paths of those that rules judge and whose value is not known
  std::vector<std::string> names;   // `var.topology`, in these, that nothing sets, each once
};

struct Command {
  std::vector<Word> words;  // `gcloud container …`; without assignments, `sudo`, `if`, prompts
  Span where;               // of the first word
  // What ends the command too early, or the last word of the line that does. Empty: nothing does.
  Span broken = {};
  BrokenBy broken_by = {};
  std::vector<Word> lost;  // the words of the lines after that, which are another command
  Span loop = {};          // that sets a variable of it to what is not known; empty: there is none
  std::string next = {};   // the first word of the command after it
  // Words may be added to it: it is an array, or a variable in it is set to nothing yet.
  bool is_open = false;
  ResourceBlock block = {};
};

// Literal values of variables by their names, where they are set.
struct Variable {
  std::string value;
  Span where;
  bool known = true;  // false: set to something that is not literal, or where it may not be run
};
using Variables = std::map<std::string, Variable, std::less<>>;

// Bytes of a here-document for which a shell writes others.
struct Replacement {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;
};

struct HereText {
  std::size_t begin = 0;  // in the excerpt
  std::size_t end = 0;
  Span line;  // from the command that gets it to the end of the line, where a pipe may lead on
  bool is_expanded = false;  // the delimiter has no quotes
  std::vector<Replacement> replacements;
  std::vector<std::pair<std::size_t, std::size_t>> unfilled = {};  // what only a shell knows
};

struct Script {
  std::vector<Command> commands;  // those whose first word is one of the names asked for
  std::vector<HereText> here_documents;
  std::vector<Span> strings;  // in which `#` begins no comment
};

// Reads the excerpt, which is source `index`. `variables` are those of the excerpts above it in the
// file, and get those that this one sets. `names`: of programs, such as `gcloud`. Commands of a
// loop are read once; `Loops::unrolled`: those of a loop over literal words for each, unless they
// are the same.
enum class Loops : std::uint8_t { once, unrolled };
Script read_shell(std::string_view text, std::uint32_t index, Variables& variables,
                  const std::vector<std::string_view>& names, Loops loops = Loops::once);

}  // namespace flexslice::extract
