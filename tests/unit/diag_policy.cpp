#include "../catch.hpp"
#include "diag/policy.hpp"

namespace flexslice::diag {
namespace {

constexpr Code warning_code = Code::SuppressionUnused;  // a row that may be allowed
constexpr Code other_code = Code::DuplicateKey;

Diagnostic finding(Code code, Level level) { return {code, level, {}, "m", {}, {}, {}}; }

Policy policy(std::initializer_list<std::string_view> options) {
  Policy made;
  for (std::string_view option : options) {
    const std::string_view word = option.substr(option.find(' ') + 1);
    const Action action = option.starts_with("deny") ? Action::deny : Action::allow;
    REQUIRE_FALSE(add_rule(made, action, word));
  }
  return made;
}

// What becomes of one finding: `error`, `soft`, `warning` or `gone`.
std::string after(std::initializer_list<std::string_view> options, Code code, Level level) {
  std::vector<Diagnostic> findings = {finding(code, level)};
  apply_policy(policy(options), findings);
  if (findings.empty()) return "gone";
  return findings[0].level == Level::error  ? "error"
         : findings[0].level == Level::soft ? "soft"
                                            : "warning";
}

}  // namespace

TEST_CASE("deny makes errors of warnings") {
  CHECK(after({"deny FS2091"}, warning_code, Level::warning) == "error");
  CHECK(after({"deny fs2091"}, warning_code, Level::soft) == "soft");
  CHECK(after({"deny FS2091"}, other_code, Level::warning) == "warning");
  CHECK(after({"deny warnings"}, other_code, Level::warning) == "error");
  CHECK(after({"deny warnings"}, other_code, Level::error) == "error");
}

TEST_CASE("allow drops warnings and lowers soft errors") {
  CHECK(after({"allow FS2091"}, warning_code, Level::warning) == "gone");
  CHECK(after({"allow 2091"}, warning_code, Level::soft) == "warning");
  CHECK(after({"allow FS2091"}, warning_code, Level::error) == "error");
  CHECK(after({"allow FS2091"}, other_code, Level::warning) == "warning");
}

TEST_CASE("a soft error says how it is allowed, until it is") {
  std::vector<Diagnostic> findings = {finding(Code::VersionTooOld, Level::soft),
                                      finding(Code::VersionTooOld, Level::error)};
  apply_policy({}, findings);
  CHECK(findings[0].helps == std::vector<std::string>{"--allow FS3014 accepts this"});
  CHECK(findings[1].helps.empty());
  findings = {finding(Code::VersionTooOld, Level::soft)};
  apply_policy(policy({"allow FS3014"}), findings);
  CHECK(findings[0].helps.empty());
}

TEST_CASE("the last rule for a code counts, and one for the code beats one for all") {
  CHECK(after({"deny FS2091", "allow FS2091"}, warning_code, Level::warning) == "gone");
  CHECK(after({"allow FS2091", "deny FS2091"}, warning_code, Level::warning) == "error");
  CHECK(after({"allow FS2091", "deny warnings"}, warning_code, Level::warning) == "gone");
  CHECK(after({"deny warnings", "allow FS2091"}, warning_code, Level::warning) == "gone");
  CHECK(after({"deny warnings", "allow FS2091"}, warning_code, Level::soft) == "warning");
  CHECK(after({"allow FS2091", "deny warnings"}, other_code, Level::warning) == "error");
}

TEST_CASE("what an option cannot mean is refused") {
  Policy made;
  CHECK(add_rule(made, Action::deny, "FS9999") == "--deny: unknown diagnostic code `FS9999`");
  CHECK(add_rule(made, Action::allow, "warnings") == "--allow: unknown diagnostic code `warnings`");
  CHECK(add_rule(made, Action::allow, "") == "--allow: unknown diagnostic code ``");
  CHECK(add_rule(made, Action::deny, "duplicatekey") ==
        "--deny: unknown diagnostic code `duplicatekey`; did you mean `FS1002`?");
  CHECK(add_rule(made, Action::allow, "FS1002") ==
        "--allow: `FS1002` (DuplicateKey) is always an error and cannot be allowed");
  CHECK(made.empty());
}

TEST_CASE("soft errors count as errors") {
  const std::vector<Diagnostic> findings = {finding(other_code, Level::error),
                                            finding(other_code, Level::soft),
                                            finding(other_code, Level::warning)};
  CHECK(errors(findings) == 2);
  CHECK(errors({}) == 0);
}

}  // namespace flexslice::diag
