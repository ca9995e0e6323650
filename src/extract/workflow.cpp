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
  return text == "false";
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

// The scripts of one run of a job.
std::vector<Excerpt> scripts_of(const Excerpt& document, const yaml::Node& root,
                                const yaml::Node& job, const Expressions& run_values) {
  std::vector<Excerpt> found;
  Environment of_job;
  add_environment(root, run_values, of_job);
  add_environment(job, run_values, of_job);
  const yaml::Node* const shell_of_job =
      default_shell(job) != nullptr ? default_shell(job) : default_shell(root);
  bool is_open = false;
  for (const yaml::Node& step : job.find("steps")->items) {
    if (is_off(step)) continue;
    if (const yaml::Node* const uses = step.find("uses")) is_open |= !is_harmless(*uses);
    const yaml::Node* const run = step.find("run");
    if (!run || run->kind != yaml::Kind::scalar || run->span.end < run->span.begin + 2) continue;
    const yaml::Node* const shell = step.find("shell");
    Excerpt script = is_shell(shell != nullptr ? shell : shell_of_job)
                         ? text_of_scalar(document, *run)
                         : Excerpt{};
    if (!script.segments.empty()) {
      script.is_embedded = script.own_shell = true;
      script.has_open_environment = is_open;
      script.environment = of_job;
      if (is_open) {
        for (auto& [name, value] : script.environment) value.reset();
      }
      add_environment(step, values_for(step, run_values, script.environment), script.environment);
      found.push_back(fill_expressions(script, values_for(step, run_values, script.environment)));
    }
    // Later steps have the variables that a step writes there.
    is_open |= run->text.find("GITHUB_ENV") != run->text.npos;
  }
  return found;
}

// A script that is the same in several runs of the matrix counts once.
void add_steps(const Excerpt& document, const yaml::Node& root, const yaml::Node& job,
               std::vector<Excerpt>& found) {
  if (job.find("steps") == nullptr || is_off(job)) return;
  std::vector<std::vector<Excerpt>> runs;
  for (const Expressions& run : matrix_of(job)) {
    std::vector<Excerpt> scripts = scripts_of(document, root, job, run);
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

std::vector<Excerpt> workflow_steps(const Excerpt& document) {
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
  for (const yaml::Member& job : jobs->members) add_steps(document, *root, job.value, found);
  return found;
}

}  // namespace flexslice::extract
