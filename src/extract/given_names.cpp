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
    // `NODES=4`, `"nodes": 4`, and `--set nodes 4` of just.
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i] != '=' && line[i] != ':') continue;
      std::size_t end = i;
      while (end > 0 && std::string_view("\"' ").find(line[end - 1]) != std::string_view::npos)
        --end;
      std::size_t begin = end;
      while (begin > 0 && is_in_name(line[begin - 1])) --begin;
      if (begin < end) names_.emplace(line.substr(begin, end - begin));
    }
    constexpr std::string_view set = "--set ";
    for (std::size_t i = 0; (i = line.find(set, i)) != line.npos; ++i) {
      const std::string_view rest = line.substr(i + set.size());
      names_.emplace(rest.substr(0, text::find_if(rest, 0, std::not_fn(is_in_name))));
    }
    is_call = line.ends_with('\\');
  }
}

void GivenNames::add(const GivenNames& others) {
  names_.insert(others.names_.begin(), others.names_.end());
  is_any_ |= others.is_any_;
}

}  // namespace flexslice::extract
