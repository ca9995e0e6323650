#include <fmt/core.h>

#include <algorithm>

#include "backend/gcloud/bash.hpp"

namespace flexslice::gcloud {

using yaml::View;

namespace {

class FlagChecker {
 public:
  explicit FlagChecker(diag::Sink& sink) : sink_(sink) {}

  void script(View script) {
    if (!script.is_mapping() || !script.find("title") || !script.find("steps"))
      return report(script, "a script needs `title` and `steps`");
    keys(script,
         {"title", "workload", "namespace", "checks", "advice", "changes", "next", "keepGoing",
          "otherwise", "steps", "finally", "pods"},
         "a script");
    steps(script.find("steps"));
  }

 private:
  void report(View at, std::string_view message) {
    sink_.report<diag::Code::TemplateSyntax>(at.span(), message);
  }

  void keys(View mapping, std::initializer_list<std::string_view> known, std::string_view what) {
    for (const View member : mapping) {
      const std::string_view key = member.key();
      if (!key.starts_with('$') && std::ranges::count(known, key) == 0)
        report(member, fmt::format("{} has no `{}`", what, key));
    }
  }

  // Another template's steps.
  static bool is_template(View step) { return step.is_scalar() && step.text().starts_with("${"); }

  void steps(View steps) {
    if (!steps.is_sequence()) return report(steps, "`steps` is a list");
    for (const View step : steps) this->step(step);
  }

  void step(View step) {
    if (is_template(step)) return;
    if (!step.is_mapping()) return report(step, "a step is a mapping");
    // An item that expands to several steps.
    if (const View several = step.find("$value")) return steps(several);
    keys(step, {"title",       "of",     "run",           "check",
                "expect",      "pools",  "credentials",   "kubectl",
                "delete",      "api",    "clusterScoped", "asked",
                "steps",       "unless", "own",           "if",
                "containsAll", "same",   "unused",        "unusedCluster",
                "call",        "save"},
         "a step");
    for (std::string_view key : {"unless", "own", "if"}) {
      const View guard = step.find(key);
      if (guard && !(guard.is_mapping() && guard.find("exists") && guard.find("list")))
        report(guard, fmt::format("`{}` needs `exists` and `list`", key));
    }
    const auto has = [&](std::string_view key) { return bool(step.find(key)); };
    if (has("delete") != has("api") || (has("delete") && !has("kubectl")))
      report(step, "`delete`, `api` and `kubectl` require each other");
    if (!has("title") || !(has("check") || has("run") || has("credentials") || has("kubectl") ||
                           has("steps") || has("call")))
      report(step, "a step needs `title`, and `run`, `credentials`, `kubectl` or `steps`");
    if (const View inner = step.find("steps")) steps(inner);
  }

  diag::Sink& sink_;
};

}  // namespace

void check(View script, diag::Sink& sink) { FlagChecker(sink).script(script); }

}  // namespace flexslice::gcloud
