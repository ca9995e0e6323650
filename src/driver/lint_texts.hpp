// Lints the texts of one run that are at hand, as the command does files.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "driver/lint_file.hpp"

namespace flexslice::lint {

struct LintedTexts {
  std::size_t with_tpus = 0;
  std::size_t unread = 0;  // fragments
};

// `report` gets the findings of each text, and then what they say of each other, before any policy.
LintedTexts lint_texts(
    std::span<const Source> texts, const catalog::Catalog& catalog, const RuleOptions& options,
    const std::function<void(const Sources&, std::vector<diag::Diagnostic>)>& report);

}  // namespace flexslice::lint
