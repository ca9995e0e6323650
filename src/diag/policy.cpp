#include "diag/policy.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace flexslice::diag {

namespace {

// Adds a rule for the code that `word` names, or says why not.
std::optional<std::string> add(Policy& policy, Rule::Action action, std::string_view word) {
  const std::string_view option = action == Rule::Action::deny ? "--deny" : "--allow";
  if (const Row* named = find_row(word)) {
    if (action == Rule::Action::allow && named->level == Level::error) {
      return fmt::format("{}: `{}` ({}) is always an error and cannot be allowed", option,
                         code_text(named->code), named->name);
    }
    policy.rules.push_back({action, named->code});
    return std::nullopt;
  }
  const auto code = code_for_name(word);
  return fmt::format("{}: there is no diagnostic `{}`", option, word) +
         (code ? fmt::format("; did you mean `{}`?", *code) : "");
}

// The rule that decides about a finding, or null.
const Rule* rule_for(const Policy& policy, const Diagnostic& finding) {
  const Rule* found = nullptr;
  for (const Rule& rule : policy.rules) {
    if (rule.code == finding.code) found = &rule;
    if (!rule.code && finding.level == Level::warning && (!found || !found->code)) found = &rule;
  }
  return found;
}

}  // namespace

std::optional<std::string> code_for_name(std::string_view name) {
  for (const Row& each : rows) {
    if (text::lower(each.name) == text::lower(name)) return code_text(each.code);
  }
  return std::nullopt;
}

std::optional<std::string> deny(Policy& policy, std::string_view word) {
  if (word != "warnings") return add(policy, Rule::Action::deny, word);
  policy.rules.push_back({Rule::Action::deny, std::nullopt});
  return std::nullopt;
}

std::optional<std::string> allow(Policy& policy, std::string_view word) {
  return add(policy, Rule::Action::allow, word);
}

void apply_policy(const Policy& policy, std::vector<Diagnostic>& findings) {
  if (policy.rules.empty()) return;
  std::erase_if(findings, [&](Diagnostic& finding) {
    const Rule* rule = rule_for(policy, finding);
    if (!rule) return false;
    if (rule->action == Rule::Action::deny) {
      if (finding.level == Level::warning) finding.level = Level::error;
      return false;
    }
    if (finding.level == Level::warning) return true;
    if (finding.level == Level::soft) finding.level = Level::warning;
    return false;
  });
}

Counts count(std::span<const Diagnostic> findings) {
  Counts counts;
  for (const Diagnostic& finding : findings)
    ++(finding.level == Level::warning ? counts.warnings : counts.errors);
  return counts;
}

}  // namespace flexslice::diag
