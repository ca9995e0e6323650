#include <fmt/core.h>

#include <algorithm>

#include "backend/gcloud/bash.hpp"
#include "base/text.hpp"

namespace flexslice::gcloud {

using diag::Code;
using yaml::View;

namespace {

void check_keys(View mapping, std::initializer_list<std::string_view> keys, std::string_view what,
                diag::Sink& sink) {
  for (const View member : mapping) {
    if (member->key.starts_with('$') ||
        std::find(keys.begin(), keys.end(), member->key) != keys.end())
      continue;
    sink.report<Code::TemplateSyntax>(member->span,
                                      fmt::format("{} has no `{}`", what, member->key));
  }
}

void check_steps(View steps, diag::Sink& sink);

void check_step(View step, diag::Sink& sink) {
  if (!step.is_mapping()) {
    sink.report<Code::TemplateSyntax>(step->span, "a step is a mapping");
    return;
  }
  // An item that stands for several steps.
  if (const View several = step.find("$value")) return check_steps(several, sink);
  check_keys(step,
             {"title", "run", "expect", "credentials", "kubectl", "delete", "api", "steps",
              "unless", "if", "containsAll"},
             "a step", sink);
  for (std::string_view key : {"unless", "if"}) {
    const View guard = step.find(key);
    if (!guard) continue;
    const bool whole = guard.is_mapping() && guard.find("exists") && guard.find("list");
    if (!whole)
      sink.report<Code::TemplateSyntax>(guard->span,
                                        fmt::format("`{}` needs `exists` and `list`", key));
  }
  if (bool(step.find("delete")) != bool(step.find("api")) ||
      (step.find("delete") && !step.find("kubectl")))
    sink.report<Code::TemplateSyntax>(step->span, "`delete`, `api` and `kubectl` belong together");
  const bool acts =
      step.find("run") || step.find("credentials") || step.find("kubectl") || step.find("steps");
  if (!step.find("title") || !acts)
    sink.report<Code::TemplateSyntax>(
        step->span, "a step needs `title`, and `run`, `credentials`, `kubectl` or `steps`");
  if (const View inner = step.find("steps")) check_steps(inner, sink);
}

void check_steps(View steps, diag::Sink& sink) {
  if (!steps.is_sequence()) {
    sink.report<Code::TemplateSyntax>(steps->span, "`steps` is a list");
    return;
  }
  for (const View step : steps) check_step(step, sink);
}

}  // namespace

void check(View script, diag::Sink& sink) {
  if (!script.is_mapping() || !script.find("title") || !script.find("steps")) {
    sink.report<Code::TemplateSyntax>(script->span, "a script needs `title` and `steps`");
    return;
  }
  check_keys(script, {"title", "namespace", "keepGoing", "otherwise", "steps"}, "a script", sink);
  check_steps(script.find("steps"), sink);
}

}  // namespace flexslice::gcloud
