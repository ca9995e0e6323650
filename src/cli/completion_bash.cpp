#include <fmt/core.h>

#include <algorithm>

#include "base/text.hpp"
#include "cli/completion.hpp"

namespace flexslice::cli {

namespace {

constexpr std::string_view head =
    R"(# Completion of flexslice for bash, made by `flexslice completion bash`.
# For this shell: source <(flexslice completion bash)

# From the words of $1, the last of a list separated by commas.
_flexslice_words() {
  local IFS=$' \n' before=''
  [[ $current == *,* ]] && before=${current%,*},
  # shellcheck disable=SC2207
  COMPREPLY+=($(compgen -P "$before" -W "$1" -- "${current##*,}"))
  # `path=` goes on with a value.
  [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null
}

# Files with one of these endings, and directories; all files without an ending.
_flexslice_files() {
  local IFS=$'\n' ending
  compopt -o filenames 2>/dev/null
  # shellcheck disable=SC2207
  if [[ $# == 0 ]]; then
    COMPREPLY+=($(compgen -f -- "$current"))
  else
    COMPREPLY+=($(
      compgen -d -- "$current"
      for ending; do compgen -f -X "!*.$ending" -- "$current"; done
    ))
  fi
}

_flexslice_directories() {
  local IFS=$'\n'
  compopt -o filenames 2>/dev/null
  # shellcheck disable=SC2207
  COMPREPLY+=($(compgen -d -- "$current"))
}

_flexslice() {
  local current=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} command='' word
  COMPREPLY=()
  # Bash cuts --option=value into three words.
  if [[ $current == '=' ]]; then
    current=''
  elif [[ $option == '=' ]]; then
    option=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    [[ $word == -* ]] || { command=$word; break; }
  done
)";

std::string replies(const ArgumentWords& argument) {
  std::string out;
  if (!argument.words.empty())
    out += fmt::format("_flexslice_words '{}'; ",
                       text::join(std::span<const std::string>(argument.words), " "));
  if (argument.files) out += "_flexslice_files; ";
  if (argument.specs) out += "_flexslice_files yaml yml json; ";
  if (argument.directories) out += "_flexslice_directories; ";
  return out.empty() ? ":; " : out;
}

std::string option_names(const Manual& manual) {
  std::string out;
  for (const Option& option : manual.options) {
    out += (out.empty() ? "" : " ") +
           (option.letter.empty() ? std::string() : "-" + option.letter + " ") + dashed(option);
  }
  return out;
}

}  // namespace

std::string bash_completion(const std::vector<Completed>& commands) {
  std::string names;
  for (const Completed& each : commands) names += std::string(each.manual.command->name) + " ";
  std::string out(head);
  out += fmt::format(
      "  if [[ -z $command ]]; then\n    _flexslice_words '{}--help --version'\n    return\n  fi\n",
      names);
  out += "  case $command,$option in\n";
  for (const Completed& each : commands) {
    for (std::size_t i = 0; i < each.options.size(); ++i) {
      const Option& option = each.manual.options[i];
      if (option.argument.empty()) continue;
      const std::string_view command = each.manual.command->name;
      const std::string letter =
          option.letter.empty() ? std::string() : fmt::format("{},-{} | ", command, option.letter);
      out += fmt::format("    {}{},{}) {}return ;;\n", letter, command, dashed(option),
                         replies(each.options[i]));
    }
  }
  out += "  esac\n  case $command,$current in\n";
  for (const Completed& each : commands) {
    const std::string_view command = each.manual.command->name;
    out += fmt::format("    {},-*) _flexslice_words '{}' ;;\n", command, option_names(each.manual));
    out += fmt::format("    {},*) {};;\n", command, replies(each.positional));
  }
  return out + "  esac\n}\n\ncomplete -F _flexslice flexslice\n";
}

}  // namespace flexslice::cli
