// Shells that are the first process of a container and pass no signal on to the program that has to
// stop: it saves no checkpoint and ends no request.
#include <fmt/core.h>

#include <algorithm>

#include "rules/object_rules.hpp"
#include "spec/derived_keys.hpp"
#include "view/shell_commands.hpp"

namespace flexslice::rules {

namespace {

using view::ShellCommand;

// Programs that have ended before, or that nobody waits for.
bool is_helper(std::string_view word) {
  constexpr std::string_view programs[] = {"",         "[",        "[[",
                                           ":",        "apk",      "apt",
                                           "apt-get",  "awk",      "basename",
                                           "break",    "cat",      "cd",
                                           "chmod",    "chown",    "continue",
                                           "cp",       "curl",     "cut",
                                           "date",     "declare",  "df",
                                           "dirname",  "dpkg",     "echo",
                                           "env",      "eval",     "exit",
                                           "export",   "false",    "find",
                                           "free",     "gcloud",   "getent",
                                           "git",      "grep",     "gsutil",
                                           "head",     "hostname", "huggingface-cli",
                                           "hf",       "id",       "install",
                                           "jq",       "kill",     "ldconfig",
                                           "let",      "ln",       "local",
                                           "ls",       "mkdir",    "mount",
                                           "mv",       "nc",       "nproc",
                                           "nslookup", "pip",      "pip3",
                                           "ping",     "popd",     "printenv",
                                           "printf",   "ps",       "pushd",
                                           "pwd",      "read",     "readonly",
                                           "return",   "rm",       "rmdir",
                                           "rsync",    "sed",      "seq",
                                           "set",      "shift",    "shopt",
                                           "sleep",    "sort",     "source",
                                           "ss",       "stat",     "sync",
                                           "sysctl",   "tail",     "tar",
                                           "tee",      "test",     "timeout",
                                           "touch",    "tr",       "true",
                                           "uname",    "ulimit",   "umask",
                                           "uniq",     "unset",    "unzip",
                                           "until",    "uv",       "wait",
                                           "wc",       "wget",     "which",
                                           "xargs",    ".",        "stty",
                                           "dmesg",    "lscpu",    "lsof",
                                           "mktemp",   "realpath", "yum"};
  return contains(programs, word.substr(word.rfind('/') + 1));
}

// The program that the shell waits for, and why it waits; empty: none is known.
struct Unreached {
  std::string program, why;
  bool is_piped = false, has_trap = false;
};

// A trap for the end of the shell passes no signal on, unless it stops the program itself.
bool is_for_end(const ShellCommand& trap, std::span<const ShellCommand> commands) {
  constexpr std::string_view ends[] = {"EXIT", "0", "ERR", "DEBUG", "RETURN"};
  const auto may_stop = [](std::string_view text) {
    return text.find("kill") != text.npos || text.find("wait") != text.npos;
  };
  const std::string_view action = trap.argument;
  return !action.starts_with('-') && !may_stop(action) && !trap.others.empty() &&
         std::ranges::all_of(trap.others,
                             [&](std::string_view signal) { return contains(ends, signal); }) &&
         !any_of(commands, [&](const ShellCommand& each) {
           return !each.function.empty() && action.starts_with(each.function) &&
                  may_stop(each.program);
         });
}

bool starts_nothing(const ShellCommand& command) {
  return command.program == "trap" ||
         (command.program == "exec" ? command.argument.empty() : is_helper(command.program));
}

// Returns the program that a command of the script runs: of a function the last one of its body;
// null: it is a helper, or the body has none.
const ShellCommand* run_by(const ShellCommand& command, std::span<const ShellCommand> commands,
                           int depth = 0) {
  constexpr int most_calls = 8;
  if (starts_nothing(command)) return nullptr;
  const auto is_in = [&](const ShellCommand& each) { return each.function == command.program; };
  if (!any_of(commands, is_in)) return &command;
  const ShellCommand* program = nullptr;
  for (const ShellCommand& each : commands) {
    const ShellCommand* inner =
        is_in(each) && depth < most_calls ? run_by(each, commands, depth + 1) : nullptr;
    if (inner != nullptr) program = inner;
  }
  return program;
}

std::optional<Unreached> unreached_in(std::string_view script) {
  const std::vector<ShellCommand> commands = view::shell_commands(script);
  const ShellCommand *main = nullptr, *program = nullptr;
  std::size_t last_helper = 0, at = 0;
  bool has_trap = false;
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const ShellCommand& command = commands[i];
    const bool is_trap = command.program == "trap";
    if ((is_trap && !is_for_end(command, commands)) ||
        (command.program == "exec" && !command.argument.empty() && !command.piped))
      return std::nullopt;
    has_trap = has_trap || (is_trap && command.function.empty());
    if (!command.function.empty()) continue;
    const ShellCommand* inner = run_by(command, commands);
    if (inner == nullptr) {
      if (!is_trap) last_helper = i;
      continue;
    }
    main = &command;
    program = inner;
    at = i;
  }
  if (main == nullptr) return std::nullopt;
  const auto because = [&](std::string why) {
    return Unreached{program->program == "exec" ? program->argument : program->program,
                     std::move(why), main->piped || program->piped, has_trap};
  };
  if (main->piped || program->piped)
    return because("a pipe is a process of its own for each program in it");
  if (main->background) return because("it runs in the background");
  if (main->nested) return because("the shell goes on after the block that it is in");
  if (at < last_helper) {
    // The next part of the same pipe or condition is a command as well.
    return because("the shell goes on with a command after it");
  }
  if (main->prefixed) return because("the shell waits for its status");
  if (main->redirected) return because("the shell keeps the redirection");
  if (program != main) return because(fmt::format("it waits for its function `{}`", main->program));
  if (has_trap) return because("it runs the command of `trap … EXIT` after it");
  return std::nullopt;
}

bool is_name_of_shell(std::string_view word) {
  constexpr std::string_view shells[] = {"bash", "sh", "dash"};
  return contains(shells, word.substr(word.rfind('/') + 1));
}

// The script of `bash -c`, or null.
const Node* shell_script_of(const Node& container) {
  std::vector<const Node*> words;
  for (std::string_view key : {"command", "args"}) {
    for (const Node& word : items(container, key)) words.push_back(&word);
  }
  if (container.find("command") == nullptr || words.empty() ||
      !is_name_of_shell(words.front()->text))
    return nullptr;
  for (std::size_t i = 1; i + 1 < words.size(); ++i) {
    const std::string_view option = words[i]->text;
    if (!option.starts_with('-') || option.starts_with("--")) return nullptr;
    if (option.find('c') != option.npos) return words[i + 1];
  }
  return nullptr;
}

// A pod that gets no SIGTERM loses requests, or the time that it was given to end.
bool needs_signal(const PodTree& pod) {
  if (pod.spec.find("terminationGracePeriodSeconds") != nullptr) return true;
  if (pod.object != nullptr) {
    constexpr std::string_view serving[] = {"Deployment", "StatefulSet", "LeaderWorkerSet"};
    const Node* kind = pod.object->find("kind");
    return kind != nullptr && contains(serving, kind->text);
  }
  return pod.facts.kind != nullptr && !pod.facts.kind->ends && !pod.facts.kind->ray;
}

void judge_signals(const PodTree& pod, Sink& sink) {
  if (!says_all(pod.completeness) || !needs_signal(pod) ||
      pod.spec.find("shareProcessNamespace") != nullptr)
    return;
  for (const Node& container : items(pod.spec, "containers")) {
    const bool is_own = !pod.field.empty() || !spec::requested_chips(container).empty();
    const Node* script = shell_script_of(container);
    if (!is_own || script == nullptr || container.find("lifecycle") != nullptr) continue;
    const auto unreached = unreached_in(script->text);
    if (!unreached) continue;
    Diagnostic& finding = sink.report<Code::SignalNotPassed>(
        place_of({script, &container}), fmt::format("`{}`", unreached->program));
    finding.note("the shell is the first process, and {}", unreached->why);
    if (unreached->is_piped)
      finding.help("write `exec {0} … > >(tee FILE) 2>&1` in place of `{0} … | tee FILE`",
                   unreached->program);
    else if (unreached->has_trap)
      finding.help(
          "write `{} … & PID=$!`, `trap 'kill -TERM $PID' TERM` and `wait $PID`: after `exec` "
          "nothing runs the command of `trap … EXIT`",
          unreached->program);
    else
      finding.help("write `exec {} …`, as the last command", unreached->program);
    return;
  }
}

}  // namespace

PodRules pod_signal_rules() {
  static constexpr PodRule rules[] = {judge_signals};
  return rules;
}

}  // namespace flexslice::rules
