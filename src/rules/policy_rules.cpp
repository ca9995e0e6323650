// NetworkPolicies that keep the pods of a slice from each other.
#include <fmt/core.h>

#include <algorithm>

#include "rules/pod_rules.hpp"
#include "rules/run_rules.hpp"

namespace flexslice::rules {

namespace {

using view::LabelTerm;
using view::PolicyClaims;
using view::TrafficRule;

// Only labels that are known count; another one may be added later.
bool fits_term(const LabelTerm& term, const spec::Map<Text>& labels) {
  const auto* own =
      find_where(labels.entries, [&](const auto& each) { return each.key.value == term.key; });
  if (own != nullptr && !own->value.usable()) return false;
  const bool has_value = own != nullptr && contains(term.values, own->value.value);
  if (term.op == "In") return has_value;
  if (term.op == "NotIn") return !has_value;
  return term.op == "Exists" ? own != nullptr : own == nullptr;
}

bool fit_all(std::span<const LabelTerm> terms, const spec::Map<Text>& labels) {
  return std::ranges::all_of(terms, [&](const auto& term) { return fits_term(term, labels); });
}

bool allows(const TrafficRule& rule, std::int64_t port, const NetworkedPods& pods) {
  const auto is_peer = [&](const auto& terms) { return fit_all(terms, pods.labels); };
  if (!rule.all_peers && !any_of(rule.peers, is_peer)) return false;
  return rule.all_ports || any_of(rule.ports, [&](const TrafficRule::Ports& each) {
           // A name may be that of any port.
           return each.name.empty() ? each.first <= port && port <= each.last : true;
         });
}

}  // namespace

void judge_policies(const NetworkedPods& pods, std::string_view folder,
                    std::span<const Placed<PolicyClaims>> all, const Catalog& catalog, Sink& sink) {
  std::vector<const Placed<PolicyClaims>*> own;
  for (const auto& each : all) {
    const std::string_view name_space = each.claims.name_space.value;
    // Without a namespace it is for what is applied with it.
    const bool is_near =
        folder_of(each.file) == folder && (name_space.empty() || pods.name_space.empty());
    if (!is_near && (name_space.empty() || name_space != pods.name_space)) continue;
    if (fit_all(each.claims.pods, pods.labels)) own.push_back(&each);
  }
  for (const bool is_in : {true, false}) {
    std::vector<const Placed<PolicyClaims>*> limiting;
    std::vector<const TrafficRule*> rules;
    for (const auto* each : own) {
      const PolicyClaims& policy = each->claims;
      if (is_in ? !policy.limits_in : !policy.limits_out) continue;
      limiting.push_back(each);
      for (const TrafficRule& rule : is_in ? policy.in : policy.out) rules.push_back(&rule);
    }
    if (limiting.empty()) continue;
    for (const Port& port : catalog.ports) {
      const bool is_used = port.per == PortOwner::container
                               ? pods.has_hosts
                               : port.when == PortUse::multislice && pods.has_slices;
      if (!is_used ||
          any_of(rules, [&](const auto* rule) { return allows(*rule, port.number, pods); }))
        continue;
      Diagnostic& finding =
          sink.report<Code::PolicyClosesPort>(pods.where, pods.object, port.number);
      for (const auto* each : limiting)
        finding.also(each->file, each->at,
                     fmt::format("NetworkPolicy `{}` selects the pods", each->claims.name.value));
      finding.note("port {}: {}", port.number, port.use)
          .help("allow {} {} pods of the same {}", port.number, is_in ? "from" : "to",
                pods.has_slices ? "workload" : "slice");
      return;
    }
  }
}

}  // namespace flexslice::rules
