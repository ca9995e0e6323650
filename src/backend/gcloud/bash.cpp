#include "backend/gcloud/bash.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "backend/gcloud/shell_quote.hpp"
#include "base/text.hpp"
#include "yaml/emit.hpp"

namespace flexslice::gcloud {

using yaml::Value;

namespace {

using Words = std::vector<std::string>;

// The namespace that a script finds out is put behind the label that needs it.
std::string quoted_word(std::string_view text) {
  const bool needs_namespace = text.ends_with(fmt::format("{}=", namespace_label));
  return shell_quote(text) + (needs_namespace ? "\"$namespace\"" : "");
}

Words kubectl_words(std::string command, const Value* argv) {
  Words words{std::move(command)};
  if (argv == nullptr) return words;
  for (const Value& word : argv->items) words.push_back(quoted_word(word.text));
  return words;
}

// Writes the steps, and remembers which functions of templates/script they call.
class ScriptWriter {
 public:
  ScriptWriter(bool comments, bool keep_going) : comments_(comments), keep_going_(keep_going) {}

  void steps(const Value& steps, std::size_t indent) {
    for (const Value& step : steps.items) this->step(step, indent);
  }

  const std::string& text() const { return out_; }
  bool uses(std::string_view function) const { return used_.count(function) > 0; }
  const std::set<std::string_view>& used() const { return used_; }
  const std::set<std::string_view>& programs() const { return programs_; }  // that checks run

 private:
  void line(std::size_t indent, std::string_view text) {
    out_ += std::string(indent, ' ') + std::string(text) + "\n";
  }

  void step(const Value& step, std::size_t indent) {
    if (const Value* check = step.find("check")) return this->check(step, *check, indent);
    const Value* title = step.find("title");
    if (step.find("steps") != nullptr ? indent == 0 && title != nullptr
                                      : indent == 0 || title != nullptr)
      out_ += "\n";
    if (title != nullptr) line(indent, "step " + shell_quote(yaml::one_line(title->text)));
    const std::optional<Words> otherwise = guard(step, indent);
    const bool kept_going = keep_going_;
    keep_going_ = keep_going_ || step.find("keepGoing") != nullptr;
    action(step, indent + (otherwise ? 2 : 0));
    keep_going_ = kept_going;
    if (!otherwise) return;
    if (!otherwise->empty()) {
      line(indent, "else");
      command(*otherwise, indent + 2, "");
    }
    line(indent, "fi");
  }

  // One command: the function, what is checked, its further arguments, and the words it runs.
  void check(const Value& step, const Value& check, std::size_t indent) {
    const Value* title = step.find("title");
    if (title == nullptr || check.items.empty()) return;
    Words words{check.items.front().text, shell_quote(yaml::one_line(title->text))};
    used_.insert(check.items.front().text);
    for (const Value& word : std::span(check.items).subspan(1))
      words.push_back(shell_quote(word.text));
    for (std::string_view key : {"run", "kubectl"}) {
      const Value* argv = step.find(key);
      if (argv == nullptr || argv->items.empty()) continue;
      const bool kubectl = key == "kubectl";
      programs_.insert(kubectl ? key : std::string_view(argv->items.front().text));
      if (kubectl) {
        used_.insert("namespace");
        words.emplace_back("kubectl");
      }
      for (const Value& word : argv->items) words.push_back(shell_quote(word.text));
      if (kubectl) words.emplace_back("--namespace=\"$namespace\"");
    }
    command(words, indent, "");
  }

  // Writes the condition. What to run where it does not hold, if anything; nothing when the step
  // has no condition.
  std::optional<Words> guard(const Value& step, std::size_t indent) {
    constexpr std::string_view guards[][2] = {
        {"unless", "missing"}, {"own", "own"}, {"if", "present"}};
    std::string tail = "; then";
    for (const auto& [key, function] :
         {std::pair<std::string_view, std::string_view>{"unused", "unused"},
          {"unusedCluster", "unused_cluster"}}) {
      const Value* unused = step.find(key);
      if (unused == nullptr) continue;
      used_.insert("unused");
      used_.insert(function);
      tail = " && " + text::join(kubectl_words(std::string(function), unused), " ") + tail;
    }
    for (const auto& [key, function] : guards) {
      const Value* guard = step.find(key);
      const Value* exists = guard == nullptr ? nullptr : guard->find("exists");
      const Value* list = guard == nullptr ? nullptr : guard->find("list");
      if (exists == nullptr || list == nullptr) continue;  // a placeholder in it had no value
      used_.insert(function);
      if (key != "if") used_.insert("namespace");
      command(kubectl_words(fmt::format("if {} {}", function, shell_quote(exists->text)), list),
              indent, tail);
      if (const Value* same = step.find("same")) {
        used_.insert("same");
        return kubectl_words("same", same);
      }
      // The others say themselves why not.
      if (key != "if") return Words();
      const Value* given = guard->find("otherwise");
      if (given == nullptr || given->items.empty()) return Words{"echo", "'    gone already'"};
      used_.insert(given->items.front().text);
      Words words;
      for (const Value& word : given->items)
        words.push_back(shell_quote(yaml::one_line(word.text)));
      return words;
    }
    for (std::string_view function : {"goes_on", "differs", "is_old"}) {
      const Value* words = step.find(function);
      if (words == nullptr) continue;
      used_.insert(function);
      command(kubectl_words(fmt::format("if {}", function), words), indent, tail);
      return Words();
    }
    return std::nullopt;
  }

  void action(const Value& step, std::size_t indent) {
    if (const Value* inner = step.find("steps")) return steps(*inner, indent);
    Words words = action_words(step);
    if (words.empty()) return;
    if (keep_going_ && (step.find("call") == nullptr || step.find("title") != nullptr)) {
      const std::string_view function = step.find("containsAll") == nullptr ? "try" : "try_whole";
      used_.insert(function);
      words.front() = fmt::format("{} {}", function, words.front());
    }
    // Flags have derived numbers, which a comment explains.
    if (const Value* run = comments_ ? step.find("run") : nullptr) {
      for (const Value& word : run->items) {
        if (!word.comment.empty())
          line(indent,
               fmt::format("# {}: {}", yaml::one_line(word.text), yaml::one_line(word.comment)));
      }
    }
    const Value* input = step.find("input");
    if (input == nullptr) return command(words, indent, "");
    std::string end = "END";
    while (("\n" + input->text).find("\n" + end + "\n") != std::string::npos) end += '_';
    command(words, indent, " <<'" + end + "'");
    out_ += input->text + end + '\n';
  }

  Words action_words(const Value& step) {
    const Value* run = step.find("run");
    if (const Value* call = step.find("call")) {
      Words words;
      for (const Value& word : call->items) words.push_back(shell_quote(word.text));
      if (!words.empty()) used_.insert(call->items.front().text);
      if (const Value* kubectl = step.find("kubectl")) {
        used_.insert("namespace");
        for (std::string& word : kubectl_words("kubectl", kubectl))
          words.push_back(std::move(word));
        words.emplace_back("--namespace=\"$namespace\"");
      }
      return words;
    }
    if (const Value* credentials = step.find("credentials")) {
      used_.insert("credentials");
      return kubectl_words("credentials", credentials);
    }
    if (const Value* kubectl = step.find("kubectl")) {
      const Value* object = step.find("delete");
      const Value* api = step.find("api");
      std::string command = "run kubectl";
      if (object != nullptr && api != nullptr) {
        used_.insert("delete");
        command =
            fmt::format("delete {} {} kubectl", shell_quote(object->text), shell_quote(api->text));
      }
      if (step.find("save") != nullptr) {
        used_.insert("save");
        command = "save kubectl";
      }
      if (step.find("asked") != nullptr) {
        used_.insert("if_asked");
        command = "if_asked " + command;
      }
      Words words = kubectl_words(command, kubectl);
      if (step.find("clusterScoped") == nullptr) {
        used_.insert("namespace");
        words.emplace_back("--namespace=\"$namespace\"");
      }
      return words;
    }
    if (const Value* pools = run == nullptr ? nullptr : step.find("pools")) {
      // Shares the count of what is wrong.
      used_.insert("expect");
      used_.insert("expect_pools");
      Words words = kubectl_words("expect_pools", pools);
      for (const Value& word : run->items) words.push_back(shell_quote(word.text));
      return words;
    }
    if (const Value* expected = run == nullptr ? nullptr : step.find("expect")) {
      used_.insert("expect");
      Words words = kubectl_words("expect", expected);
      for (const Value& word : run->items) words.push_back(shell_quote(word.text));
      return words;
    }
    if (run != nullptr && step.find("save") != nullptr) used_.insert("save");
    return run == nullptr ? Words()
                          : kubectl_words(step.find("save") == nullptr ? "run" : "save", run);
  }

  // One line when it fits; else the command with its operands, and each flag on a line of its own.
  // Arguments that end with `--` have a line each, and the command that they are for follows.
  void command(const Words& words, std::size_t indent, std::string_view tail) {
    constexpr std::size_t max_width = 100;
    std::string text = text::join(words, " ") + std::string(tail);
    if (indent + text.size() <= max_width) return line(indent, text);
    const auto end = std::find(words.begin(), words.end(), "--");
    bool flags = false;
    text = words.front();
    std::size_t margin = indent;
    for (auto word = words.begin() + 1; word != words.end(); ++word) {
      const bool argument = end != words.end() && word <= end;
      flags = !argument && (flags || word->starts_with("--"));
      if (word == words.begin() + 1 || (!argument && !flags)) {
        text += " " + *word;
        continue;
      }
      line(margin, text + " \\");
      text = *word;
      margin = indent + 4;
    }
    line(margin, text + std::string(tail));
  }

  bool comments_;
  bool keep_going_;
  std::string out_;
  std::set<std::string_view> used_, programs_;
};

std::string script_part(const templates::Set& templates, std::string_view name) {
  const yaml::View part = templates.find("script/" + std::string(name));
  return part ? std::string(part.text()) : std::string();
}

// The value of a member of the script, or the first of several; empty when there is none.
std::string_view script_text(const Value& script, std::string_view key) {
  const Value* value = script.find(key);
  if (value != nullptr && !value->items.empty()) value = &value->items.front();
  return value == nullptr ? std::string_view() : std::string_view(value->text);
}

std::string head(const Value& script, const Header& header, bool in_namespace, bool can_force,
                 bool keeps_volumes, bool reruns) {
  std::vector<std::string> lines{fmt::format("{}.", script_text(script, "title")),
                                 fmt::format("{}.", header.summary)};
  std::vector<std::pair<std::string, std::string>> usages;  // a command line, and what it does
  const auto usage = [&](std::string_view arguments, std::string does) {
    usages.emplace_back(fmt::format("bash {} {}", header.file, arguments), std::move(does));
  };
  if (header.comments) {
    lines.emplace_back();
    lines.push_back(
        fmt::format("Compiled by flexslice from {}: change the spec and compile again, rather than "
                    "editing this file.",
                    header.source));
    lines.emplace_back();
    usage("", "does it; running it again is safe");
    usage("--dry-run", "prints the commands instead of running them");
    if (can_force) usage("--force", "also deletes what other workloads use");
    if (keeps_volumes) usage("--delete-volumes", "also deletes claims, with what is in them");
    if (reruns) usage("--rerun", "also starts what has finished, or was never started");
    const std::string_view space_name = script_text(script, "namespace");
    if (in_namespace)
      usage("--namespace NS",
            space_name.empty()
                ? "uses namespace NS instead of that of kubectl's current context"
                : fmt::format("fails unless NS is {}, the namespace of the spec", space_name));
    std::size_t widest = 0;
    for (const auto& [line, does] : usages) widest = std::max(widest, line.size());
    for (const auto& [line, does] : usages)
      lines.push_back(fmt::format("  {:<{}}  {}", line, widest, does));
  }
  std::string out = "#!/usr/bin/env bash\n";
  for (const std::string& line : lines)
    out += line.empty() ? "#\n" : "# " + yaml::one_line(line) + "\n";
  return out;
}

// Finds the namespace: the spec's, that of --namespace, or that of kubectl's current context.
std::string namespace_part(std::string_view of_spec, const templates::Set& templates) {
  if (of_spec.empty()) return script_part(templates, "namespace-of-context");
  return fmt::format(
             "\n# `kubectl apply` takes no other namespace than that of the "
             "manifests.\nof_spec={}\n",
             shell_quote(of_spec)) +
         script_part(templates, "namespace-of-spec");
}

}  // namespace

std::string to_bash(const Value& script, const Header& header, const templates::Set& templates) {
  const bool keep_going = script_text(script, "keepGoing") == "true";
  ScriptWriter writer(header.comments, keep_going);
  const Value* steps = script.find("steps");
  if (steps != nullptr) writer.steps(*steps, 0);
  const bool in_namespace = writer.uses("namespace");
  const bool can_force = writer.uses("unused") || writer.uses("spare_claim");
  const bool keeps_volumes = writer.uses("if_asked") || writer.uses("unused_cluster");
  const std::string_view billed = script_text(script, "billed");
  std::string out =
      head(script, header, in_namespace, can_force, keeps_volumes, writer.uses("goes_on")) +
      // The parts of migrate.sh are those of the other scripts, and no change needs all of them.
      (header.file != "migrate.sh"
           ? ""
           : "# shellcheck disable=SC2034 # no change uses every variable\n") +
      "set -euo pipefail\n" +
      (billed.empty() ? "" : fmt::format("\nmay_be_billed={}\n", shell_quote(billed))) +
      script_part(templates, !billed.empty()          ? "at-exit-migrating"
                             : writer.uses("missing") ? "at-exit-creating"
                                                      : "at-exit") +
      script_part(templates, "head");
  out += script_part(templates, writer.uses("goes_on") ? "options-rerun"
                                : keeps_volumes        ? "options-volumes"
                                : can_force            ? "options-force"
                                : in_namespace         ? "options-namespace"
                                                       : "options");
  const bool checks = script_text(script, "checks") == "true";
  if (checks || writer.uses("missing") || writer.uses("present") || writer.uses("own"))
    out += script_part(templates, "guard");
  if (checks) out += script_part(templates, "checks");
  const std::string_view finally = script_text(script, "finally");
  const bool ends_with_bill = keep_going && !finally.empty();
  if (writer.uses("missing") || writer.uses("own") || writer.uses("not_there") || ends_with_bill)
    out += fmt::format("\nworkload={}\n", shell_quote(script_text(script, "workload")));
  const bool compares = writer.uses("same"), expects = compares || writer.uses("differs");
  const std::string_view advice = script_text(script, "advice");
  const std::string_view changes = script_text(script, "changes");
  const std::string advises =
      advice.empty()
          ? ""
          : fmt::format("\nadvice={}\nchanges={}\n", shell_quote(advice), shell_quote(changes));
  for (std::string_view function :
       {"missing",      "present",        "own",          "expect",        "same",
        "expect_pools", "about",          "credentials",  "is_old",        "goes_on",
        "differs",      "delete",         "try",          "try_whole",     "billed",
        "unused",       "unused_cluster", "remains",      "if_asked",      "stop_if_failed",
        "not_there",    "await",          "ready",        "keep_replicas", "ask_for_volumes",
        "spare_claim",  "save",           "show_waiting", "runs_in",       "try_place",
        "none_left",    "as_before"}) {
    if (writer.uses(function) ||
        (keep_going && (function == "try" || function == "stop_if_failed")) ||
        (expects && function == "expect") || (ends_with_bill && function == "billed"))
      out += script_part(templates, function);
  }
  for (std::string_view function : writer.used())
    out += script_part(templates, "check/" + std::string(function));
  if (checks) {
    out += "\nneed";
    for (std::string_view program : writer.programs()) out += fmt::format(" {}", program);
    out += '\n';
  }
  if (in_namespace) out += namespace_part(script_text(script, "namespace"), templates);
  if (compares) out += advises;
  if (!finally.empty()) out += fmt::format("\nfinally={}\n", shell_quote(finally));
  out += writer.text();
  if (steps == nullptr)
    out += fmt::format("\necho {} >&2\n", shell_quote(script_text(script, "otherwise")));
  if (writer.uses("expect") || writer.uses("expect_pools")) {
    out += advises.empty() ? "\n" : advises;
    out += script_part(templates, "verdict");
  }
  if (const std::string_view next = script_text(script, "next"); !next.empty())
    out += fmt::format("\nstep {}\n", shell_quote(fmt::format("Next: {}", next)));
  if (checks) out += script_part(templates, "summary");
  if (writer.uses("own")) out += script_part(templates, "left");
  if (keep_going) out += "\nstop_if_failed\n";
  if (!finally.empty()) out += script_part(templates, "finally");
  return out;
}

}  // namespace flexslice::gcloud
