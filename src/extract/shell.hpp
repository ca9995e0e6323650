// Commands of a script, as words with their places, and the values of variables as far as nothing
// else may have set them: a shell that runs no programs. Functions are read where they are called,
// and what depends on a program, a branch or the environment is marked as unknown.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/source.hpp"
#include "extract/excerpt.hpp"
#include "extract/variables.hpp"

namespace flexslice::extract {

// A command can end before its last options in these ways.
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
  // By flag: a module has these settings instead if the flag needs others. Static.
  std::vector<std::pair<std::string_view, std::string_view>> helps = {};
};

struct Command {
  std::vector<Word> words;  // `gcloud container …`; without assignments, `sudo`, `if`, prompts
  Span where;               // of the first word
  // This ends the command too early, or is the last word of the line that does; empty: nothing
  // does.
  Span broken = {};
  BrokenBy broken_by = {};
  std::vector<Word> lost;  // the words of the lines after that, which are another command
  Span loop = {};          // that sets a variable of it to what is not known; empty: there is none
  std::string next = {};   // the first word of the command after it
  // Words may be added to it: it is an array, or a variable in it is set to nothing yet.
  bool is_open = false;
  ResourceBlock block = {};
};

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
  bool is_word = false;      // in quotes, and no here-document
  std::vector<Replacement> replacements = {};
  std::vector<std::pair<std::size_t, std::size_t>> unfilled = {};  // what only a shell knows
};

struct Script {
  std::vector<Command> commands;  // those whose first word is one of the names asked for
  std::vector<HereText> here_documents;
  std::vector<Span> strings;  // in which `#` begins no comment
};

// The text of a file by the name that a script says; nothing where it cannot be read.
using ReadBeside = std::function<std::optional<std::string>(const std::string& name)>;

// Commands of a loop are read once; `unrolled`: those of a loop over literal words for each, unless
// they are the same.
enum class Loops : std::uint8_t { once, unrolled };

// Reads the excerpt, which is source `index`. `variables` are those of the excerpts above it in the
// file, and get those that this one sets. `names`: of programs, such as `gcloud`. `beside`: files
// that the script reads settings from, or nothing.
Script read_shell(std::string_view text, std::uint32_t index, Variables& variables,
                  const std::vector<std::string_view>& names, Loops loops = Loops::once,
                  const ReadBeside& beside = {});
Script read_shell(const Excerpt& script, std::uint32_t index, Variables& variables,
                  const std::vector<std::string_view>& names, Loops loops = Loops::once,
                  const ReadBeside& beside = {});

}  // namespace flexslice::extract
