// What the command line says about findings: `--deny CODE`, `--deny warnings`, `--allow CODE`.
// The options of the cli fill a Policy; the driver applies it to the findings of each document and
// counts what is left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diag.hpp"

namespace flexslice::diag {

struct Rule {
  enum class Action : std::uint8_t { deny, allow };
  Action action = Action::deny;
  std::optional<Code> code;  // nothing: every warning
};

// In the order of the command line. For one code the last rule counts; a rule for the code beats
// one for all warnings.
struct Policy {
  std::vector<Rule> rules;
};

// Adds one option. A text that comes back says why it was refused: wrong usage.
std::optional<std::string> deny(Policy& policy, std::string_view word);
std::optional<std::string> allow(Policy& policy, std::string_view word);

// Deny turns a warning into an error. Allow drops a warning and turns a soft error into a warning.
void apply_policy(const Policy& policy, std::vector<Diagnostic>& findings);

struct Counts {
  std::size_t errors = 0;  // soft ones included
  std::size_t warnings = 0;
};
Counts count(std::span<const Diagnostic> findings);

// For messages about a code that is none: the code of the diagnostic whose name was given, or
// nothing.
std::optional<std::string> code_for_name(std::string_view name);

}  // namespace flexslice::diag
