// The rules: each takes facts, which refer to the claims they are about, and reports. A file for a
// subject, a function for a rule; every rule exists once, whatever kind of source the claims come
// from. Claims that were reported before (`bad`), or that are not known, are not judged.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "base/lists.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"
#include "diag/diag.hpp"
#include "resolve/facts.hpp"
#include "resolve/labels.hpp"
#include "schema/pattern.hpp"
#include "yaml/node.hpp"

namespace flexslice::rules {

using namespace catalog;
using diag::Code;
using diag::Diagnostic;
using diag::Sink;
using resolve::Facts;
using schema::Text;

using Rule = void (*)(const Facts& facts, Sink& sink);
using Rules = std::span<const Rule>;

// All rules, in no order that matters: the sink sorts what they report.
void judge(const Facts& facts, Sink& sink);
// Reports starts that a change of the clocks leaves out, which most schedules may be.
void note_clock_changes(const Facts& facts, Sink& sink);

// The rules of each subject, at the end of the file of that name.
Rules autopilot_rules();
Rules autoscaling_rules();
Rules capacity_rules();
Rules container_rules();
Rules lifetime_rules();
Rules limit_rules();
Rules metric_rules();
Rules name_rules();
Rules provisioning_rules();
// The part of what a node has that GKE leaves to pods.
Quantity allocatable(const catalog::NodeResource& node, const Quantity& capacity);

// Reports the type of a boot disk that the machines do not take. `by_class`: GKE makes the pools.
void judge_boot_disk_type(const Text& type, std::string_view field, const MachineType& machine,
                          bool by_class, Sink& sink);
Rules resource_rules();
Rules schedule_rules();
Rules selector_rules();
Rules slicing_rules();
Rules tpu_rules();
Rules workload_rules();

// These hold for files that people already have: they judge what is written, not what is missing.
// pod_rules.hpp, command_rules.hpp and manifest_rules.hpp have those for such files alone.
Rules found_tpu_rules();
Rules found_provisioning_rules();
Rules found_selector_rules();
Rules found_tpu_selector_rules();  // of pods on TPUs
Rules found_version_rules();       // where the version of the cluster is known
Rules found_lifetime_rules();      // of pods on TPUs

// The rest is for several subjects.

using resolve::accelerator_label, resolve::topology_label;
// Reports `v5p-8`: what people call a slice, by cores on some generations and by chips on others.
// False: it is none.
bool report_core_count(const Facts& facts, const Text& claim, Sink& sink);
// Says what to write for `tpu: v6e-16`, `accelerator: v6e-16` and `tpu: {type: v6e, chips: 16}`,
// which are reported already.
void explain_devices(const yaml::Node& spec, const Catalog& catalog, Sink& sink);
// Reports a number of nodes or pods that is not that of the hosts. `remedy` ends the help.
Diagnostic& report_host_count(Sink& sink, const schema::Integer& claimed, std::string_view name,
                              const Topology& topology, const MachineType& machine,
                              std::string_view remedy);

// Bytes of one argument or variable of a program: MAX_ARG_STRLEN of Linux is 128 KiB, with a zero
// byte at the end.
inline constexpr std::size_t longest_argument = 131'071;
// Reports one that is longer; `what` names it.
void report_argument(Sink& sink, Span where, std::string_view what, std::size_t bytes);
// An amount of memory or disk. The API server counts it in thousandths, in 64 bits.
inline constexpr std::int64_t most_bytes = INT64_MAX / 1000;
// A person who writes a number without a unit mostly means more.
inline constexpr std::int64_t least_bytes = 1 << 20;
void judge_bytes(Sink& sink, Span where, std::string_view amount);
// Reports an amount that the API server rounds, so that each apply is a change.
void judge_precision(Sink& sink, Span where, std::string_view amount);
// Judges an amount if no size of a node is known for it.
void judge_most_bytes(Sink& sink, Span where, std::string_view amount);
struct PlacedName {
  std::string_view name;
  Span where;  // empty: it is derived
};
// Reports a name that is among the earlier ones, with the place of the first, and adds it to them.
void judge_repeated(Sink& sink, std::vector<PlacedName>& earlier, Span where, std::string_view name,
                    std::string_view what);
// Names the first place of what is repeated, where it has one.
void note_first(Diagnostic& finding, std::span<const PlacedName> earlier, std::string_view name);
// Reports a value, of a flag, a label or an attribute, that has not the form.
void judge_form(const Text& value, std::string_view field, schema::Pattern pattern, Sink& sink);
// Reports a path that a volume must not be mounted at. `on_node`: the path of a hostPath volume,
// which may be mounted where it is on the node.
void judge_mount_path(Sink& sink, Span where, std::string_view path, std::string_view on_node);
// `/data` for `/data/`.
std::string_view without_slashes(std::string_view path);
// Reports a provisioning model that clusters of this mode do not have.
void judge_mode_of_model(const Facts& facts, Sink& sink);
// Reports an image that the nodes cannot have.
void judge_pull_policy(const Facts& facts, Span where, std::string_view policy, Sink& sink);
// Reports the keys that one of the rows reserves.
void refuse_reserved(const Facts& facts, const schema::Map<Text>& map, ReservedList rows,
                     bool on_autopilot, Sink& sink);
// Returns the first error that a spec has after a change and had not before it; empty if none.
std::string new_error(const catalog::Catalog& catalog, const spec::Claims& before,
                      const spec::Claims& after);
// Explains a name that people write by mistake. False: the catalog does not know it.
bool explain_mistake(const Facts& facts, const Text& claim, Diagnostic& finding);
// Notes the evidence for the fact, and who says so.
void note_evidence(Diagnostic& finding, const Evidence& evidence);
void note_source(Diagnostic& finding, const Evidence& evidence);

}  // namespace flexslice::rules
