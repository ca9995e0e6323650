#include "extract/shell_words.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "schema/placeholder.hpp"
#include "yaml/embedded.hpp"

namespace flexslice::extract {

using std::size_t;

namespace {

constexpr size_t longest = 1024;  // names and words are not: keeps time linear
constexpr size_t most_numbers = 32;

constexpr std::string_view keywords[] = {"!", "$"};
constexpr std::string_view declarations[] = {"export", "readonly", "local", "declare", "typeset"};
constexpr std::string_view input_commands[] = {"read", "unset", "mapfile", "readarray", "getopts"};
// They set no variable of a shell. After a file of functions was read that is not
// known, any other name may be one of these functions.
constexpr std::string_view known_programs[] = {
    "[",        "[[",       "test",      "true",      ":",         "echo",     "printf",
    "cat",      "cd",       "pushd",     "popd",      "mkdir",     "rm",       "cp",
    "mv",       "ls",       "ln",        "touch",     "chmod",     "chown",    "grep",
    "sed",      "awk",      "cut",       "tr",        "sort",      "uniq",     "head",
    "tail",     "wc",       "tee",       "find",      "xargs",     "date",     "sleep",
    "seq",      "basename", "dirname",   "realpath",  "readlink",  "pwd",      "which",
    "type",     "hash",     "hostname",  "whoami",    "id",        "uname",    "env",
    "sudo",     "exec",     "nohup",     "nice",      "timeout",   "time",     "watch",
    "curl",     "wget",     "git",       "docker",    "podman",    "gcloud",   "gsutil",
    "bq",       "kubectl",  "kustomize", "helm",      "kind",      "minikube", "terraform",
    "tofu",     "ansible",  "python",    "python3",   "pip",       "pip3",     "uv",
    "conda",    "node",     "npm",       "npx",       "go",        "make",     "cmake",
    "ninja",    "bash",     "sh",        "zsh",       "ssh",       "scp",      "rsync",
    "tar",      "zip",      "unzip",     "gzip",      "gunzip",    "jq",       "yq",
    "envsubst", "openssl",  "base64",    "md5sum",    "sha256sum", "diff",     "apt",
    "apt-get",  "yum",      "dnf",       "brew",      "systemctl", "service",  "xpk",
    "gcluster", "exit",     "return",    "break",     "continue",  "wait",     "kill",
    "jobs",     "umask",    "ulimit",    "shopt",     "set",       "alias",    "unalias",
    "clear",    "mktemp",   "for",       "select",    "case",      "function", "false",
    "source",   ".",        "disown",    "flexslice", "skaffold",  "tput",     "stat",
    "df",       "du",       "ps",        "pgrep"};
// Files of other programs that set up a shell, and no variable of a script.
constexpr std::string_view known_files[] = {"/activate", "/path.bash.inc", "/completion.bash.inc"};
// Documentation writes these words for a value.
constexpr std::string_view single_words[] = {
    "ZONE",     "REGION",  "LOCATION",    "PROJECT", "CLUSTER", "NAME",
    "TOPOLOGY", "NETWORK", "RESERVATION", "VERSION", "COUNT",   "NODES",
    "N",        "X",       "XXX",         "...",     "…"};

// The row lists programs that run the command after them unchanged.
yaml::View prefix_row() {
  for (const yaml::View row : embedded::root_of(embedded::kubernetes, "extract/wrappers.yaml")) {
    if (row.find("prefix")) return row;
  }
  return {};
}

bool has(yaml::View list, std::string_view word) {
  return any_of(list, [&](yaml::View each) { return each.text() == word; });
}

// `[ZONE]`, `{ZONE}`: the part in brackets at `at` is of capitals.
bool is_bracketed(std::string_view word, size_t at) {
  const char close = word[at] == '[' ? ']' : '}';
  const size_t end = word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", at + 1);
  return end != word.npos && word[end] == close && end > at + 1 && ascii::is_upper(word[at + 1]);
}

}  // namespace

std::string_view variable_name(std::string_view text) {
  if (text.empty() || ascii::is_digit(text.front())) return {};
  return text.substr(
      0, static_cast<size_t>(std::ranges::find_if_not(text, ascii::is_word) - text.begin()));
}

size_t assignment_length(std::string_view raw) {
  raw = raw.substr(0, longest);
  size_t at = variable_name(raw).size();
  if (at == 0) return 0;
  const auto is = [&](char c) { return at < raw.size() && raw[at] == c; };
  if (is('[')) {
    int depth = 0;
    do {
      if (at >= raw.size() || raw[at] == '\n') return 0;
      depth += raw[at] == '[' ? 1 : raw[at] == ']' ? -1 : 0;
      ++at;
    } while (depth > 0);
  }
  if (is('+')) ++at;
  return is('=') ? at + 1 : 0;
}

std::string_view assigned_value(std::string_view assignment) {
  return assignment.substr(assignment_length(assignment));
}

bool has_placeholder(std::string_view word) {
  word = word.substr(0, longest);
  if (!schema::placeholder_in(word).empty() || !schema::capital_word_in(word).empty()) return true;
  for (size_t at = 0; (at = word.find_first_of("[{", at)) != word.npos; ++at) {
    if (is_bracketed(word, at)) return true;
  }
  if (word.starts_with('-')) word.remove_prefix(std::min(word.find('='), word.size() - 1) + 1);
  return contains(single_words, word);
}

size_t angle_placeholder_length(std::string_view text) {
  if (text.size() < 3 || text[0] != '<' || !(ascii::is_lower(text[1]) || ascii::is_upper(text[1])))
    return 0;
  text = text.substr(0, longest);
  const size_t end = text.find_first_not_of(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./ ", 1);
  return end != text.npos && text[end] == '>' && text[end - 1] != ' ' ? end + 1 : 0;
}

std::optional<std::int64_t> integer(std::string_view word) {
  const bool is_negative = word.starts_with('-');
  const auto number = text::whole_number(word.substr(is_negative ? 1 : 0));
  return number && is_negative ? -*number : number;
}

std::optional<std::vector<std::string>> numbers_between(std::int64_t first, std::int64_t last,
                                                        std::int64_t step) {
  constexpr std::int64_t largest = 1'000'000'000;
  if (step == 0 || std::max({first, -first, last, -last, step, -step}) > largest) return {};
  std::vector<std::string> numbers;
  for (std::int64_t each = first; step > 0 ? each <= last : each >= last; each += step) {
    if (numbers.size() == most_numbers) return {};
    numbers.push_back(std::to_string(each));
  }
  return numbers;
}

std::optional<std::vector<std::string>> expand_braces(std::string_view word) {
  const size_t open = word.find('{'), close = word.find('}');
  if (open >= close || close == word.npos || word.find_first_of("{}*?[~", close + 1) != word.npos ||
      word.find_first_of("*?[~\\") < open)
    return {};
  const std::string_view inner = word.substr(open + 1, close - open - 1);
  std::vector<std::string> parts;
  if (const size_t dots = inner.find(".."); dots != inner.npos) {
    std::vector<std::int64_t> numbers;
    for (std::string_view rest = inner;;) {
      const size_t end = std::min(rest.find(".."), rest.size());
      const auto number = integer(rest.substr(0, end));
      // `01` makes all of them as long.
      if (!number || std::to_string(*number) != rest.substr(0, end)) return {};
      numbers.push_back(*number);
      if (end == rest.size()) break;
      rest.remove_prefix(end + 2);
    }
    if (numbers.size() > 3) return {};
    const std::int64_t step =
        numbers.size() == 3 ? std::max<std::int64_t>(std::abs(numbers[2]), 1) : 1;
    auto all = numbers_between(numbers[0], numbers[1], numbers[0] <= numbers[1] ? step : -step);
    if (!all) return {};
    parts = std::move(*all);
  } else {
    if (!contains(inner, ',') || inner.find_first_of("{*?[~\\") != inner.npos) return {};
    for (std::string_view part : text::split(inner, ',')) parts.emplace_back(part);
  }
  for (std::string& part : parts) {
    part.insert(0, word.substr(0, open));
    part += word.substr(close + 1);
  }
  return parts;
}

bool is_keyword(std::string_view word) { return contains(keywords, word); }
bool is_wrapper(std::string_view word) { return has(prefix_row().find("programs"), word); }
bool takes_argument(std::string_view option) { return has(prefix_row().find("skips"), option); }
bool is_declaration(std::string_view word) { return contains(declarations, word); }
bool is_input(std::string_view word) { return contains(input_commands, word); }
bool is_program(std::string_view word) {
  return contains(known_programs, word) || contains(word, '/');
}
bool sets_up_a_shell(std::string_view file) {
  return any_of(known_files, [&](std::string_view ending) { return file.ends_with(ending); });
}

}  // namespace flexslice::extract
