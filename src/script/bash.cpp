#include "script/bash.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "script/shell_quote.hpp"

namespace flexslice::script {

using yaml::Value;

namespace {

constexpr std::size_t max_width = 100;

// Text for a comment or a title stays on its line.
std::string one_line(std::string_view text) {
  std::string line(text);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  return line;
}

class Writer {
 public:
  explicit Writer(bool comments) : comments_(comments) {}

  void steps(const Value& steps, std::size_t indent) {
    for (const Value& step : steps.items) this->step(step, indent);
  }

  std::string take() { return std::move(out_); }
  bool uses(std::string_view function) const { return std::find(used_.begin(), used_.end(), function) != used_.end(); }

 private:
  void step(const Value& step, std::size_t indent);
  std::optional<std::string> guard(const Value& step, std::size_t indent);
  void action(const Value& step, std::size_t indent);
  void command(std::vector<std::string> words, std::size_t indent, std::string_view tail);
  void explain(const Value& argv, std::size_t indent);
  void use(std::string_view function) {
    if (!uses(function)) used_.push_back(function);
  }
  void line(std::size_t indent, std::string_view text) { out_ += std::string(indent, ' ') + std::string(text) + "\n"; }

  bool comments_;
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
    if (!word.comment.empty()) line(indent, text::format("# {}: {}", one_line(word.text), one_line(word.comment)));
  }
}

// Writes the condition. What to say where it does not hold; nothing when the step has none.
std::optional<std::string> Writer::guard(const Value& step, std::size_t indent) {
  struct Kind {
    std::string_view key, function, otherwise;
  };
  for (const auto& [key, function, otherwise] :
       {Kind{"unless", "missing", "exists already, left as it is"}, Kind{"if", "present", "gone already"}}) {
    const Value* guard = step.find(key);
    const Value* exists = guard == nullptr ? nullptr : guard->find("exists");
    const Value* list = guard == nullptr ? nullptr : guard->find("list");
    if (exists == nullptr || list == nullptr) continue;  // a hole in it had no value
    use(function);
    std::vector<std::string> words = words_of(text::format("if {}", function), nullptr);
    words.push_back(shell_quote(exists->text));
    for (const Value& word : list->items) words.push_back(shell_quote(word.text));
    command(std::move(words), indent, "; then");
    const Value* given = guard->find("otherwise");
    return given != nullptr ? one_line(given->text) : std::string(otherwise);
  }
  return std::nullopt;
}

void Writer::action(const Value& step, std::size_t indent) {
  if (const Value* inner = step.find("steps")) {
    steps(*inner, indent);
  } else if (const Value* credentials = step.find("credentials")) {
    use("credentials");
    command(words_of("credentials", credentials), indent, "");
  } else if (const Value* expected = step.find("expect")) {
    use("expect");
    std::vector<std::string> words = words_of("expect " + shell_quote(expected->text), step.find("run"));
    command(std::move(words), indent, "");
  } else if (const Value* run = step.find("run")) {
    explain(*run, indent);
    command(words_of("run", run), indent, "");
  }
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

std::string head(const Value& script, const Header& header) {
  std::string out = "#!/usr/bin/env bash\n";
  const auto comment = [&](std::string_view text) { out += text.empty() ? "#\n" : "# " + one_line(text) + "\n"; };
  const Value* title = script.find("title");
  if (title != nullptr) comment(text::format("{}.", title->text));
  comment(text::format("{}.", header.summary));
  if (header.comments) {
    comment("");
    comment(
        text::format("Compiled by flexslice from {}: change the spec and compile again, rather than editing this file.", header.source));
    comment("");
    comment(text::format("  bash {}            does it; running it again is safe", header.file));
    comment(text::format("  bash {} --dry-run  prints the commands and runs none", header.file));
  }
  return out;
}

}  // namespace

std::string to_bash(const Value& script, const Header& header, const templates::Set& templates) {
  Writer writer(header.comments);
  if (const Value* steps = script.find("steps")) writer.steps(*steps, 0);
  std::string out = head(script, header) + part(templates, "head");
  if (writer.uses("missing") || writer.uses("present")) out += part(templates, "guard");
  for (std::string_view function : {"missing", "present", "expect", "credentials"}) {
    if (writer.uses(function)) out += part(templates, function);
  }
  const bool compares = writer.uses("expect");
  out += writer.take();
  if (compares) out += part(templates, "verdict");
  return out;
}

}  // namespace flexslice::script
