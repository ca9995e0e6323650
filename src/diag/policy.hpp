// The command line decides about findings: `--deny CODE`, `--deny warnings`, `--allow CODE`. The
// options of the cli fill a Policy; the cli applies it to the findings of each document.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diag.hpp"

namespace flexslice::diag {

enum class Action : std::uint8_t { deny, allow };

struct Rule {
  Action action = Action::deny;
  std::optional<Code> code;  // nothing: every warning
};

// In the order of the command line. For one code the last rule counts; a rule for the code beats
// one for all warnings.
using Policy = std::vector<Rule>;

// Adds one option. A returned text says why it was rejected: wrong usage. `every_code`: also those
// that are always errors of a spec can be allowed, as `lint` does.
std::optional<std::string> add_rule(Policy& policy, Action action, std::string_view word,
                                    bool every_code = false);

// Deny turns a warning into an error. Allow drops a warning and turns a soft error into a warning.
// With `says_how`, a soft error that stays says in its last help that it can be allowed.
void apply_policy(const Policy& policy, std::vector<Diagnostic>& findings, bool says_how = true);

// Explains why an option that takes codes rejects its argument.
std::string unknown_code(std::string_view option, std::string_view word);

// For messages about an unknown code: the code of the diagnostic whose name was given, or nothing.
std::optional<std::string> code_for_name(std::string_view name);

}  // namespace flexslice::diag
