#include "extract/workflow.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "extract/matrix.hpp"
#include "extract/scalar_text.hpp"
#include "yaml/parse.hpp"

namespace flexslice::extract {

using std::size_t;

namespace {

using Environment = std::vector<std::pair<std::string, std::optional<std::string>>>;

void add_environment(const yaml::Node& node, const Expressions& run, Environment& environment) {
  const yaml::Node* const env = node.find("env");
  if (env == nullptr) return;
  for (const auto& [key, value] : env->members) {
    std::erase_if(environment,
                  [&, &name = key](const auto& each) { return each.first == name.text; });
    environment.emplace_back(key.text, value.kind == yaml::Kind::scalar
                                           ? fill_expressions(value.text, run)
                                           : std::nullopt);
  }
}

bool is_off(const yaml::Node& node) {
  const yaml::Node* const condition = node.find("if");
  if (condition == nullptr) return false;
  std::string_view text = text::trim(condition->text);
  if (text.starts_with("${{") && text.ends_with("}}"))
    text = text::trim(text.substr(3, text.size() - 5));
  constexpr std::string_view never[] = {"false", "0", "null", "''"};
  return contains(never, text) || text.starts_with("false &&");
}

// Shells whose words are those of bash.
bool is_shell(const yaml::Node* shell) {
  return shell == nullptr || shell->text.find("sh") == shell->text.npos
             ? shell == nullptr
             : shell->text.find("pwsh") == shell->text.npos &&
                   shell->text.find("powershell") == shell->text.npos;
}

const yaml::Node* default_shell(const yaml::Node& node) {
  return node.at({"defaults", "run", "shell"});
}

// An action that sets no variable of the steps after it, but those that its vendor names.
bool is_harmless(const yaml::Node& uses) {
  return uses.text.starts_with("actions/") || uses.text.starts_with("google-github-actions/") ||
         uses.text.starts_with("docker/");
}

// The values of the matrix, unless it decides whether the step is run at all.
Expressions values_for(const yaml::Node& step, const Expressions& run,
                       const Environment& environment) {
  const yaml::Node* const condition = step.find("if");
  Expressions values;
  if (condition == nullptr || condition->text.find("matrix") == std::string::npos) values = run;
  for (const auto& [name, value] : environment) {
    if (value) values["env." + name] = *value;
  }
  return values;
}

// The lines `echo "NAME=value" >> $FILE` of a script that does nothing else with the file, in their
// order. Nothing: other lines write to it, or may not be run.
std::optional<Environment> written_to(std::string_view file, std::string_view script) {
  constexpr std::string_view openings[] = {
      "if ", "for ", "while ", "until ", "case ", "function ", "else", "elif ", "}", "(", "{"};
  Environment written;
  for (std::string_view line : text::split(script, '\n')) {
    line = text::trim(line);
    const bool has_name = line.find(file) != line.npos;
    const bool branches =
        line.find("exit") != line.npos ||
        any_of(openings, [&](std::string_view each) { return line.starts_with(each); });
    if (branches || (!has_name && line.find("<<") != line.npos)) return std::nullopt;
    if (!has_name) continue;
    const std::size_t arrow = line.find(">>");
    if (!line.starts_with("echo ") || arrow == line.npos) return std::nullopt;
    std::string target(text::trim(line.substr(arrow + 2)));
    std::erase_if(
        target, [](char c) { return std::string_view("\"${}").find(c) != std::string_view::npos; });
    std::string_view word = text::trim(line.substr(5, arrow - 5));
    const bool is_quoted = word.size() > 2 && word.front() == word.back() &&
                           (word.front() == '"' || word.front() == '\'');
    if (is_quoted) word = word.substr(1, word.size() - 2);
    const std::size_t equals = word.find('=');
    if (target != file || equals == word.npos || equals == 0 ||
        word.find_first_of("\"'`\\;&|<>*?~()") != word.npos ||
        (!is_quoted && word.find(' ') != word.npos))
      return std::nullopt;
    const std::string_view value = word.substr(equals + 1);
    const bool is_known = value.find('$') == value.npos;
    written.emplace_back(word.substr(0, equals),
                         is_known ? std::optional(std::string(value)) : std::nullopt);
  }
  return written;
}

// The scripts of one run of a job.
class JobReader {
 public:
  JobReader(const Excerpt& document, const yaml::Node& root, const yaml::Node& job,
            const Expressions& run, const GivenNames& given)
      : document_(document), run_(run), given_(given) {
    add_environment(root, run, environment_);
    add_environment(job, run, environment_);
    shell_ = default_shell(job) != nullptr ? default_shell(job) : default_shell(root);
  }

  std::vector<Excerpt> read(const yaml::Node& steps) && {
    for (const yaml::Node& step : steps.items) {
      if (!is_off(step)) add_step(step);
    }
    return std::move(found_);
  }

 private:
  void add_step(const yaml::Node& step) {
    if (const yaml::Node* const uses = step.find("uses")) is_open_ |= !is_harmless(*uses);
    const yaml::Node* const run = step.find("run");
    if (!run || run->kind != yaml::Kind::scalar || run->span.end < run->span.begin + 2) return;
    const yaml::Node* const own = step.find("shell");
    const bool is_read = is_shell(own != nullptr ? own : shell_);
    Excerpt script = is_read ? text_of_scalar(document_, *run) : Excerpt{};
    if (!script.segments.empty()) {
      script.is_embedded = script.own_shell = true;
      script.has_open_environment = is_open_;
      script.environment = environment_;
      if (is_open_) {
        for (auto& [name, value] : script.environment) value.reset();
      }
      Expressions values = values_for(step, run_, script.environment);
      add_environment(step, values, script.environment);
      values = values_for(step, run_, script.environment);
      values.insert(outputs_.begin(), outputs_.end());
      found_.push_back(fill_expressions(script, values));
    }
    const auto filled = fill_expressions(run->text, run_);
    add_written(step, is_read && filled ? *filled : run->text, is_read);
  }

  // Later steps have the variables and outputs that a step writes.
  void add_written(const yaml::Node& step, const std::string& text, bool is_read) {
    const bool is_certain =
        is_read && step.find("if") == nullptr && step.find("continue-on-error") == nullptr;
    is_open_ |= any_of(given_.writers(),
                       [&](const std::string& each) { return text.find(each) != text.npos; });
    if (text.find("GITHUB_ENV") != text.npos) {
      const auto written = is_certain ? written_to("GITHUB_ENV", text) : std::nullopt;
      is_open_ |= !written;
      for (const auto& [name, value] : written.value_or(Environment())) {
        std::erase_if(environment_,
                      [&, &own = name](const auto& each) { return each.first == own; });
        environment_.emplace_back(name, value);
      }
    }
    const yaml::Node* const id = step.find("id");
    if (id == nullptr || !is_certain || text.find("GITHUB_OUTPUT") == text.npos) return;
    for (const auto& [name, value] : written_to("GITHUB_OUTPUT", text).value_or(Environment())) {
      const std::string path = "steps." + id->text + ".outputs." + name;
      outputs_.erase(path);
      if (value) outputs_[path] = *value;
    }
  }

  const Excerpt& document_;
  const Expressions& run_;
  const GivenNames& given_;
  Environment environment_;
  Expressions outputs_;
  const yaml::Node* shell_;
  bool is_open_ = false;
  std::vector<Excerpt> found_;
};

// A script that is the same in several runs of the matrix counts once.
void add_steps(const Excerpt& document, const yaml::Node& root, const yaml::Node& job,
               const GivenNames& given, std::vector<Excerpt>& found) {
  if (job.find("steps") == nullptr || is_off(job)) return;
  std::vector<std::vector<Excerpt>> runs;
  for (const Expressions& run : matrix_of(job)) {
    std::vector<Excerpt> scripts =
        JobReader(document, root, job, run, given).read(*job.find("steps"));
    for (std::size_t i = 0; i < scripts.size(); ++i) {
      const auto is_same = [&](const std::vector<Excerpt>& other) {
        return other[i].text == scripts[i].text && other[i].environment == scripts[i].environment;
      };
      if (!any_of(runs, is_same)) found.push_back(scripts[i]);
    }
    runs.push_back(std::move(scripts));
  }
}

}  // namespace

std::vector<Excerpt> workflow_steps(const Excerpt& document, const GivenNames& given) {
  if (document.text.find("jobs:") == std::string::npos ||
      document.text.find("run:") == std::string::npos)
    return {};
  Sources sources;
  sources.add({"", document.text});
  diag::Sink sink;
  const auto root = yaml::parse(sources, 0, sink, {.merge_keys = true});
  const yaml::Node* const jobs = root && root->find("on") ? root->find("jobs") : nullptr;
  std::vector<Excerpt> found;
  if (!jobs) return found;
  for (const yaml::Member& job : jobs->members) add_steps(document, *root, job.value, given, found);
  return found;
}

}  // namespace flexslice::extract
