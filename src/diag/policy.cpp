#include "diag/policy.hpp"

#include <algorithm>

namespace flexslice::diag {

std::optional<std::string> code_for_name(std::string_view name) {
  const auto named = std::ranges::find(rows, text::lower(name),
                                       [](const Row& each) { return text::lower(each.name()); });
  return named == std::end(rows) ? std::nullopt : std::optional(code_text(named->code));
}

std::string unknown_code(std::string_view option, std::string_view word) {
  const auto code = code_for_name(word);
  return fmt::format("{}: unknown diagnostic code `{}`", option, word) +
         (code ? fmt::format("; did you mean `{}`?", *code) : "");
}

std::optional<std::string> add_rule(Policy& policy, Action action, std::string_view word,
                                    bool every_code) {
  const std::string_view option = action == Action::deny ? "--deny" : "--allow";
  const bool warnings = action == Action::deny && word == "warnings";
  const Row* named = find_row(word);
  if (!warnings && named == nullptr) return unknown_code(option, word);
  if (action == Action::allow && named->level == Level::error && !every_code)
    return fmt::format("{}: `{}` ({}) is always an error and cannot be allowed", option,
                       code_text(named->code), named->name());
  policy.push_back({action, warnings ? std::nullopt : std::optional(named->code)});
  return std::nullopt;
}

void apply_policy(const Policy& policy, std::vector<Diagnostic>& findings, bool says_how) {
  std::erase_if(findings, [&](Diagnostic& finding) {
    const bool warning = finding.level == Level::warning;
    const Rule* deciding = nullptr;
    for (const Rule& rule : policy) {
      const bool general = !rule.code && warning && (deciding == nullptr || !deciding->code);
      if (general || rule.code == finding.code) deciding = &rule;
    }
    if (deciding == nullptr) return false;
    if (deciding->action == Action::deny) {
      if (finding.level >= Level::warning) finding.level = Level::error;
      return false;
    }
    if (finding.level == Level::error)
      finding.note("`{}` is always an error here and cannot be allowed", code_text(finding.code));
    if (finding.level != Level::soft) return finding.level >= Level::warning;
    finding.level = Level::warning;
    return false;
  });
  if (!says_how) return;
  for (Diagnostic& finding : findings) {
    if (finding.level == Level::soft)
      finding.help("--allow {} accepts this", code_text(finding.code));
  }
}

}  // namespace flexslice::diag
