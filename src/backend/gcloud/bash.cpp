#include "backend/gcloud/bash.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/gcloud/shell_quote.hpp"
#include "base/text.hpp"

namespace flexslice::gcloud {

using yaml::Value;

namespace {

constexpr std::size_t max_width = 100;

// Text for a comment or a title stays on its line.
std::string one_line(std::string_view text) {
  std::string line(text);
  std::replace_if(
      line.begin(), line.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  return line;
}

class Writer {
 public:
  Writer(bool comments, bool keep_going) : comments_(comments), keep_going_(keep_going) {}

  void steps(const Value& steps, std::size_t indent) {
    for (const Value& step : steps.items) this->step(step, indent);
  }

  std::string take() { return std::move(out_); }
  bool uses(std::string_view function) const {
    return std::find(used_.begin(), used_.end(), function) != used_.end();
  }

 private:
  void step(const Value& step, std::size_t indent);
  std::optional<std::string> guard(const Value& step, std::size_t indent);
  void action(const Value& step, std::size_t indent);
  std::vector<std::string> action_words(const Value& step);
  void command(std::vector<std::string> words, std::size_t indent, std::string_view tail);
  void explain(const Value& argv, std::size_t indent);
  void use(std::string_view function) {
    if (!uses(function)) used_.push_back(function);
  }
  void line(std::size_t indent, std::string_view text) {
    out_ += std::string(indent, ' ') + std::string(text) + "\n";
  }

  bool comments_;
  bool keep_going_;
  std::string out_;
  std::vector<std::string_view> used_;
};

std::vector<std::string> words_of(std::string_view function, const Value* argv) {
  std::vector<std::string> words{std::string(function)};
  if (argv == nullptr) return words;
  for (const Value& word : argv->items) words.push_back(shell_quote(word.text));
  return words;
}

// One line when it fits; else the command with its operands, and each flag on a line of its own.
void Writer::command(std::vector<std::string> words, std::size_t indent, std::string_view tail) {
  const std::string whole = text::join(words, " ") + std::string(tail);
  if (indent + whole.size() <= max_width) {
    line(indent, whole);
    return;
  }
  std::size_t first_flag = 1;
  while (first_flag < words.size() && !words[first_flag].starts_with("--")) ++first_flag;
  std::string first;
  for (std::size_t i = 0; i < first_flag; ++i) first += (i == 0 ? "" : " ") + words[i];
  line(indent, first + (first_flag < words.size() ? " \\" : std::string(tail)));
  for (std::size_t i = first_flag; i < words.size(); ++i) {
    line(indent + 4, words[i] + (i + 1 < words.size() ? " \\" : std::string(tail)));
  }
}

// Where the numbers among the flags come from.
void Writer::explain(const Value& argv, std::size_t indent) {
  if (!comments_) return;
  for (const Value& word : argv.items) {
    if (!word.comment.empty())
      line(indent, fmt::format("# {}: {}", one_line(word.text), one_line(word.comment)));
  }
}

// Writes the condition. What to say where it does not hold; nothing when the step has none.
std::optional<std::string> Writer::guard(const Value& step, std::size_t indent) {
  struct Kind {
    std::string_view key, function, otherwise;
  };
  for (const auto& [key, function, otherwise] :
       {Kind{"unless", "missing", "exists already, left as it is"},
        Kind{"if", "present", "gone already"}}) {
    const Value* guard = step.find(key);
    const Value* exists = guard == nullptr ? nullptr : guard->find("exists");
    const Value* list = guard == nullptr ? nullptr : guard->find("list");
    if (exists == nullptr || list == nullptr) continue;  // a hole in it had no value
    use(function);
    std::vector<std::string> words = words_of(fmt::format("if {}", function), nullptr);
    words.push_back(shell_quote(exists->text));
    for (const Value& word : list->items) words.push_back(shell_quote(word.text));
    command(std::move(words), indent, "; then");
    const Value* given = guard->find("otherwise");
    return given != nullptr ? one_line(given->text) : std::string(otherwise);
  }
  return std::nullopt;
}

std::vector<std::string> Writer::action_words(const Value& step) {
  if (const Value* credentials = step.find("credentials")) {
    use("credentials");
    return words_of("credentials", credentials);
  }
  if (const Value* kubectl = step.find("kubectl")) {
    use("namespace");
    const Value* object = step.find("delete");
    const Value* api = step.find("api");
    std::string function = "run kubectl";
    if (object != nullptr && api != nullptr) {
      use("delete");
      function =
          fmt::format("delete {} {} kubectl", shell_quote(object->text), shell_quote(api->text));
    }
    std::vector<std::string> words = words_of(function, kubectl);
    words.emplace_back("--namespace=\"$namespace\"");
    return words;
  }
  const Value* run = step.find("run");
  if (run == nullptr) return {};
  if (const Value* expected = step.find("expect")) {
    use("expect");
    return words_of("expect " + shell_quote(expected->text), run);
  }
  return words_of("run", run);
}

void Writer::action(const Value& step, std::size_t indent) {
  if (const Value* inner = step.find("steps")) {
    steps(*inner, indent);
    return;
  }
  std::vector<std::string> words = action_words(step);
  if (words.empty()) return;
  if (keep_going_) {
    const std::string_view function = step.find("containsAll") == nullptr ? "try" : "try_whole";
    use(function);
    words.front() = fmt::format("{} {}", function, words.front());
  }
  if (const Value* run = step.find("run")) explain(*run, indent);
  command(std::move(words), indent, "");
}

void Writer::step(const Value& step, std::size_t indent) {
  const Value* title = step.find("title");
  if (indent == 0 || step.find("steps") == nullptr) out_ += "\n";
  if (title != nullptr) line(indent, "step " + shell_quote(one_line(title->text)));
  const std::optional<std::string> otherwise = guard(step, indent);
  if (!otherwise) {
    action(step, indent);
    return;
  }
  action(step, indent + 2);
  line(indent, "else");
  line(indent + 2, "echo " + shell_quote("    " + *otherwise));
  line(indent, "fi");
}

std::string part(const templates::Set& templates, std::string_view name) {
  const yaml::View part = templates.find("script/" + std::string(name));
  return part ? std::string(part->text) : std::string();
}

// The value of a member of the script, empty when there is none.
std::string_view text_of(const Value& script, std::string_view key) {
  const Value* value = script.find(key);
  return value == nullptr ? std::string_view() : std::string_view(value->text);
}

std::string head(const Value& script, const Header& header, bool in_namespace) {
  std::string out = "#!/usr/bin/env bash\n";
  const auto comment = [&](std::string_view text) {
    out += text.empty() ? "#\n" : "# " + one_line(text) + "\n";
  };
  comment(fmt::format("{}.", text_of(script, "title")));
  comment(fmt::format("{}.", header.summary));
  if (header.comments) {
    comment("");
    comment(
        fmt::format("Compiled by flexslice from {}: change the spec and compile again, rather than "
                    "editing this file.",
                    header.source));
    comment("");
    const std::string_view space_name = text_of(script, "namespace");
    const auto usage = [&](std::string_view arguments, std::string_view does) {
      std::string left = fmt::format("  bash {} {}", header.file, arguments);
      left.resize(header.file.size() + (in_namespace ? 24 : 19), ' ');
      comment(left + std::string(does));
    };
    usage("", "does it; running it again is safe");
    usage("--dry-run", "prints the commands instead of running them");
    if (in_namespace && space_name.empty())
      usage("--namespace NS", "uses namespace NS instead of that of kubectl's current context");
    else if (in_namespace)
      usage("--namespace NS",
            fmt::format("fails unless NS is {}, the namespace of the spec", space_name));
  }
  return out;
}

// Finds the namespace: the spec's, that of --namespace, or that of kubectl's current context.
std::string namespace_part(std::string_view of_spec, const templates::Set& templates) {
  if (of_spec.empty()) return part(templates, "namespace-of-context");
  return fmt::format(
             "\n# `kubectl apply` takes no other namespace than that of the "
             "manifests.\nof_spec={}\n",
             shell_quote(of_spec)) +
         part(templates, "namespace-of-spec");
}

}  // namespace

std::string to_bash(const Value& script, const Header& header, const templates::Set& templates) {
  const bool keep_going = text_of(script, "keepGoing") == "true";
  Writer writer(header.comments, keep_going);
  const Value* steps = script.find("steps");
  if (steps != nullptr) writer.steps(*steps, 0);
  const bool in_namespace = writer.uses("namespace");
  std::string out = head(script, header, in_namespace) + part(templates, "head");
  out += part(templates, in_namespace ? "options-namespace" : "options");
  if (writer.uses("missing") || writer.uses("present")) out += part(templates, "guard");
  for (std::string_view function :
       {"missing", "present", "expect", "credentials", "delete", "try", "try_whole"}) {
    if (writer.uses(function) || (keep_going && function == "try"))
      out += part(templates, function);
  }
  if (in_namespace) out += namespace_part(text_of(script, "namespace"), templates);
  const bool compares = writer.uses("expect");
  out += writer.take();
  if (steps == nullptr)
    out += fmt::format("\necho {} >&2\n", shell_quote(text_of(script, "otherwise")));
  if (compares) out += part(templates, "verdict");
  if (keep_going) out += part(templates, "left");
  return out;
}

}  // namespace flexslice::gcloud
