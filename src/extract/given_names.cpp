#include "extract/given_names.hpp"

#include <functional>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"

namespace flexslice::extract {

namespace {

constexpr std::string_view variable_programs[] = {
    "make", "gmake", "MAKE", "just", "task", "go-task", "npm", "ansible-playbook", "builds"};
constexpr std::string_view all_arguments[] = {"$@", "${@}", "$*", " @"};

bool calls_one(std::string_view line) {
  return any_of(variable_programs, [&](std::string_view program) {
    for (std::size_t at = 0; (at = line.find(program, at)) != line.npos; ++at) {
      const std::size_t end = at + program.size();
      const bool begins = at == 0 || !ascii::is_word(line[at - 1]);
      if (begins && (end == line.size() || (!ascii::is_word(line[end]) && line[end] != '-')))
        return true;
    }
    return false;
  });
}

bool is_in_name(char c) { return ascii::is_word(c) || c == '-'; }

}  // namespace

bool has_given_variables(std::string_view path) {
  const std::string name = text::lower(path.substr(path.rfind('/') + 1));
  constexpr std::string_view endings[] = {"makefile", ".mk",  "justfile", ".just",
                                          ".yaml",    ".yml", ".json"};
  return any_of(endings, [&](std::string_view each) { return name.ends_with(each); });
}

void GivenNames::add(std::string_view text) {
  bool is_call = false;
  for (std::size_t at = 0; at < text.size(); at = text::next_line(text, at)) {
    const std::string_view line = text.substr(at, text::line_end(text, at) - at);
    is_call = is_call || calls_one(line);
    if (!is_call) continue;
    is_any_ |=
        any_of(all_arguments, [&](std::string_view each) { return line.find(each) != line.npos; });
    // And `--set nodes 4` of just.
    add_names_set_in(line);
    constexpr std::string_view set = "--set ";
    for (std::size_t i = 0; (i = line.find(set, i)) != line.npos; ++i) {
      const std::string_view rest = line.substr(i + set.size());
      names_.emplace(rest.substr(0, text::find_if(rest, 0, std::not_fn(is_in_name))));
    }
    is_call = line.ends_with('\\');
  }
}

// `NODES=4`, `"nodes": 4`
void GivenNames::add_names_set_in(std::string_view line) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '=' && line[i] != ':') continue;
    std::size_t end = i;
    while (end > 0 && std::string_view("\"' ?:").find(line[end - 1]) != std::string_view::npos)
      --end;
    std::size_t begin = end;
    while (begin > 0 && is_in_name(line[begin - 1])) --begin;
    if (begin < end) names_.emplace(line.substr(begin, end - begin));
  }
}

void GivenNames::add_exported(std::string_view path, std::string_view text) {
  const auto is_call = [](std::string_view line) { return calls_one(line); };
  if (any_of(text::split(text, '\n'), is_call)) add_environment_of(path, text);
}

void GivenNames::add_environment_of(std::string_view path, std::string_view text) {
  const bool is_yaml = path.ends_with(".yml") || path.ends_with(".yaml");
  for (std::string_view line : text::split(text, '\n')) {
    line = text::trim(line);
    const bool sets =
        is_yaml ? ascii::is_upper(line.empty() ? ' ' : line[0]) || line.find('{') != line.npos
                : line.find("export ") != line.npos;
    if (sets) add_names_set_in(line);
  }
}

void GivenNames::add_call_of(std::string_view script, std::string_view path,
                             std::string_view text) {
  bool is_called = false;
  for (std::string_view line : text::split(text, '\n')) {
    const std::size_t at = line.find(script);
    const std::size_t end = at + script.size();
    if (at == line.npos || line.starts_with('#') || (at > 0 && is_in_name(line[at - 1])) ||
        (end < line.size() && (is_in_name(line[end]) || line[end] == '.')))
      continue;
    is_called = true;
    add_names_set_in(line.substr(0, at));
    const std::string_view rest = text::trim(line.substr(end));
    constexpr std::string_view no_arguments = "|&;>)#]}";
    if (rest.empty() || no_arguments.find(rest[0]) != no_arguments.npos) continue;
    for (std::string_view each : {"@", "*", "#", "1", "2", "3", "4", "5", "6", "7", "8", "9"})
      names_.emplace(each);
  }
  if (is_called) add_environment_of(path, text);
}

void GivenNames::add_writer(std::string_view path, std::string_view text) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (!name.ends_with(".yml") && !name.ends_with(".yaml") && !name.ends_with(".md") &&
      text.find("GITHUB_ENV") != text.npos)
    writers_.emplace(name);
}

void GivenNames::add_variables_of_terraform(std::string_view text) {
  const auto add_name = [&](std::string_view rest) {
    const std::string_view name = rest.substr(0, text::find_if(rest, 0, std::not_fn(is_in_name)));
    if (!name.empty()) names_.emplace(name);
    is_any_ |= name.empty() && rest.starts_with('$');
  };
  constexpr std::string_view environment = "TF_VAR_", option = "-var", of_file = "-file";
  for (std::size_t at = 0; (at = text.find(environment, at)) != text.npos;) {
    at += environment.size();
    add_name(text.substr(at));
  }
  for (std::size_t at = 0; (at = text.find(option, at)) != text.npos;) {
    if (at > 0 && ascii::is_word(text[at - 1])) {
      ++at;
      continue;
    }
    std::string_view rest = text.substr(at += option.size());
    rest = rest.substr(0, text::line_end(rest, 0));
    const bool is_file = rest.starts_with(of_file);
    if (is_file) rest.remove_prefix(of_file.size());
    const std::size_t begin = rest.find_first_not_of(" \t=,\"'");
    if (begin == 0 || begin == rest.npos) continue;
    rest.remove_prefix(begin);
    if (!is_file) {
      add_name(rest);
      continue;
    }
    std::string_view file = rest.substr(0, rest.find_first_of(" \t\"',;&|)]"));
    file = file.substr(file.rfind('/') + 1);
    var_files_.emplace(file.find_first_of("${}`<*") == file.npos ? file : std::string_view());
  }
}

void GivenNames::add(const GivenNames& others) {
  names_.insert(others.names_.begin(), others.names_.end());
  writers_.insert(others.writers_.begin(), others.writers_.end());
  var_files_.insert(others.var_files_.begin(), others.var_files_.end());
  is_any_ |= others.is_any_;
}

}  // namespace flexslice::extract
