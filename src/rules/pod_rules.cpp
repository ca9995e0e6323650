// Pod templates of manifests: the nodes that they select, the chips that they request, and how many
// pods there are.
#include "rules/pod_rules.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/slip.hpp"
#include "schema/pattern.hpp"

namespace flexslice::rules {

using schema::Integer;
using view::PodClaims;
using view::PodRole;

namespace {

std::string_view label_of(const Generation& generation) {
  return generation.machine_types[0].accelerator;
}

bool is_accelerator(const Catalog& catalog, std::string_view value) {
  return any_of(catalog.generations, [&](const Generation& generation) {
    return named(generation.machine_types, &MachineType::accelerator, value) != nullptr;
  });
}

void judge_accelerator(const PodClaims& pod, const Facts& facts, Sink& sink) {
  const Text& claim = pod.claims.tpu.type;
  if (!claim.usable() || is_accelerator(facts.catalog, claim.value)) return;
  const Mistake* mistake = find_mistake(facts.catalog, claim.value);
  if ((mistake != nullptr && mistake->exists) || find_core_name(facts.catalog, claim.value)) return;
  std::vector<std::string_view> labels;
  for (const Generation& generation : facts.catalog.generations) {
    for (const MachineType& machine : generation.machine_types) {
      if (!contains(labels, machine.accelerator)) labels.push_back(machine.accelerator);
    }
  }
  Diagnostic& finding = sink.report<Code::UnknownGeneration>(claim, claim.value);
  finding.note("no node has `{}: {}`", accelerator_label, claim.value)
      .note("values of the label: {}", text::join(labels, " "));
  // The mistake may be the generation's name, or a product's.
  const std::string_view meant =
      mistake == nullptr ? std::string_view(claim.value) : mistake->instead;
  const Generation* generation = find_generation(facts.catalog, meant);
  if (mistake != nullptr) finding.note(std::string(mistake->why));
  if (generation == nullptr) {
    if (mistake != nullptr) return;
    std::erase_if(labels,
                  [&](std::string_view label) { return !text::same_digits(label, claim.value); });
    return diag::did_you_mean(finding, claim.value, labels);
  }
  const std::string_view label =
      generation_of_label(facts.catalog, meant) != nullptr ? meant : label_of(*generation);
  finding.help("write {}", label).fix(claim.where.span, std::string(label));
}

// `v5p-8` for the accelerator.
void judge_core_name(const PodClaims& pod, const Facts& facts, Sink& sink) {
  const Text& claim = pod.claims.tpu.type;
  if (claim.usable() && !is_accelerator(facts.catalog, claim.value))
    report_core_count(facts, claim, sink);
}

// The shape of the slice that the pods form: the annotation decides.
const Text& shape_claim(const PodClaims& pod) {
  return pod.slice_topology.where.given ? pod.slice_topology : pod.claims.tpu.topology;
}
std::optional<Topology> shape_of(const PodClaims& pod) {
  const Text& shape = shape_claim(pod);
  return shape.usable() ? parse_topology(shape.value) : std::nullopt;
}

std::int64_t most_chips(std::span<const Candidate> nodes) {
  std::int64_t most = 0;
  for (const Candidate& node : nodes) most = std::max<std::int64_t>(most, node.machine->chips);
  return most;
}

// An object that is complete says all about the counts of its pods.
bool says_all_counts(const PodClaims& pod) {
  return pod.kind.where.given && pod.requests_chips() && stands_alone(pod.completeness);
}

// The pod's numbers must agree with each other and with its nodes.
class Counts {
 public:
  Counts(const PodClaims& pod, const Facts& facts, Sink& sink)
      : pod_(pod),
        facts_(facts),
        sink_(sink),
        nodes_(candidates(pod, facts)),
        shape_(shape_of(pod)) {}

  void judge() {
    if (judge_chips() && find_fitting()) judge_kind();
  }

  std::int64_t slice_hosts() {
    return find_fitting() && multi_host() ? hosts(fitting_.front()) : 1;
  }

 private:
  bool find_fitting() {
    if (!shape_) return false;
    fitting_ = nodes_;
    if (pod_.requests_chips())
      std::erase_if(fitting_,
                    [&](const Candidate& node) { return node.machine->chips != pod_.chips.value; });
    std::erase_if(fitting_, [&](const Candidate& node) {
      return shape_->chips() % node.machine->chips != 0;
    });
    // Nothing of a topology alone is certain: another generation may have it.
    return !fitting_.empty() && facts_.generation != nullptr;
  }

  std::int64_t hosts(const Candidate& node) const { return shape_->chips() / node.machine->chips; }
  bool is_host_count(std::int64_t count) const {
    return any_of(fitting_, [&](const Candidate& node) { return hosts(node) == count; });
  }
  // Several slices of one Job, which some programs join themselves.
  bool is_multiple(std::int64_t count) const {
    // The node pool that exclusive placement gives a Job is one slice.
    const std::int64_t most = pod_.is_exclusive ? 1 : INT64_MAX;
    return count > 0 && any_of(fitting_, [&](const Candidate& node) {
             const std::int64_t hosts_of_node = hosts(node);
             return hosts_of_node > 1 && count % hosts_of_node == 0 &&
                    count / hosts_of_node <= most;
           });
  }
  bool multi_host() const { return !is_host_count(1); }

  // Returns false if the number is wrong, and so says nothing about hosts.
  bool judge_chips() {
    if (!pod_.requests_chips()) return true;
    const std::int64_t chips = pod_.chips.value;
    if (nodes_.empty()) {
      judge_without_nodes(chips);
      return true;
    }
    const std::int64_t most = most_chips(nodes_);
    if (chips > most) {
      report_above(chips, most);
      return false;
    }
    const bool fits =
        any_of(nodes_, [&](const Candidate& node) { return node.machine->chips == chips; });
    if (fits) return true;
    if (facts_.generation != nullptr) report_below(chips, most);
    return false;
  }

  // Nothing selects nodes, or what selects them is wrong: still no host has more than the largest,
  // of the generation where that is known.
  void judge_without_nodes(std::int64_t chips) {
    std::int64_t most = 0;
    for (const Generation& generation : facts_.catalog.generations) {
      if (facts_.generation != nullptr && facts_.generation != &generation) continue;
      for (const MachineType& machine : generation.machine_types)
        most = std::max<std::int64_t>(most, machine.chips);
    }
    if (chips > most)
      add_sum(sink_.report<Code::ChipsAboveHost>(
          pod_.chips, text::count(chips, "chip"),
          facts_.generation == nullptr ? std::string("TPU") : std::string(facts_.generation->id),
          fmt::format("at most {}", most)));
  }

  void add_sum(Diagnostic& finding) const {
    if (!pod_.sum.empty()) finding.note(pod_.sum);
  }

  void report_above(std::int64_t chips, std::int64_t most) {
    const Candidate& node = *std::ranges::max_element(
        nodes_, {}, [](const Candidate& each) { return each.machine->chips; });
    std::int64_t most_of_all = 0;
    for (const MachineType& machine : node.generation->machine_types)
      most_of_all = std::max<std::int64_t>(most_of_all, machine.chips);
    const bool above_all = chips > most_of_all;
    const bool known = facts_.generation != nullptr;
    const std::string what = !known ? "TPU"
                             : above_all || !shape_
                                 ? std::string(node.generation->id)
                                 : fmt::format("{} {}", node.generation->id, shape_->text());
    Diagnostic& finding = sink_.report<Code::ChipsAboveHost>(
        pod_.chips, text::count(chips, "chip"), what,
        fmt::format("{}{}", above_all || !shape_ || !known ? "at most " : "",
                    above_all && known ? most_of_all : most));
    add_sum(finding);
    if (!shape_ || !known || shape_->chips() % node.machine->chips != 0) return;
    finding.note("{} is {} on {} of {}; a pod gets the chips of one host", shape_->text(),
                 text::count(shape_->chips(), "chip"), text::count(hosts(node), "host"),
                 node.machine->name);
    help_above(finding, node);
  }

  void help_above(Diagnostic& finding, const Candidate& node) const {
    const auto wanted = hosts(node);
    const std::string chips = std::to_string(node.machine->chips);
    if (pod_.role == PodRole::replicas && pod_.kind.value != "StatefulSet" && wanted > 1) {
      finding.help("write {} in a LeaderWorkerSet of size {}: kind {} is not for a slice of {}",
                   chips, wanted, pod_.kind.value, text::count(wanted, "host"));
      return;
    }
    std::vector<diag::Edit> edits;
    bool certain = nodes_.size() == 1 && pod_.sum.empty() && wanted == 1;
    std::string counts;
    for (const Integer* count : written_counts()) {
      const bool job = pod_.role == PodRole::job;
      if (count->value == wanted || (job && may_stay(*count, wanted))) {
        certain = certain || (nodes_.size() == 1 && pod_.sum.empty());
        continue;
      }
      counts += counts.empty() ? fmt::format(", and {} {}", wanted, count->where.label)
                               : fmt::format(" and {}", count->where.label);
      edits.push_back({count->where.span, std::to_string(wanted)});
      certain = nodes_.size() == 1 && pod_.sum.empty() && job;
    }
    finding.help("write {}{}", chips, counts);
    if (!certain) return;
    for (const Span& amount : pod_.amounts) finding.fix(amount, chips);
    for (diag::Edit& edit : edits) finding.fixes.push_back(std::move(edit));
  }

  // A Job on single hosts has as many pods as it has work for, and the hosts of several slices may
  // be one Job. The number of all chips in place of hosts is the same mistake twice.
  bool may_stay(const Integer& count, std::int64_t wanted) const {
    return wanted == 1 || (count.value % wanted == 0 && count.value != pod_.chips.value);
  }

  std::vector<const Integer*> written_counts() const {
    std::vector<const Integer*> counts;
    for (const Integer* count : {&pod_.completions, &pod_.parallelism, &pod_.size, &pod_.hosts}) {
      if (count->usable()) counts.push_back(count);
    }
    return counts;
  }

  void report_below(std::int64_t chips, std::int64_t most) {
    std::vector<std::string> amounts;
    for (const Candidate& node : nodes_) {
      std::string amount = std::to_string(node.machine->chips);
      if (!contains(amounts, amount)) amounts.push_back(std::move(amount));
    }
    Diagnostic& finding = sink_.report<Code::ChipsBelowHost>(
        pod_.chips, text::count(chips, "chip"),
        shape_ ? fmt::format("{} {}", facts_.generation->id, shape_->text())
               : std::string(facts_.generation->id),
        text::join(amounts, " or "));
    add_sum(finding);
    if (amounts.size() == 1) finding.help("write {}", most);
  }

  // Counts are of pods that use the chips; a head may share their nodes.
  void judge_kind() {
    if (says_all(pod_.completeness) && pod_.lacks_chips()) return;
    switch (pod_.role) {
      case PodRole::job:
        return judge_job();
      case PodRole::lws_worker:
        return judge_group();
      case PodRole::ray_worker:
        return judge_worker_group();
      case PodRole::trainer:
        return judge_trainer();
      case PodRole::replicas:
      case PodRole::pod:
        if (multi_host() && pod_.requests_chips()) report_without_order();
        return;
      default:
        return;
    }
  }

  // Pods of a StatefulSet have an index; it may have those of several slices.
  void judge_indexed_replicas() {
    const Integer& replicas = pod_.replicas;
    if (replicas.usable() && replicas.value % hosts(fitting_.front()) != 0) report_count(replicas);
  }

  // One replica may be a test.
  void report_without_order() {
    if (pod_.kind.value == "StatefulSet") return judge_indexed_replicas();
    Diagnostic& finding = sink_.report<Code::KindForHosts>(
        pod_.claims.tpu.topology, pod_.kind.value, text::count(hosts(fitting_.front()), "host"));
    finding.level = diag::Level::note;
    finding.note("its pods have no order: the program in them must find the hosts itself");
    if (!pod_.replicas.usable() || pod_.replicas.value < 2) return;
    finding.level = diag::Level::warning;
    for (const Candidate& node : candidates(pod_, facts_)) {
      if (hosts(node) == 1)
        finding.help("request {}: {} is one host of {}", text::count(node.machine->chips, "chip"),
                     shape_->text(), node.machine->name);
    }
    finding.help("a LeaderWorkerSet serves with slices of several hosts");
  }

  void report_count(const Integer& count, const Integer* also = nullptr) {
    const Candidate& node = fitting_.front();
    Diagnostic& finding =
        report_host_count(sink_, count, count.where.label, *shape_, *node.machine, "");
    const std::string replicas = help_for_replicas();
    if (fitting_.size() > 1 || !replicas.empty()) finding.fixes.clear();
    if (!replicas.empty()) finding.helps = {replicas};
    // As many pods are right on larger hosts, and the number of chips is the mistake.
    const auto* larger = find_where(nodes_, [&](const Candidate& each) {
      return each.machine->chips > node.machine->chips &&
             each.machine->chips * count.value == shape_->chips();
    });
    if (larger != nullptr && replicas.empty() && pod_.requests_chips()) {
      finding.fixes.clear();
      finding.help("or write `google.com/tpu: {}`, for {} of {}", larger->machine->chips,
                   text::count(count.value, "host"), larger->machine->name);
    }
    if (also != nullptr && !finding.fixes.empty())
      finding.fix(also->where.span, std::to_string(hosts(node)));
  }

  Diagnostic& report_missing(std::string_view count, Span where) {
    return sink_.report<Code::CountMissing>(where, count, hosts(fitting_.front()))
        .note(resolve::hosts_sum(*shape_, *fitting_.front().machine));
  }

  // Replicas of one pod may be the hosts of a slice; empty: they are not.
  std::string help_for_replicas() const {
    const auto is_one = [](const Integer& count) {
      return !count.where.given || (count.usable() && count.value == 1);
    };
    const std::int64_t wanted = hosts(fitting_.front());
    if (!pod_.replicas.usable() || pod_.replicas.value < wanted ||
        pod_.replicas.value % wanted != 0 || !is_one(pod_.completions) || !is_one(pod_.parallelism))
      return {};
    return fmt::format(
        "write `replicas: {}` and `completions: {}`: the {} replicas are one host each",
        pod_.replicas.value / wanted, wanted, pod_.replicas.value);
  }

  void judge_worker_group() {
    const Integer& count = pod_.hosts;
    if (count.usable() && count.value > 0 && !is_host_count(count.value)) report_count(count);
    if (count.where.given || !multi_host() || !says_all_counts(pod_)) return;
    Diagnostic& finding =
        report_missing("numOfHosts", shape_claim(pod_).where.span)
            .note("KubeRay takes 1 for it; its webhook on GKE rejects a cluster with fewer hosts")
            .help("add `numOfHosts: {}`", hosts(fitting_.front()));
    finding.level = diag::Level::error;
  }

  // Its pods are the completions of one Job.
  void judge_trainer() {
    const Integer& count = pod_.hosts;
    if (multi_host() && count.usable() && !is_host_count(count.value) && !is_multiple(count.value))
      report_count(count);
  }

  void judge_job() {
    const Integer &completions = pod_.completions, &parallelism = pod_.parallelism;
    // Without any pods it is complete at once.
    if (completions.usable() && completions.value == 0) return report_count(completions);
    if (!multi_host()) return;
    if (completions.usable()) {
      const bool wrong = !is_host_count(completions.value) && !is_multiple(completions.value);
      const bool same = parallelism.usable() && parallelism.value == completions.value;
      if (wrong) return report_count(completions, same ? &parallelism : nullptr);
    }
    if (parallelism.usable() && parallelism.value > 0 && !is_host_count(parallelism.value) &&
        !is_multiple(parallelism.value))
      return report_count(parallelism);
    if (!completions.where.given) {
      // The API server rejects it, which is a row of its table.
      const bool is_refused = pod_.completion_mode.value == "Indexed" && parallelism.where.given;
      if (!says_all_counts(pod_) || is_refused) return;
      const std::string replicas = help_for_replicas();
      Diagnostic& finding =
          report_missing("completions", parallelism.where.given ? parallelism.where.span
                                                                : shape_claim(pod_).where.span);
      finding.help(replicas.empty()
                       ? fmt::format("add `completionMode: Indexed` and `completions: {}`",
                                     hosts(fitting_.front()))
                       : replicas);
      return;
    }
    if (completions.usable() && parallelism.usable() && parallelism.value > 0 &&
        completions.value > parallelism.value)
      return report_rounds();
    if (completions.usable() && !parallelism.where.given && says_all_counts(pod_)) {
      report_missing("parallelism", completions.where.span)
          .note("Kubernetes takes 1 for it, and the first pod waits for the others")
          .help("add `parallelism: {}`", completions.value);
      return;
    }
    judge_index();
  }

  // The pods of a slice start together: those of a second round have indexes that no host has.
  void report_rounds() {
    if (is_host_count(pod_.parallelism.value)) return report_count(pod_.completions);
    sink_
        .report<Code::NodesContradictHosts>(pod_.completions, pod_.completions.where.label,
                                            pod_.completions.value,
                                            text::count(pod_.parallelism.value, "host"))
        .help("write {}, as `parallelism` has it", pod_.parallelism.value);
  }

  // A JobSet makes its Jobs Indexed.
  void judge_index() {
    const Text& mode = pod_.completion_mode;
    if (!pod_.requests_chips() || mode.value == "Indexed") return;
    if (mode.where.given ? mode.value == "NonIndexed" : pod_.is_plain_job && says_all_counts(pod_))
      sink_
          .report<Code::PodsWithoutIndex>(mode.where.given ? mode.where : pod_.completions.where,
                                          pod_.kind.value, hosts(fitting_.front()))
          .help(mode.where.given ? "write `completionMode: Indexed`"
                                 : "add `completionMode: Indexed`");
  }

  // The controller tells pods with chips the hosts of their subgroup, if the pod does not say them.
  void judge_subgroups() {
    const Integer &size = pod_.size, &of = pod_.sub_group_size;
    const bool by_hand =
        variable_named(pod_, "TPU_WORKER_HOSTNAMES") || variable_named(pod_, "TPU_WORKER_ID");
    if (!of.usable() || pod_.leader_without_tpus || by_hand || !says_all_counts(pod_) ||
        !pod_.requests_chips())
      return;
    if (pod_.sub_group_type.value == "LeaderExcluded") {
      // One with a template of its own may say the hosts there.
      if (pod_.leader_apart) return;
      sink_.report<Code::LeaderInNoSubgroup>(pod_.sub_group_type)
          .help("remove it, or add a `leaderTemplate` that requests no TPUs");
    } else if (of.value == 1 && size.usable() && size.value > 1) {
      report_lone_subgroups();
    }
  }

  void report_lone_subgroups() {
    const catalog::Controller* controller =
        catalog::find_controller(facts_.catalog, pod_.kind.value);
    if (controller == nullptr) return;
    for (const catalog::ControllerMinimum& minimum : controller->minimums) {
      if (minimum.feature != "subgroups-of-one" || minimum.versions.empty()) continue;
      note_source(sink_.report<Code::SubgroupsOfOne>(pod_.sub_group_size, minimum.versions[0]),
                  minimum.evidence);
    }
  }

  // A group is a slice, or has a leader more; with subgroups each of these is a slice.
  void judge_group() {
    judge_subgroups();
    if (!multi_host()) return;
    if (pod_.sub_group_size.where.given) {
      const Integer& size = pod_.sub_group_size;
      if (size.usable() && !is_host_count(size.value) && !is_multiple(size.value))
        report_count(size);
      return;
    }
    const Integer& size = pod_.size;
    if (!size.where.given && says_all_counts(pod_))
      report_missing("size", shape_claim(pod_).where.span)
          .note("LeaderWorkerSet takes 1 for it, so that each group is one pod")
          .help("add `size: {}`", hosts(fitting_.front()));
    if (!size.usable()) return;
    const auto forms = [&](std::int64_t pods) { return is_host_count(pods) || is_multiple(pods); };
    // Then the workers alone form the slice.
    const std::int64_t workers = size.value - (pod_.leader_without_tpus ? 1 : 0);
    const bool may_lead = !stands_alone(pod_.completeness) || !pod_.requests_chips();
    const std::int64_t formed = forms(workers) ? workers : may_lead ? size.value : 0;
    if (forms(formed)) {
      if (!is_host_count(formed)) report_mixed(formed);
      return;
    }
    if (workers == size.value || may_lead) return report_count(size);
    const Candidate& node = fitting_.front();
    sink_
        .report<Code::NodesContradictHosts>(size, "the number of workers with TPUs", workers,
                                            text::count(hosts(node), "host"))
        .note(resolve::hosts_sum(*shape_, *node.machine))
        .note("the leader requests no TPUs, and counts as one of the {}", size.value)
        .help("write {}, one more than the hosts", hosts(node) + 1);
  }

  // Several slices in one group, of which nothing says which pods form one.
  void report_mixed(std::int64_t pods) {
    const Candidate& node = fitting_.front();
    Diagnostic& finding =
        report_host_count(sink_, pod_.size, pod_.size.where.label, *shape_, *node.machine, "");
    finding.level = diag::Level::warning;
    finding.fixes.clear();
    finding
        .note("nothing says which of the {} pods form one of the {} slices", pods,
              pods / hosts(node))
        .help("or add `subGroupPolicy: {{subGroupSize: {}}}`", hosts(node));
  }

  const PodClaims& pod_;
  const Facts& facts_;
  Sink& sink_;
  std::vector<Candidate> nodes_, fitting_;
  std::optional<Topology> shape_;
};

// GKE makes pools of the class with it, which the machines refuse.
void judge_boot_disk(const PodClaims& pod, const Facts& facts, Sink& sink) {
  const std::vector<Candidate> nodes = candidates(pod, facts);
  if (!pod.boot_disk.usable() || nodes.empty() || facts.generation == nullptr) return;
  judge_boot_disk_type(pod.boot_disk, pod.boot_disk.where.label, *nodes.front().machine, true,
                       sink);
}

void judge_restarts(const PodClaims& pod, Sink& sink) {
  const Text& policy = pod.restart_policy;
  if (pod.is_plain_job && says_all(pod.completeness) && !policy.where.given && pod.chips_known)
    sink.report<Code::JobRestartPolicy>(pod.kind, pod.kind.value, "Always")
        .note("Kubernetes takes it for pods that do not say `restartPolicy`")
        .help("add `restartPolicy: Never` to the template's spec");
  if (!policy.usable()) return;
  const bool is_job = pod.role == PodRole::job;
  const bool always = policy.value == "Always";
  if (is_job != always || (!always && policy.value != "Never" && policy.value != "OnFailure"))
    return;
  Diagnostic& finding =
      sink.report<Code::JobRestartPolicy>(policy, pod.kind.value, policy.value)
          .help(is_job ? "write `Never` or `OnFailure`" : "write `Always`, or remove it");
  if (pod.kind.value == "LeaderWorkerSet")
    finding.note("the API server accepts it, and refuses the StatefulSets that are made of it");
}

// The labels of two provisioning models. What waits for a queue can be of another model too.
void judge_models(const PodClaims& pod, const Catalog& catalog, Sink& sink) {
  const Label* first = nullptr;
  for (const Model& model : catalog.models) {
    if (model.needs_queue) continue;
    for (const Label& label : model.node_selector) {
      const auto* entry =
          find_where(pod.claims.workload.node_selector.entries, [&](const auto& each) {
            return each.key.value == label.key && each.value.value == label.value;
          });
      if (entry == nullptr) continue;
      if (first != nullptr)
        sink.report<Code::SelectorsExclude>(entry->key,
                                            fmt::format("{}: {}", first->key, first->value),
                                            fmt::format("{}: {}", label.key, label.value))
            .help("select one of them");
      first = &label;
    }
  }
}

// How many chips a node has.
void judge_accelerator_count(const PodClaims& pod, const Facts& facts, Sink& sink) {
  constexpr std::string_view key = "cloud.google.com/gke-accelerator-count";
  const auto* entry = find_where(pod.claims.workload.node_selector.entries,
                                 [&](const auto& each) { return each.key.value == key; });
  if (entry == nullptr || !entry->value.usable() || !pod.claims.tpu.type.where.given) return;
  const auto wanted = text::whole_number(entry->value.value);
  const std::vector<Candidate> nodes = candidates(pod, facts);
  const auto has = [&](const Candidate& node) { return node.machine->chips == wanted; };
  if (!wanted || nodes.empty() || any_of(nodes, has)) return;
  std::vector<std::string> counts;
  for (const Candidate& node : nodes) {
    std::string count = std::to_string(node.machine->chips);
    if (!contains(counts, count)) counts.push_back(std::move(count));
  }
  sink.report<Code::SelectorWithoutNodes>(entry->value, fmt::format("{}: {}", key, *wanted))
      .note("these nodes have it with {}", text::join(counts, " or "))
      .help("remove it");
}

}  // namespace

// GKE refuses pods that choose more than the class, where it is not one of its own.
void judge_class(const PodClaims& pod, const Catalog& catalog, Sink& sink) {
  const auto* chosen = find_where(pod.claims.workload.node_selector.entries, [](const auto& each) {
    return each.key.value == resolve::class_label;
  });
  if (chosen == nullptr || !chosen->value.usable() ||
      contains(catalog.built_in_classes, chosen->value.value))
    return;
  for (const auto& entry : pod.claims.workload.node_selector.entries) {
    const Reserved* row =
        named(catalog.class_selectors, &Reserved::name, std::string_view(entry.key.value));
    if (row == nullptr) continue;
    note_source(sink.report<Code::ClassRefusesLabel>(entry.value, chosen->value.value, row->name)
                    .help("remove it, and {}", row->why),
                row->evidence);
  }
}

bool selects(const PodClaims& pod, std::string_view label) {
  return any_of(pod.claims.workload.node_selector.entries,
                [&](const auto& entry) { return entry.key.value == label; });
}

std::vector<Candidate> candidates(const PodClaims& pod, const Facts& facts) {
  const spec::Tpu& tpu = pod.claims.tpu;
  std::vector<Candidate> nodes;
  if (tpu.type.where.given && facts.generation == nullptr) return nodes;
  if (!tpu.type.where.given && !tpu.topology.where.given) return nodes;
  const auto shape = tpu.topology.usable() ? parse_topology(tpu.topology.value) : std::nullopt;
  if (tpu.topology.where.given && !tpu.topology.where.placeholder && !shape) return nodes;
  for (const Generation& generation : facts.catalog.generations) {
    if (facts.generation != nullptr && facts.generation != &generation) continue;
    for (const MachineType& machine : generation.machine_types) {
      const bool label =
          !is_accelerator(facts.catalog, tpu.type.value) || machine.accelerator == tpu.type.value;
      const bool named = !tpu.machine_type.usable() || machine.name == tpu.machine_type.value;
      const bool forms = !shape || find_shape(generation, machine, *shape) != nullptr;
      if (label && named && forms && machine.status != Status::unknown)
        nodes.push_back({&generation, &machine});
    }
  }
  return nodes;
}

std::int64_t hosts_of(const PodClaims& pod, const Facts& facts) {
  Sink unused;
  return Counts(pod, facts, unused).slice_hosts();
}

void judge_limits(std::span<const Span> unlimited, Sink& sink) {
  for (const Span& request : unlimited)
    sink.report<Code::LimitRequired>(request).help("add the same amount to `limits`");
}

void judge_counts(const PodClaims& pod, const Facts& facts, Sink& sink) {
  Counts(pod, facts, sink).judge();
}

void judge_pod(const PodClaims& pod, const Facts& facts, Sink& sink) {
  judge_accelerator(pod, facts, sink);
  judge_core_name(pod, facts, sink);
  for (const Rule rule : found_selector_rules()) rule(facts, sink);
  judge_models(pod, facts.catalog, sink);
  judge_class(pod, facts.catalog, sink);
  judge_boot_disk(pod, facts, sink);
  if (pod.is_on_tpus()) {
    for (const Rules rules : {found_tpu_selector_rules(), found_lifetime_rules()}) {
      for (const Rule rule : rules) rule(facts, sink);
    }
  }
  judge_accelerator_count(pod, facts, sink);
  judge_restarts(pod, sink);
  judge_slice(pod, facts, sink);
  // Patches that change what is derived are reported as such; those of a group's size may be right.
  if (!pod.is_made || pod.role == PodRole::lws_worker || pod.role == PodRole::ray_worker)
    Counts(pod, facts, sink).judge();
  if (stands_alone(pod.completeness)) judge_limits(pod.unlimited, sink);
}

}  // namespace flexslice::rules
