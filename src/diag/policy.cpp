#include "diag/policy.hpp"

#include <algorithm>

namespace flexslice::diag {

namespace {

std::string unknown_code(std::string_view option, std::string_view word) {
  std::string refusal = text::format("{}: there is no diagnostic `{}`", option, word);
  if (const auto code = code_for_name(word)) refusal += text::format("; did you mean `{}`?", *code);
  return refusal;
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
  if (word == "warnings") {
    policy.rules.push_back({Rule::Action::deny, std::nullopt});
    return std::nullopt;
  }
  const Row* named = find_row(word);
  if (!named) return unknown_code("--deny", word);
  policy.rules.push_back({Rule::Action::deny, named->code});
  return std::nullopt;
}

std::optional<std::string> allow(Policy& policy, std::string_view word) {
  const Row* named = find_row(word);
  if (!named) return unknown_code("--allow", word);
  if (named->level == Level::error) {
    return text::format("--allow: `{}` ({}) is always an error and cannot be allowed", code_text(named->code), named->name);
  }
  policy.rules.push_back({Rule::Action::allow, named->code});
  return std::nullopt;
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
  for (const Diagnostic& finding : findings) ++(finding.level == Level::warning ? counts.warnings : counts.errors);
  return counts;
}

}  // namespace flexslice::diag
