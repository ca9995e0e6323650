// Commands that are written as if a shell read them. A RayJob's, which a shell does read, are
// judged with its other fields.
#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "base/ascii.hpp"
#include "rules/object_rules.hpp"

namespace flexslice::rules {

namespace {

struct CommandWord {
  std::string_view text;
  Span where;
};

bool is_name_start(char c) { return c == '_' || ascii::is_upper(c); }
bool is_name_part(char c) { return is_name_start(c) || ascii::is_digit(c); }

// Programs that read shell words or `$NAME` themselves, or hand them to one that does.
bool expands(std::string_view word) {
  constexpr std::string_view programs[] = {
      "sh",       "bash", "dash",  "ash",    "zsh",   "ksh",  "fish",     "busybox",
      "envsubst", "eval", "xargs", "awk",    "sed",   "perl", "ruby",     "php",
      "make",     "su",   "ssh",   "script", "watch", "jq",   "parallel", "supervisord"};
  const std::string_view name = word.substr(word.rfind('/') + 1);
  return contains(programs, name) || name.ends_with(".sh");
}

// The name in `$NAME` or `${NAME}`, in upper case: other names are those of templates.
std::optional<std::string_view> variable_in(std::string_view word) {
  for (std::size_t i = 0; i + 1 < word.size(); ++i) {
    if (word[i] != '$') continue;
    if (word[i + 1] == '$') {
      ++i;  // `$$` is how Kubernetes writes a dollar
      continue;
    }
    const bool braces = word[i + 1] == '{';
    std::string_view rest = word.substr(i + (braces ? 2 : 1));
    if (rest.empty() || !is_name_start(rest.front())) continue;
    const auto* end = std::ranges::find_if_not(rest, is_name_part);
    const auto length = static_cast<std::size_t>(end - rest.begin());
    const std::string_view after = rest.substr(length);
    const bool ends = braces ? after.starts_with('}') || after.starts_with(":-")
                             : after.empty() || !ascii::is_letter_or_digit(after.front());
    if (ends) return rest.substr(0, length);
  }
  return std::nullopt;
}

bool has_space(std::string_view text) { return std::ranges::any_of(text, ascii::is_space); }

// The command in `$(command)`, of which Kubernetes expands `$(NAME)` alone: the name of a variable
// of the container. Other names in capitals are those that webhooks add, and `a.b` is a template.
std::optional<std::string_view> substitution_in(std::string_view word, const Node& container) {
  for (std::size_t i = 0; (i = word.find("$(", i)) != word.npos; i += 2) {
    const std::string_view rest = word.substr(i + 2);
    const std::string_view inner = rest.substr(0, rest.find(')'));
    if (inner.size() == rest.size() || inner.empty() || (i > 0 && word[i - 1] == '$')) continue;
    // Text, or code.
    if (has_space(word.substr(0, i)) || has_space(rest.substr(inner.size()))) continue;
    const bool may_be_set =
        container.find("envFrom") != nullptr || may_have(container, "env", "name", inner);
    if (has_space(inner) ||
        (ascii::is_lower(inner.front()) && !contains(inner, '.') && !may_be_set))
      return inner;
  }
  return std::nullopt;
}

bool is_assignment(std::string_view word) {
  const auto* end = std::ranges::find_if_not(word, is_name_part);
  return end != word.begin() && end != word.end() && *end == '=' && is_name_start(word.front());
}

std::vector<CommandWord> command_words(const Node& container, std::string_view key) {
  std::vector<CommandWord> words;
  for (const Node& word : items(container, key)) words.push_back({word.text, word.span});
  return words;
}

class Commands {
 public:
  // `instead` ends the help. `is_expanded`: what `$` means is known elsewhere.
  Commands(Sink& sink, std::string instead, bool is_expanded)
      : sink_(sink), instead_(std::move(instead)), is_expanded_(is_expanded) {}

  // `has_shell`: one runs the command.
  void judge(const Node& container, bool has_shell) {
    container_ = &container;
    judge_environment();
    if (has_shell) return;
    judge(command_words(container, "command"), command_words(container, "args"));
  }

 private:
  static bool is_shell(const CommandWord& word) { return expands(word.text); }

  // bash does not expand the text of a variable again, unless the command asks for it by `eval`.
  void judge_environment() const {
    constexpr std::string_view again[] = {"eval", "envsubst", "-c \"$", "-c $"};
    for (std::string_view key : {"command", "args"}) {
      for (const Node& word : items(*container_, key)) {
        if (any_of(again,
                   [&](std::string_view text) { return word.text.find(text) != word.text.npos; }))
          return;
      }
    }
    for (const Node& variable : items(*container_, "env")) {
      const Node *name = variable.find("name"), *value = variable.find("value");
      if (name == nullptr || value == nullptr || contains(value->text, '\n')) continue;
      // A value that is one such name as a whole is filled in before.
      const bool is_mark =
          value->text.starts_with('$') &&
          !any_of(value->text.substr(1), [](char c) { return c == '/' || c == '$'; });
      const auto named = has_space(value->text) || is_mark ? std::nullopt : named_in(value->text);
      const auto run = run_in(value->text);
      if (!named && !run) continue;
      sink_
          .report<Code::VariableNeedsShell>(
              value->span, named ? fmt::format("${}", *named) : fmt::format("$({})", *run),
              name->text)
          .note(
              "Kubernetes replaces only `$(NAME)`, for variables of the container that come before")
          .help("{}",
                run ? "run it in a shell that the command starts"
                    : fmt::format("write `$({})` for a variable of `env`, or the value", *named));
    }
  }

  void judge(const std::vector<CommandWord>& command, const std::vector<CommandWord>& args) const {
    if (any_of(command, is_shell) || any_of(args, is_shell)) return;
    if (command.empty()) return judge_flags(args);
    constexpr std::string_view builtins[] = {"cd", "export", "source", "set", "ulimit"};
    const CommandWord& program = command.front();
    if (has_space(program.text))
      return report(program, "there is no program of this name, with spaces");
    if (contains(builtins, program.text)) return report(program, "it is a command of the shell");
    if (is_assignment(program.text))
      return report(program, "it is an assignment of the shell", "set the variable in `env`");
    for (const auto* words : {&command, &args}) {
      for (const CommandWord& word : *words) {
        if (judge_word(word)) return;
      }
    }
  }

  // Arguments of a program that the image names: it may be a shell.
  void judge_flags(const std::vector<CommandWord>& args) const {
    for (const CommandWord& word : args) {
      if (word.text.starts_with("--") && judge_variable(word)) return;
    }
  }

  bool judge_word(const CommandWord& word) const {
    constexpr std::string_view operators[] = {"&&", "||", "|", ">", ">>", "2>", "2>&1", "&"};
    if (!contains(operators, word.text)) return judge_variable(word);
    report(word, "the program gets it as an argument");
    return true;
  }

  // `$XXX` is a template mark of a file.
  std::optional<std::string_view> named_in(std::string_view word) const {
    if (is_expanded_) return std::nullopt;
    const auto variable = variable_in(word);
    return variable && variable->find_first_not_of('X') == word.npos ? std::nullopt : variable;
  }

  std::optional<std::string_view> run_in(std::string_view word) const {
    return is_expanded_ ? std::nullopt : substitution_in(word, *container_);
  }

  bool judge_variable(const CommandWord& word) const {
    if (run_in(word.text)) {
      report(word, "nothing runs it: Kubernetes replaces only `$(NAME)`, for variables of `env`");
      return true;
    }
    if (has_space(word.text)) return false;  // text, or code
    const auto variable = named_in(word.text);
    if (!variable) return false;
    report(word, "nothing expands it",
           fmt::format("write `$({})` for a variable of `env`", *variable));
    return true;
  }

  void report(const CommandWord& word, std::string_view why, std::string first = {}) const {
    if (!first.empty()) first += ", or ";
    sink_.report<Code::CommandNeedsShell>(word.where, word.text)
        .note(std::string(why))
        .help("{}{}", first, instead_);
  }

  Sink& sink_;
  std::string instead_;
  bool is_expanded_;
  const Node* container_ = nullptr;
};

// In a template, what expands a word may be left out.
void judge_commands(const PodTree& pod, Sink& sink) {
  if (pod.object != nullptr && !says_all(pod.completeness)) return;
  for (std::string_view list : {"containers", "initContainers"}) {
    const bool own = list == "containers" && !pod.field.empty();
    const bool is_of_ray = list == "containers" && pod.object != nullptr &&
                           pod.object->text_at({"kind"}).starts_with("Ray");
    if (own && pod.facts.kind != nullptr && pod.facts.kind->ray) continue;
    Commands commands(
        sink,
        own ? fmt::format("write it as `{}.script`", pod.field) : "write `command: [sh, -c, ...]`",
        pod.completeness == Completeness::expanded);
    const auto containers = items(pod.spec, list);
    // KubeRay joins the words of the first container, and bash runs them.
    for (const Node& container : containers)
      commands.judge(container, is_of_ray && &container == &*containers.begin());
  }
}

}  // namespace

PodRules pod_command_rules() {
  static constexpr PodRule rules[] = {judge_commands};
  return rules;
}

}  // namespace flexslice::rules
