// Terms of podAffinity and podAntiAffinity, as the scheduler of a cluster understands them.
#include <fmt/core.h>

#include <map>
#include <string_view>
#include <vector>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "rules/object_rules.hpp"

namespace flexslice::rules {

namespace {

// Labels of the pods of a template; null: the Job controller gives them a value.
using Labels = std::map<std::string_view, const Node*>;

const catalog::KubernetesFault* find_fault(const Catalog& catalog) {
  return find_where(catalog.kubernetes_faults,
                    [](const auto& each) { return each.name == "excluded-namespaces"; });
}

// The expression of a selector that excludes something, or null.
const Node* exclusion(const Node* selector) {
  if (selector == nullptr) return nullptr;
  for (const Node& each : items(*selector, "matchExpressions")) {
    const Node* op = each.find("operator");
    if (op != nullptr && (op->text == "NotIn" || op->text == "DoesNotExist")) return op;
  }
  return nullptr;
}

Labels labels_of(const PodTree& pod) {
  Labels labels;
  if (pod.metadata != nullptr) {
    if (const Node* own = pod.metadata->find("labels"))
      for (const yaml::Member& each : own->members) labels.emplace(each.key.text, &each.value);
  }
  if (pod.job != nullptr) {
    for (std::string_view label : {"job-name", "batch.kubernetes.io/job-name"})
      labels.emplace(label, nullptr);
  }
  return labels;
}

// Returns whether the selector is certain to select pods with these labels.
bool is_certain_to_select(const Node& selector, const Labels& labels) {
  const auto has_one_of = [&](std::string_view key, std::span<const Node> values) {
    const auto found = labels.find(key);
    return found != labels.end() && found->second != nullptr && is_literal(found->second) &&
           any_of(values, [&](const Node& each) { return each.text == found->second->text; });
  };
  if (const Node* own = selector.find("matchLabels")) {
    for (const yaml::Member& each : own->members) {
      if (!has_one_of(each.key.text, {&each.value, 1})) return false;
    }
  }
  for (const Node& each : items(selector, "matchExpressions")) {
    const std::string_view key = each.text_at({"key"}), op = each.text_at({"operator"});
    const std::span<const Node> values = items(each, "values");
    const auto found = labels.find(key);
    const bool is_there = found != labels.end();
    // Controllers add labels with domains of their own.
    if (!is_there && contains(key, '/')) return false;
    const bool is_known = is_there && found->second != nullptr && is_literal(found->second);
    const bool holds = op == "Exists"         ? is_there
                       : op == "DoesNotExist" ? !is_there
                       : op == "In"           ? has_one_of(key, values)
                       : op == "NotIn"        ? !is_there || (is_known && !has_one_of(key, values))
                                              : false;
    if (!holds) return false;
  }
  return true;
}

bool has_several(const PodTree& pod) {
  if (pod.facts.multi_host()) return true;
  const Node* count = pod.job != nullptr      ? pod.job->find("parallelism")
                      : pod.object != nullptr ? pod.object->at({"spec", "replicas"})
                                              : nullptr;
  return count != nullptr && text::whole_number(count->text).value_or(0) > 1;
}

void judge_term(const PodTree& pod, const Node& term, bool may_repel, Sink& sink) {
  const catalog::KubernetesFault* fault = find_fault(pod.facts.catalog);
  const Node* excludes = exclusion(term.find("namespaceSelector"));
  const Text& version = pod.facts.claims.cluster.version;
  const auto has_it = fault != nullptr && version.usable()
                          ? catalog::has_fault(*fault, version.value)
                          : std::nullopt;
  const bool is_corrected = has_it == false && fault != nullptr && !fault->fixed.empty();
  if (fault == nullptr || excludes == nullptr || is_corrected) return;
  const Node* own = term.find("labelSelector");
  const bool repels =
      may_repel && own != nullptr && has_several(pod) && is_certain_to_select(*own, labels_of(pod));
  Diagnostic& finding = repels ? sink.report<Code::PodsRepelEachOther>(excludes->span, fault->since)
                               : sink.report<Code::ExclusionIgnored>(excludes->span, fault->since);
  if (repels && has_it != true) finding.level = diag::Level::warning;
  finding.note("{}", catalog::citation(fault->evidence))
      .help(
          "select the pods by a label that names their namespace, and write `namespaceSelector: "
          "{}`");
}

// The hosts of a slice are in one node pool, so that none may keep off another there.
void judge_repulsion(const PodTree& pod, const Node& term, Sink& sink) {
  const Node *own = term.find("labelSelector"), *key = term.find("topologyKey"),
             *others = term.find("namespaceSelector");
  if (own == nullptr || key == nullptr || key->text != resolve::pool_label ||
      !pod.facts.multi_host() || term.find("namespaces") != nullptr ||
      (others != nullptr && !others->members.empty()))
    return;
  const Labels labels = labels_of(pod);
  // A key that the pods do not have is ignored.
  const bool is_of_others = any_of(items(term, "mismatchLabelKeys"), [&](const Node& each) {
    return labels.contains(each.text) || contains(each.text, '/') || !is_literal(&each);
  });
  if (is_of_others || !is_certain_to_select(*own, labels)) return;
  sink.report<Code::HostsRepelEachOther>(own->span, resolve::pool_label)
      .help(
          "leave out the pods of this workload: `NotIn` a label of theirs, or `mismatchLabelKeys`");
}

void judge_terms(const PodTree& pod, Sink& sink) {
  const Node* affinity = pod.spec.find("affinity");
  if (affinity == nullptr) return;
  for (std::string_view which : {"podAffinity", "podAntiAffinity"}) {
    const Node* terms = affinity->find(which);
    if (terms == nullptr) continue;
    const bool may_repel = which == "podAntiAffinity";
    for (const Node& term : items(*terms, "requiredDuringSchedulingIgnoredDuringExecution")) {
      judge_term(pod, term, may_repel, sink);
      if (may_repel) judge_repulsion(pod, term, sink);
    }
    for (const Node& preferred : items(*terms, "preferredDuringSchedulingIgnoredDuringExecution")) {
      if (const Node* term = preferred.find("podAffinityTerm")) judge_term(pod, *term, false, sink);
    }
  }
}

}  // namespace

void judge_terms_of_clusters(std::span<const Text> versions, const Catalog& catalog, Sink& sink) {
  const catalog::KubernetesFault* fault = find_fault(catalog);
  if (fault == nullptr || versions.empty()) return;
  for (const Text& each : versions) {
    if (!each.usable() || catalog::has_fault(*fault, each.value) != true) return;
  }
  std::vector<Span> found;
  for (const Diagnostic& each : sink.found()) {
    if (each.code == Code::PodsRepelEachOther) found.push_back(each.where);
  }
  for (const Span& where : found) {
    Diagnostic& finding = *sink.find(Code::PodsRepelEachOther, where);
    finding.level = diag::Level::soft;
    finding.also(versions.front().where.span, "the cluster's version is here");
  }
}

PodRules pod_affinity_rules() {
  static constexpr PodRule rules[] = {judge_terms};
  return rules;
}

}  // namespace flexslice::rules
