#include "cli/files/depfile.hpp"

#include <algorithm>

namespace flexslice::cli {

namespace {

enum class Role { target, prerequisite };

// As make reads it in a rule.
std::string escaped(std::string_view name, Role role) {
  std::string made;
  std::size_t backslashes = 0;
  for (char c : name) {
    const bool special = std::string_view(" #:*?[").find(c) != std::string_view::npos ||
                         (c == '%' && role == Role::target);
    // A backslash before what needs one itself means a backslash only when it is doubled.
    if (special) made.append(backslashes + 1, '\\');
    if (c == '$') made += '$';
    // Nothing else keeps make from reading `a=b: c` as a variable.
    if (c == '=') {
      made += "$(or =)";
    } else {
      made += c;
    }
    backslashes = c == '\\' ? backslashes + 1 : 0;
  }
  return made;
}

}  // namespace

bool make_can_name(std::string_view name) {
  const auto impossible = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F || c == ';' || c == '|';
  };
  if (name.empty() || std::any_of(name.begin(), name.end(), impossible)) return false;
  if (name.back() == ')')
    return name.find('(') == std::string_view::npos;  // a member of an archive
  return name.back() != '&' && name.back() != '\\' && name.back() != ' ';
}

std::string make_rule(std::span<const std::string> targets,
                      std::span<const std::string> prerequisites) {
  std::string rule;
  for (const std::string& target : targets)
    rule += (rule.empty() ? "" : " ") + escaped(target, Role::target);
  rule += ':';
  for (const std::string& each : prerequisites)
    rule += " \\\n  " + escaped(each, Role::prerequisite);
  return rule + "\n";
}

std::string make_phony(const std::set<std::string>& names) {
  std::string rules;
  for (const std::string& name : names) rules += "\n" + escaped(name, Role::target) + ":\n";
  return rules;
}

std::string dep_file_of(const std::string& output) {
  const std::size_t slash = output.rfind('/');
  const std::size_t name = slash == std::string::npos ? 0 : slash + 1;
  const std::size_t dot = output.rfind('.');
  const bool suffix = dot != std::string::npos && dot > name;
  return output.substr(0, suffix ? dot : std::string::npos) + ".d";
}

}  // namespace flexslice::cli
