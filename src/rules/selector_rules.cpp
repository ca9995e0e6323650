// Node labels that the pods select: reserved ones, and those that no node has.
#include <fmt/core.h>

#include "resolve/workload_names.hpp"
#include "rules/rules.hpp"

namespace flexslice::rules {

namespace {

Diagnostic& report_selector(const schema::Entry<Text>& entry, Sink& sink) {
  return sink.report<Code::SelectorWithoutNodes>(
      entry.value, fmt::format("{}: {}", entry.key.value, entry.value.value));
}

// Labels that GKE sets, with other values than it sets for the machine type.
void judge_machine_selectors(const Facts& facts, Sink& sink) {
  if (facts.machine == nullptr) return;
  const std::string_view machine = facts.machine->name;
  for (const auto& entry : facts.claims.workload.node_selector.entries) {
    const auto& [key, value] = entry;
    if (!value.usable()) continue;
    if (key.value == "cloud.google.com/gke-accelerator") {
      report_selector(entry, sink)
          .note("only nodes with GPUs have it; the label of TPUs follows from `tpu`")
          .help("remove it");
    } else if (key.value.starts_with("cloud.google.com/gke-tpu-") &&
               find_reserved(facts.catalog.reserved_selectors, key.value) == nullptr) {
      report_selector(entry, sink)
          .note("GKE sets accelerator and topology, which follow from `tpu`")
          .help("remove it");
    }
    const bool family = key.value == "cloud.google.com/machine-family";
    if (!family && key.value != "node.kubernetes.io/instance-type") continue;
    if (value.value != (family ? machine.substr(0, machine.find('-')) : machine))
      report_selector(entry, sink).note("the nodes are {}", machine).help("remove it");
  }
}

void judge_selectors(const Facts& facts, Sink& sink) {
  const auto& selectors = facts.claims.workload.node_selector;
  refuse_reserved(selectors, facts.catalog.reserved_selectors, sink);
  judge_machine_selectors(facts, sink);
  // Nodes are in the zones of the pool, and pods that select another one stay Pending.
  for (const auto& entry : selectors.entries) {
    const bool zone = entry.key.value == "topology.kubernetes.io/zone";
    const bool region = entry.key.value == "topology.kubernetes.io/region";
    if (facts.zones.empty() || (!zone && !region) || entry.value.where.bad) continue;
    const auto is_selected = [&](std::string_view of_pool) {
      return (zone ? of_pool : resolve::region_of(of_pool)) == entry.value.value;
    };
    if (!any_of(facts.zones, is_selected))
      report_selector(entry, sink)
          .note("the nodes are in {}", text::join(facts.zones, ", "))
          .help("remove it, or change `provisioning.zones`");
  }
}

// Where no zone is known, nodes are still in the region of their cluster.
void judge_selected_region(const Facts& facts, Sink& sink) {
  if (!facts.zones.empty() || facts.region.empty()) return;
  for (const auto& entry : facts.claims.workload.node_selector.entries) {
    const auto& [key, value] = entry;
    const bool zone = key.value == "topology.kubernetes.io/zone";
    if (!value.usable() || (!zone && key.value != "topology.kubernetes.io/region")) continue;
    if ((zone ? resolve::region_of(value.value) : std::string_view(value.value)) != facts.region)
      report_selector(entry, sink)
          .note("the cluster and its nodes are in {}", facts.region)
          .help("remove it, or choose a zone of {}", facts.region);
  }
}

// Labels with the same value on every node that is created, or with none.
void judge_fixed_labels(const Facts& facts, Sink& sink) {
  const bool creates_nodes = facts.gets_new_nodes();
  for (const auto& entry : facts.claims.workload.node_selector.entries) {
    const auto& [key, value] = entry;
    if (!value.usable()) continue;
    const NodeLabel* label = named(facts.catalog.node_labels, &NodeLabel::key, key.value);
    if (label != nullptr && value.value != label->value &&
        (creates_nodes || !label->of_default_image)) {
      Diagnostic& finding =
          report_selector(entry, sink).note("TPU nodes have `{}: {}`", label->key, label->value);
      note_evidence(finding, label->evidence);
      finding.help("remove it");
    }
    if (key.value == "kubernetes.io/arch" && facts.machine != nullptr &&
        value.value != facts.machine->architecture)
      report_selector(entry, sink)
          .note("nodes of {} have `{}: {}`", facts.machine->name, key.value,
                facts.machine->architecture)
          .help("remove it");
    if (key.value == "kubernetes.io/hostname" && creates_nodes)
      report_selector(entry, sink)
          .note("nodes are created for the workload, with names that are not known in advance")
          .help("remove it");
    const Reserved* beside_class =
        facts.by_class()
            ? named(facts.catalog.class_selectors, &Reserved::name, std::string_view(key.value))
            : nullptr;
    if (beside_class != nullptr &&
        find_reserved(facts.catalog.reserved_selectors, key.value) == nullptr) {
      Diagnostic& finding = sink.report<Code::ClassRefusesLabel>(
          value, resolve::class_name(facts.claims.name.value, facts.claims.name_space.value),
          key.value);
      finding.level = diag::Level::error;
      finding.note("`provisioning.fallback` makes the ComputeClass, which decides the nodes")
          .help("remove it");
      note_source(finding, beside_class->evidence);
    }
    if (key.value == resolve::class_label && (facts.creates_pools || facts.by_class()))
      report_selector(entry, sink)
          .note(facts.by_class()
                    ? "`provisioning.fallback` makes a ComputeClass, which the pods select"
                    : "only nodes of a ComputeClass have it, and the node pool is created without "
                      "one")
          .help(facts.by_class()
                    ? "remove it"
                    : "remove it, or use an existing node pool with `provisioning.create: false`");
  }
}

void judge_separation(const Facts& facts, Sink& sink) {
  const spec::Workload& workload = facts.claims.workload;
  const auto& selectors = workload.node_selector.entries;
  // A ComputeClass can give nodes labels.
  if (!facts.autopilot() || facts.by_class() || workload.tolerations.where.bad ||
      any_of(selectors, [](const auto& entry) { return entry.key.value == resolve::class_label; }))
    return;
  for (const auto& [key, value] : selectors) {
    if (!key.usable() || !value.usable() || resolve::is_set_by_gke(key.value)) continue;
    const auto is_for = [&, &key = key, &value = value](const spec::Toleration& toleration) {
      return toleration.where.bad ||
             (toleration.key.value == key.value &&
              (toleration.op.value == "Exists" || toleration.value.value == value.value));
    };
    if (!any_of(workload.tolerations.items, is_for))
      sink.report<Code::SelectorWithoutToleration>(value,
                                                   fmt::format("{}: {}", key.value, value.value))
          .help("add `tolerations: [{{key: {}, operator: Equal, value: {}, effect: NoSchedule}}]`",
                key.value, value.value);
  }
}

void judge_deprecated_labels(const Facts& facts, Sink& sink) {
  const auto& selectors = facts.claims.workload.node_selector.entries;
  for (const auto& [key, value] : selectors) {
    const Mistake* old = find_deprecated_label(facts.catalog, key.value);
    if (old == nullptr) continue;
    Diagnostic& finding = sink.report<Code::DeprecatedLabel>(key, key.value)
                              .note(std::string(old->why))
                              .help("write `{}`", old->instead);
    if (!any_of(selectors, [&](const auto& other) { return other.key.value == old->instead; }))
      finding.fix(key.where.span, std::string(old->instead));
  }
}

}  // namespace

Rules selector_rules() {
  static constexpr Rule rules[] = {judge_selectors, judge_selected_region, judge_fixed_labels,
                                   judge_separation, judge_deprecated_labels};
  return rules;
}

}  // namespace flexslice::rules
