// The rules for commands that people already have: of gcloud and kubectl, of launchers, and of the
// scripts around them.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "rules/rules.hpp"
#include "view/view.hpp"

namespace flexslice::rules {

// The value of a flag of the command; not given: there is none.
Text value_of(const view::PoolClaims& pool, std::string_view flag);
// One command.
void judge_pool(const view::PoolClaims& pool, const Facts& facts, std::string_view gcloud_version,
                Sink& sink);
// Flags that rules have reported.
using FlagsReported = std::vector<const view::FlagClaim*>;
// Reports commands that gcloud itself refuses. False: there is no such command, and nothing more to
// say of it.
bool judge_gcloud_command(const view::PoolClaims& pool, const Catalog& catalog, Sink& sink);
void judge_gcloud_flags(const view::PoolClaims& pool, const Catalog& catalog,
                        std::string_view version, FlagsReported& reported, Sink& sink);
// All of it. `version`: of the gcloud that runs it; empty: not known.
void judge_syntax(const view::PoolClaims& pool, const Catalog& catalog, std::string_view version,
                  Sink& sink);
// A command of a launcher: what the program refuses, or ignores.
void judge_launch(const view::LaunchClaims& launch, const Catalog& catalog, Sink& sink);
// Variables of gcloud commands that their script, alone in its file, does not set, though it sets
// others.
void note_unset_variables(const extract::Script& script, const extract::Variables& set,
                          std::string_view text, Sink& sink);
// Quotes without an end, and variables that have no value where they are used. `text`: of the
// script, whose commands are all that read_shell gives for gcloud, kubectl and `source`.
void judge_script(const extract::Script& script, std::string_view text, bool is_embedded,
                  Sink& sink);
// A slip of the hand in a command of a program that subcommands.yaml lists.
void judge_subcommand(const extract::Command& command, Sink& sink);
// Returns whether the value of kubectl's `-n` is there.
bool is_namespace(const extract::Script& script, Span where);
// A task of SkyPilot that names an accelerator of Google Cloud's VMs on Kubernetes. `document`: of
// a file.
bool judge_sky_task(const yaml::Node& document, const Catalog& catalog, Sink& sink);
// Workloads whose cluster is created in the same file with nodes of another shape.
void judge_shapes_of_clusters(std::span<const view::LaunchClaims> launches, Sink& sink);
// Reports lines of two launchers for one workload that make other slices.
void judge_successors(std::span<const view::LaunchClaims> launches, Sink& sink);

}  // namespace flexslice::rules
