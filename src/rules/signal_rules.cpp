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
  bool is_piped = false;
};

std::optional<Unreached> unreached_in(std::string_view script) {
  const std::vector<ShellCommand> commands = view::shell_commands(script);
  const ShellCommand* main = nullptr;
  std::size_t last_helper = 0, at = 0;
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const ShellCommand& command = commands[i];
    const bool is_exec = command.program == "exec";
    if (command.program == "trap" || (is_exec && !command.argument.empty() && !command.piped))
      return std::nullopt;
    if (command.program == "exec" ? command.argument.empty() : is_helper(command.program)) {
      last_helper = i;
      continue;
    }
    main = &command;
    at = i;
  }
  if (main == nullptr) return std::nullopt;
  const auto because = [&](std::string why) {
    return Unreached{main->program == "exec" ? main->argument : main->program, std::move(why),
                     main->piped};
  };
  if (main->piped) return because("a pipe is a process of its own for each program in it");
  if (main->background) return because("it runs in the background");
  if (main->nested) return because("the shell goes on after the block that it is in");
  if (at < last_helper) {
    // The next part of the same pipe or condition is a command as well.
    return because("the shell goes on with a command after it");
  }
  if (main->prefixed) return because("the shell waits for its status");
  if (main->redirected) return because("the shell keeps the redirection");
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
