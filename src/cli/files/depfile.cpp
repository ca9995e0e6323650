#include "cli/files/depfile.hpp"

#include <algorithm>
#include <filesystem>

namespace flexslice::cli {

namespace {

enum class Role { target, prerequisite };

// As make reads it in a rule.
std::string escaped_for_make(std::string_view name, Role role) {
  std::string out;
  std::size_t backslashes = 0;
  for (char c : name) {
    const bool special = std::string_view(" #:*?[").find(c) != std::string_view::npos ||
                         (c == '%' && role == Role::target);
    // A backslash before what needs one itself means a backslash only when it is doubled.
    if (special) out.append(backslashes + 1, '\\');
    if (c == '$') out += '$';
    // Nothing else keeps make from reading `a=b: c` as a variable.
    out += c == '=' ? "$(or =)" : std::string(1, c);
    backslashes = c == '\\' ? backslashes + 1 : 0;
  }
  return out;
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
    rule += (rule.empty() ? "" : " ") + escaped_for_make(target, Role::target);
  rule += ':';
  for (const std::string& prerequisite : prerequisites)
    rule += " \\\n  " + escaped_for_make(prerequisite, Role::prerequisite);
  return rule + "\n";
}

std::string make_phony(const std::set<std::string>& names) {
  std::string rules;
  for (const std::string& name : names)
    rules += "\n" + escaped_for_make(name, Role::target) + ":\n";
  return rules;
}

std::string dep_file_of(const std::string& output) {
  return std::filesystem::path(output).replace_extension(".d").string();
}

}  // namespace flexslice::cli
