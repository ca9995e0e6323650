// The only place that knows cxxopts.
#include <fmt/core.h>

#include <cxxopts.hpp>

#include "base/text.hpp"
#include "cli/files/streams.hpp"
#include "cli/help/command.hpp"

namespace flexslice::cli {

namespace {

constexpr const char* words_option = "words";

// `-MD` and `-MF FILE` are two letters after one hyphen, as gcc has them.
std::vector<std::string> with_two_dashes(std::span<char* const> arguments,
                                         const std::vector<Option>& options) {
  std::vector<std::string> spelt(arguments.begin(), arguments.end());
  for (std::string& word : spelt) {
    if (word == "--") break;
    for (const Option& option : options) {
      if (!has_one_dash(option) || !word.starts_with(dashed(option))) continue;
      const std::string value = word.substr(dashed(option).size());
      if (value.empty()) word.insert(0, "-");
      if (!value.empty() && !option.argument.empty())
        word = fmt::format("--{}={}", option.name, value);
    }
  }
  return spelt;
}

// Puts a complaint of cxxopts in our words, with the option that was likely meant.
std::string usage_text(std::string complaint, std::string_view command) {
  for (std::string_view quote : {"\u2018", "\u2019"}) {
    const std::size_t at = complaint.find(quote);
    if (at != std::string::npos) complaint.replace(at, quote.size(), "`");
  }
  const std::string see = fmt::format("; see flexslice {} --help", command);
  const auto parts = text::split(complaint, '`');
  if (parts.size() < 3 || parts[0] != "Option ") return complaint + see;
  const std::string_view name = parts[1];
  const std::string text =
      fmt::format("option `{}{}`{}", name.size() > 1 ? "--" : "-", name, parts[2]);
  std::vector<std::string_view> names;
  for (const Option& option : options_of(command)) names.push_back(option.name);
  // `--output` is nearer to it, but writes one file.
  const auto near = name == "output-dir" && command == "compile"
                        ? std::optional<std::string_view>("out-dir")
                        : text::nearest(name, names);
  const bool unknown = parts[2].find("does not exist") != std::string_view::npos;
  return text + (unknown && near ? fmt::format("; did you mean `--{}`?", *near) : see);
}

cxxopts::Options parser_of(const std::vector<Option>& options) {
  cxxopts::Options parser("flexslice");
  parser.add_options()(words_option, "", cxxopts::value<std::vector<std::string>>());
  parser.parse_positional(words_option);
  for (const Option& option : options) {
    const std::string names =
        std::string(option.letter) + (option.letter.empty() ? "" : ",") + std::string(option.name);
    if (option.argument.empty())
      parser.add_options()(names, "");
    else
      parser.add_options()(names, "", cxxopts::value<std::string>());
  }
  return parser;
}

}  // namespace

CommandLine parse_line(std::span<char* const> arguments) {
  CommandLine line;
  // cxxopts takes 25,000 instructions for no options.
  const auto words = arguments.subspan(1);
  if (std::ranges::none_of(words, [](const char* word) { return *word == '-'; })) {
    line.words.assign(words.begin(), words.end());
    return line;
  }
  const std::vector<Option> options = options_in(arguments);
  const std::vector<std::string> spelt = with_two_dashes(arguments, options);
  std::vector<const char*> argv;
  for (const std::string& word : spelt) argv.push_back(word.c_str());
  try {
    const auto parsed = parser_of(options).parse(static_cast<int>(argv.size()), argv.data());
    for (const auto& argument : parsed.arguments()) {
      if (argument.key() == words_option)
        line.words.push_back(argument.value());
      else
        line.options.emplace_back(argument.key(), argument.value());
    }
  } catch (const cxxopts::exceptions::exception& error) {
    throw wrong_usage(usage_text(error.what(), arguments.front()));
  }
  return line;
}

bool CommandLine::has(std::string_view option) const { return !values(option).empty(); }

std::string CommandLine::value(std::string_view option, std::string_view otherwise) const {
  const std::vector<std::string> all = values(option);
  return all.empty() ? std::string(otherwise) : all.back();
}

std::vector<std::string> CommandLine::values(std::string_view option) const {
  std::vector<std::string> all;
  for (const auto& [name, value] : options) {
    if (name == option) all.push_back(value);
  }
  return all;
}

std::vector<std::string> CommandLine::lists(std::string_view option) const {
  std::vector<std::string> all;
  for (const std::string& value : values(option)) {
    for (std::string_view item : text::split(value, ',')) all.emplace_back(item);
    if (value.ends_with(',')) all.pop_back();
  }
  return all;
}

}  // namespace flexslice::cli
