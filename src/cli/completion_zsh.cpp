#include <fmt/core.h>

#include "base/text.hpp"
#include "cli/completion.hpp"

namespace flexslice::cli {

namespace {

// Between single quotes, where _arguments gives brackets and colons a meaning of their own.
std::string described(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return out;
}

std::string action(const ArgumentWords& argument, std::string_view name, bool repeats) {
  const std::string words = text::join(std::span<const std::string>(argument.words), " ");
  if (argument.specs && argument.words.empty()) return R"z(_files -g "*.(yaml|yml|json)(-.)")z";
  if (argument.specs) {
    return fmt::format(
        R"z({{_alternative "files:spec:_files -g \"*.(yaml|yml|json)(-.)\"" "words:word:({})"}})z",
        words);
  }
  if (argument.files) return "_files";
  if (argument.directories) return "_files -/";
  if (argument.words.empty()) return " ";
  if (repeats && words.find('=') == std::string::npos)
    return fmt::format("_values -s , {} {}", name, words);
  return fmt::format("({})", words);
}

std::string option_line(const Option& option, const ArgumentWords& argument) {
  const std::string text = "[" + described(option.text) + "]";
  const bool takes = !option.argument.empty();
  const std::string_view equals = dashed(option).starts_with("--") ? "=" : "";
  std::string out = "        ";
  const std::string names = option.letter.empty()
                                ? std::string()
                                : fmt::format("(-{} {})", option.letter, dashed(option));
  if (option.letter.empty()) {
    out += fmt::format("'{}{}{}{}", option.repeats ? "*" : "", dashed(option), takes ? equals : "",
                       text);
  } else {
    out += fmt::format("'{}'{{-{},{}{}}}'{}", option.repeats ? "*" : names, option.letter,
                       dashed(option), takes ? equals : "", text);
  }
  if (takes)
    out += fmt::format(":{}:{}", described(option.argument),
                       action(argument, "value", option.repeats));
  return out + "'";
}

}  // namespace

std::string zsh_completion(const std::vector<Completed>& commands) {
  std::string out =
      "#compdef flexslice\n"
      "# Completion of flexslice for zsh, made by `flexslice completion zsh`: a file named "
      "_flexslice in a directory of $fpath.\n\n"
      "_flexslice() {\n  local -a commands=(\n";
  for (const Completed& each : commands)
    out += fmt::format("    '{}:{}'\n", each.manual.command->name,
                       described(each.manual.command->summary));
  out +=
      "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    _arguments "
      "'--help[show the commands]' '--version[show the "
      "version]'\n"
      "    return\n  fi\n  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case "
      "$command in\n";
  for (const Completed& each : commands) {
    out += fmt::format("    {})\n      _arguments -s", each.manual.command->name);
    for (std::size_t i = 0; i < each.options.size(); ++i)
      out += " \\\n" + option_line(each.manual.options[i], each.options[i]);
    if (!each.manual.command->positional.empty()) {
      out += fmt::format(" \\\n        '*:{}:{}'", described(each.manual.command->positional),
                         action(each.positional, "word", false));
    }
    out += "\n      ;;\n";
  }
  return out +
         "  esac\n}\n\n"
         "# Read by the completion system, or sourced.\n"
         "if [[ $funcstack[1] == _flexslice ]]; then\n  _flexslice \"$@\"\nelse\n  compdef "
         "_flexslice flexslice\nfi\n";
}

}  // namespace flexslice::cli
