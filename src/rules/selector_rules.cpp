// Node labels that pods select: reserved ones, and those that no node has. Pods of specs and of
// files are judged alike; only in a spec is it known which nodes are created.
#include <fmt/core.h>

#include "base/ascii.hpp"
#include "resolve/workload_names.hpp"
#include "rules/object_rules.hpp"
#include "rules/references.hpp"

namespace flexslice::rules {

namespace {

using Selector = schema::Entry<Text>;

std::string selector_text(const Selector& entry) {
  return fmt::format("{}: {}", entry.key.value, entry.value.value);
}

Diagnostic& report_selector(const Selector& entry, Sink& sink) {
  return sink.report<Code::SelectorWithoutNodes>(entry.value, selector_text(entry));
}

// With a label to select instead.
void replace_key(const Facts& facts, const Text& key, std::string_view label, Diagnostic& finding) {
  finding.help("write {}", label);
  const auto is_it = [&](const Selector& other) { return other.key.value == label; };
  if (!any_of(facts.claims.workload.node_selector.entries, is_it))
    finding.fix(key.where.span, std::string(label));
}

constexpr std::string_view gke_domain = "cloud.google.com/";

// The label that a key is nearly; empty: none is near. Other labels of GKE are not much longer, so
// that only one letter or two may differ, and those of GPUs differ by one.
std::string_view misspelt_label(const Catalog& catalog, std::string_view key) {
  if (!key.starts_with(gke_domain) || key.find("gpu") != std::string_view::npos) return {};
  const std::size_t most = key.size() - gke_domain.size() < 14 ? 1 : 2;
  for (const Reserved& row : catalog.reserved_selectors) {
    const std::string_view label = row.name;
    if (!label.ends_with('*') && text::distance(key, label) <= most) return label;
  }
  return {};
}

// A label of GKE with blanks around the `/`, or misspelt.
void judge_spelling(const Text& key, const Facts& facts, Sink& sink) {
  std::string bare = text::lower(key.value);
  const bool has_blanks = std::erase_if(bare, ascii::is_blank) > 0;
  const std::string_view label = misspelt_label(facts.catalog, bare);
  if (label.empty()) return;
  Diagnostic& finding = sink.report<Code::SelectorWithoutNodes>(key, key.value);
  if (!has_blanks) finding.level = diag::Level::warning;
  if (label != bare) {
    finding.help("did you mean `{}`?", label);
    return;
  }
  finding.note(has_blanks ? "a label key cannot contain blanks" : "GKE writes it in lower case");
  replace_key(facts, key, label, finding);
}

// The label of GPUs, and labels that people make up. False: it is none of them.
bool judge_other_label(const Selector& entry, const Facts& facts, Sink& sink) {
  const auto& [key, value] = entry;
  const bool is_of_spec = !facts.claims.is_found;
  if (key.value == "cloud.google.com/gke-accelerator") {
    if (is_of_spec) {
      report_selector(entry, sink)
          .note("only nodes with GPUs have it; the label of TPUs follows from `tpu`")
          .help("remove it");
    } else if (value.value.starts_with("tpu") ||
               generation_of_label(facts.catalog, value.value) != nullptr) {
      Diagnostic& finding = sink.report<Code::SelectorWithoutNodes>(key, selector_text(entry));
      replace_key(facts, key, accelerator_label, finding.note("it is the label of GPUs"));
    }
    return true;
  }
  const Mistake* invented =
      named(facts.catalog.invented_labels, &Mistake::name, std::string_view(key.value));
  const bool follows = is_of_spec && key.value.starts_with("cloud.google.com/gke-tpu-");
  if (follows) {
    report_selector(entry, sink)
        .note("GKE sets accelerator and topology, which follow from `tpu`")
        .help("remove it");
  } else if (invented != nullptr) {
    Diagnostic& finding = sink.report<Code::SelectorWithoutNodes>(key, key.value);
    finding.note(std::string(invented->why));
    if (is_of_spec && find_reserved(facts.catalog.reserved_selectors, invented->instead) != nullptr)
      finding.help("remove it: the spec says this elsewhere");
    else
      replace_key(facts, key, invented->instead, finding);
  }
  return follows || invented != nullptr;
}

// A label that GKE gives nodes, with a value that it gives none.
void judge_label_value(const Selector& entry, const Catalog& catalog, Sink& sink) {
  const auto& [key, value] = entry;
  if (!value.usable()) return;
  for (const Model& model : catalog.models) {
    const Label* label = named(model.node_selector, &Label::key, std::string_view(key.value));
    if (label != nullptr && value.value != label->value) {
      report_selector(entry, sink)
          .note("GKE gives nodes `{}: {}`, or no such label", key.value, label->value);
      return;
    }
  }
  const bool of_zone = key.value == "topology.kubernetes.io/zone",
             of_region = key.value == "topology.kubernetes.io/region";
  const bool is_zone = schema::matches(schema::Pattern::zone, value.value);
  if ((!of_zone && !of_region) || is_zone == of_zone ||
      !schema::matches(schema::Pattern::location, value.value))
    return;
  if (of_zone) {
    report_selector(entry, sink).help("write a zone of {}", value.value);
  } else {
    report_selector(entry, sink).help("write {}", resolve::region_of(value.value));
  }
}

void judge_labels(const Facts& facts, Sink& sink) {
  for (const Selector& entry : facts.claims.workload.node_selector.entries) {
    const bool is_reserved =
        find_reserved(facts.catalog.reserved_selectors, entry.key.value) != nullptr;
    // The fields of a spec say these.
    if (is_reserved && !facts.claims.is_found) continue;
    judge_label_value(entry, facts.catalog, sink);
    if (judge_other_label(entry, facts, sink)) continue;
    if (!is_reserved) judge_spelling(entry.key, facts, sink);
    if (!facts.claims.is_found) judge_spelling_of_key(entry.key, sink);
  }
}

// The machine types that the nodes may have.
std::vector<const MachineType*> possible_machines(const Facts& facts) {
  std::vector<const MachineType*> machines;
  if (facts.machine != nullptr) return {facts.machine};
  if (facts.generation == nullptr) return machines;
  for (const MachineType& machine : facts.generation->machine_types) machines.push_back(&machine);
  return machines;
}

// Labels that GKE sets by the machine type.
void judge_machine_labels(const Facts& facts, Sink& sink) {
  const std::vector<const MachineType*> machines = possible_machines(facts);
  for (const Selector& entry : facts.claims.workload.node_selector.entries) {
    const Text &key = entry.key, &value = entry.value;
    const bool is_family = key.value == "cloud.google.com/machine-family",
               is_architecture = key.value == "kubernetes.io/arch";
    // If the machine type is not known, this label may well say it.
    const bool is_type =
        key.value == "node.kubernetes.io/instance-type" && facts.machine != nullptr;
    if (!value.usable() || machines.empty() || (!is_family && !is_architecture && !is_type))
      continue;
    const auto of = [&](const MachineType& machine) -> std::string_view {
      const std::string_view name = machine.name;
      return is_family ? name.substr(0, name.find('-')) : is_type ? name : machine.architecture;
    };
    if (any_of(machines, [&](const MachineType* each) { return of(*each) == value.value; }))
      continue;
    const std::string_view nodes =
        facts.machine != nullptr ? std::string_view(facts.machine->name) : facts.generation->id;
    report_selector(entry, sink)
        .note("nodes of {} have `{}: {}`", nodes, key.value, of(*machines.front()))
        .help("remove it");
  }
}

void judge_selectors(const Facts& facts, Sink& sink) {
  const auto& selectors = facts.claims.workload.node_selector;
  refuse_reserved(facts, selectors, facts.catalog.reserved_selectors, facts.nodes_by_gke(), sink);
  // Nodes are in the zones of the pool, and pods that select another one stay Pending.
  for (const auto& entry : selectors.entries) {
    const bool zone = entry.key.value == "topology.kubernetes.io/zone";
    const bool region = entry.key.value == "topology.kubernetes.io/region";
    if (facts.zones.empty() || (!zone && !region) || entry.value.where.bad) continue;
    // A region in place of a zone has been reported.
    if (schema::matches(schema::Pattern::location, entry.value.value) &&
        schema::matches(schema::Pattern::zone, entry.value.value) != zone)
      continue;
    const auto is_selected = [&](std::string_view of_pool) {
      return (zone ? of_pool : resolve::region_of(of_pool)) == entry.value.value;
    };
    if (!any_of(facts.zones, is_selected))
      report_selector(entry, sink)
          .note("the nodes are in {}", text::join(facts.zones, ", "))
          .help("remove it, or change `provisioning.zones`");
  }
}

// If no zone is known, nodes are still in the region of their cluster.
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
  const bool creates_nodes = facts.gets_new_nodes() && !facts.claims.is_found;
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
    if (key.value == resolve::class_label && !facts.claims.is_found &&
        (facts.creates_pools || facts.by_class()))
      report_selector(entry, sink)
          .note(facts.by_class()
                    ? "`provisioning.fallback` makes a ComputeClass, which the pods select"
                    : "only nodes of a ComputeClass have it, and the node pool is created without "
                      "one")
          // Both belong to pools that the spec describes.
          .help(facts.by_class() || facts.claims.cluster.create.value ||
                        facts.claims.provisioning.owner.where.given
                    ? "remove it"
                    : "remove it, or use an existing node pool with `provisioning.create: false`");
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

void judge_ordinary_pool(const Text& pool, std::string_view help, const Facts& facts, Sink& sink) {
  if (!pool.usable() || facts.machine == nullptr) return;
  constexpr std::string_view of_cluster = "default-pool";
  const spec::Claims& claims = facts.claims;
  const bool is_of_slices =
      !facts.nodes_by_gke() && !claims.name.where.bad &&
      (facts.creates_pools || claims.provisioning.node_pools.where.usable()) &&
      contains(resolve::pool_names(facts), pool.value);
  if (is_of_slices) {
    sink.report<Code::HeadNodePool>(pool, pool.value, "it is one of the slices")
        .note("nodes with TPUs take no pods without chips")
        .help("name a pool of ordinary nodes, or {}", help);
  } else if (claims.cluster.create.usable() && claims.cluster.create.value &&
             pool.value != of_cluster) {
    sink.report<Code::HeadNodePool>(pool, pool.value,
                                    "the cluster that is created does not have it")
        .help("{}: the default pool of the cluster has room for the head", help);
  }
}

Rules selector_rules() {
  static constexpr Rule rules[] = {judge_selectors,       judge_labels,
                                   judge_machine_labels,  judge_fixed_labels,
                                   judge_selected_region, judge_deprecated_labels};
  return rules;
}

Rules found_selector_rules() {
  static constexpr Rule rules[] = {judge_labels};
  return rules;
}

Rules found_tpu_selector_rules() {
  static constexpr Rule rules[] = {judge_machine_labels, judge_fixed_labels,
                                   judge_deprecated_labels};
  return rules;
}

}  // namespace flexslice::rules
