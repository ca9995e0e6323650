#include "extract/written_input.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/ascii.hpp"
#include "base/lines.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "extract/shell_words.hpp"
#include "yaml/embedded.hpp"

namespace flexslice::extract {

using std::size_t;

namespace {

bool rewrites(std::string_view program) {
  program = program.substr(program.rfind('/') + 1);
  return program.ends_with(".py") ||
         any_of(embedded::root_of(embedded::kubernetes, "extract/wrappers.yaml"),
                [&](yaml::View row) {
                  return row.find("rewrites") && any_of(row.find("programs"), [&](yaml::View each) {
                           return each.text() == program;
                         });
                });
}

// The words of one command of a line.
struct LinePart {
  std::vector<std::string_view> words;

  bool has(std::string_view word) const { return contains(words, word); }
  std::string_view program() const {
    for (std::string_view word : words) {
      const bool is_before = word == "if" || word == "!" || word == "while" || word == "until" ||
                             word == "then" || word == "do" || word == "time" || is_wrapper(word) ||
                             word.starts_with('-') || assignment_length(word) > 0;
      if (!is_before || word.starts_with("python")) return word;
    }
    return {};
  }
};

std::vector<LinePart> parts_of(std::string_view line) {
  std::vector<LinePart> parts(1);
  for (size_t at = 0; at < line.size();) {
    const size_t found = text::find_if(line, at, [](char c) {
      return ascii::is_space(c) || contains(std::string_view("|;&(){}<>\"'`"), c);
    });
    const size_t end = std::min(found, line.size());
    if (end > at) parts.back().words.push_back(line.substr(at, end - at));
    if (end < line.size() && contains(std::string_view("|;&({`"), line[end])) parts.emplace_back();
    at = end + 1;
  }
  return parts;
}

std::string_view line_around(std::string_view script, size_t at) {
  const size_t begin = at == 0 ? 0 : script.rfind('\n', at - 1) + 1;
  return script.substr(begin, text::line_end(script, at) - begin);
}

bool creates(const LinePart& part) {
  return (part.program() == "kubectl" || part.program() == "oc") &&
         (part.has("apply") || part.has("create") || part.has("replace"));
}

bool rewrites_in(std::string_view line) {
  return any_of(parts_of(line), [](const LinePart& part) {
    const std::string_view program = part.program();
    const bool is_kubectl = program == "kubectl" || program == "oc";
    return rewrites(program) || (is_kubectl && (part.has("patch") || part.has("--local")));
  });
}

// Tests give what is to be refused.
bool is_tried(std::string_view line) {
  const std::string_view bare = text::trim(line);
  return bare.starts_with('!') || bare.starts_with("if ") || bare.starts_with("diff ") ||
         line.find("--dry-run") != line.npos;
}

bool ends_name(std::string_view script, size_t at) {
  return at >= script.size() || !ascii::is_word(script[at]);
}

// How the script uses the variable that holds the text.
bool uses_as_written(std::string_view script, std::string_view name, bool needs_use) {
  bool is_used = false;
  for (size_t at = 0; (at = script.find(name, at)) != script.npos; at += name.size()) {
    const size_t end = at + name.size();
    if (!ends_name(script, end) || at == 0) continue;
    const bool has_brace = at > 1 && script[at - 1] == '{' && script[at - 2] == '$';
    if (script.substr(end).starts_with("+=")) return false;
    if (!has_brace && script[at - 1] != '$') continue;
    if (has_brace && !script.substr(end).starts_with('}')) return false;
    const std::string_view line = line_around(script, at);
    if (rewrites_in(line) || is_tried(line)) return false;
    is_used = is_used || any_of(parts_of(line), creates) || contains(line, '>');
  }
  return is_used || !needs_use;
}

// A command may change the file after the script has written it.
bool is_file_kept(std::string_view script, std::string_view line) {
  const size_t arrow = line.find('>');
  if (arrow == line.npos || arrow + 1 == line.size()) return true;
  if (line[arrow + 1] == '>') return false;
  std::string_view file = text::trim(line.substr(arrow + 1));
  file = file.substr(0, file.find_first_of(" \t;|&<)"));
  file = file.substr(file.rfind('/') + 1);
  while (!file.empty() && contains(std::string_view("\"'"), file.back())) file.remove_suffix(1);
  if (file.empty() || contains(file, '$') || file == "null" || file == "1" || file == "2")
    return true;
  for (size_t at = 0; (at = script.find(file, at)) != script.npos; at += file.size()) {
    const std::string_view other = line_around(script, at);
    if (rewrites_in(other) || (other.find(">>") != other.npos && other.find("<<") != other.npos))
      return false;
  }
  return true;
}

// `NAME=` of `NAME="…"` and of `NAME=$(cat <<E`, `NAME` of `read -d '' NAME <<E`.
std::string_view name_before(std::string_view line) {
  for (const LinePart& part : parts_of(line)) {
    const auto is_name = [](std::string_view word) {
      return word != "read" && !word.empty() && variable_name(word) == word;
    };
    if (part.program() == "read") {
      const auto name = std::ranges::find_if(part.words, is_name);
      return name == part.words.end() ? std::string_view() : *name;
    }
    for (std::string_view word : part.words) {
      const std::string_view name = variable_name(word);
      const std::string_view rest = word.substr(name.size());
      if (!name.empty() && (rest == "=" || rest == "=$")) return name;
    }
  }
  return {};
}

}  // namespace

bool WrittenInputs::keeps_variable(std::string_view name, bool needs_use) {
  const auto [known, is_new] = variables_.try_emplace({std::string(name), needs_use});
  if (is_new) known->second = uses_as_written(script_, name, needs_use);
  return known->second;
}

bool WrittenInputs::keeps_file(std::string_view line) {
  const auto [known, is_new] = files_.try_emplace(std::string(line));
  if (is_new) known->second = is_file_kept(script_, line);
  return known->second;
}

bool WrittenInputs::are_applied(const HereText& here) {
  const std::string_view script = script_;
  const size_t from = std::min<size_t>(here.line.begin, here.begin);
  const size_t begin = from == 0 ? 0 : script.rfind('\n', from - 1) + 1;
  std::string line(script.substr(begin, (here.is_word ? here.begin : here.line.end) - begin));
  const std::string_view bare = text::trim(line);
  const std::string_view name = name_before(line);
  const bool goes_on = bare.ends_with('|') || bare.ends_with('\\');
  if (here.is_word) {
    line += script.substr(here.end, text::line_end(script, here.end) - here.end);
  } else if (goes_on) {
    const size_t next = text::next_line(script, here.end);
    if (next < script.size()) line += script.substr(next, text::line_end(script, next) - next);
  }
  if (rewrites_in(line)) return false;
  const auto is_comment = [](const LinePart& part) { return part.program() == ":"; };
  if (!here.is_word && any_of(parts_of(line), is_comment)) return false;
  if (!name.empty()) return keeps_variable(name, here.is_word);
  if (!here.is_word) return keeps_file(line);
  return !is_tried(line) &&
         (any_of(parts_of(line), creates) || (contains(line, '>') && keeps_file(line)));
}

}  // namespace flexslice::extract
