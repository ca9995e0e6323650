// Answers in plain text, each with its source: what a plan says and why, what a code means, what
// the tables know about a word. Pure functions; driver and cli call them. Stands beside lower,
// above plan.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "diag/diag.hpp"
#include "plan/plan.hpp"
#include "yaml/value.hpp"

namespace flexslice::explain {

// What lower made of the plan, each in the order in which it is applied.
struct Made {
  const yaml::Value& provision;  // the steps of the script
  std::span<const yaml::Value> queues;
  std::span<const yaml::Value> objects;
};

// Every derived number with its reason, what is made in which order and what else is needed, pods,
// node lifetime, quota, cost, sources.
std::string plan_text(const plan::Plan& plan, const catalog::Catalog& catalog, const Made& made);

// What a diagnostic means and what to do about it.
std::string code_text(const diag::Row& row);

// What every table knows about a word: `v6e`, `ct6e-standard-4t`, `4x4`, `flex-start`,
// `us-east5-b`, `tpu.machineType`, `CA`. Nothing when no table has it. A category, one of
// topic_categories, asks one table only.
std::optional<std::string> topic_text(const catalog::Catalog& catalog, std::string_view word,
                                      std::string_view category = {});
std::span<const std::string_view> topic_categories();
// Words that topic_text has an answer for, sorted: of all tables, or of one. Not all of them:
// fields are left out of the whole.
std::vector<std::string> topic_words(const catalog::Catalog& catalog,
                                     std::string_view category = {});

// The note, if there is one, and on a line of its own who says so: `[CA, XPK (high, 2026-08)]`.
std::string source_line(const catalog::Evidence& evidence);

}  // namespace flexslice::explain
