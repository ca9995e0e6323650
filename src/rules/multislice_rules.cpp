// Slices of one workload: what keeps the pods of each together, and how many there are.
#include <fmt/core.h>

#include <map>

#include "resolve/workload_names.hpp"
#include "rules/object_rules.hpp"
#include "rules/pod_rules.hpp"
#include "schema/placeholder.hpp"

namespace flexslice::rules {

namespace {

using view::PodClaims;
using view::PodRole;

constexpr std::string_view level_of_all = "kueue.x-k8s.io/podset-required-topology",
                           preferred_level = "kueue.x-k8s.io/podset-preferred-topology",
                           slice_topology = "kueue.x-k8s.io/podset-slice-required-topology",
                           slice_size = "kueue.x-k8s.io/podset-slice-size",
                           unconstrained = "kueue.x-k8s.io/podset-unconstrained-topology";

// Returns whether something tells the pods of one slice from those of the others, or may.
bool is_kept_together(const PodClaims& pod) {
  // A label of one's own may be that of a node pool, and these are of parts of one.
  return kept_by(pod) || any_of(pod.claims.workload.node_selector.entries, [](const auto& each) {
           return !resolve::is_set_by_gke(each.key.value) ||
                  each.key.value.starts_with("cloud.google.com/gke-tpu-slice") ||
                  each.key.value.starts_with("cloud.google.com/gke-tpu-partition") ||
                  each.key.value == "kubernetes.io/hostname";
         });
}

// Returns nothing if the count is not known.
std::optional<std::int64_t> claimed_count(const schema::Integer& count) {
  if (!count.where.given) return 1;
  return count.usable() ? std::optional(count.value) : std::nullopt;
}

struct JobSlices {
  const PodClaims* pod;
  std::int64_t hosts;
  std::int64_t count;
};

// Counts the slices of the pods of one object; nothing: some number is not known.
std::optional<std::vector<JobSlices>> slices_of(std::span<const PodClaims* const> pods,
                                                const Catalog& catalog) {
  std::vector<JobSlices> all;
  for (const PodClaims* pod : pods) {
    if (!pod->chips_known) return std::nullopt;
    if (!pod->requests_chips()) continue;
    const Facts facts = resolve::look_up(pod->claims, catalog);
    const auto jobs = claimed_count(pod->jobs);
    if (facts.generation == nullptr || !jobs) return std::nullopt;
    const std::int64_t hosts = hosts_of(*pod, facts);
    const auto pods_of_job =
        claimed_count(pod->parallelism.where.given ? pod->parallelism : pod->completions);
    // A wrong number is reported as such.
    if (!pods_of_job || *pods_of_job % hosts != 0) return std::nullopt;
    const std::int64_t slices_of_job = pod->is_exclusive ? 1 : *pods_of_job / hosts;
    all.push_back({pod, hosts, *jobs * slices_of_job});
  }
  return all;
}

std::string kind_and_name(const PodClaims& pod) {
  return fmt::format("{} `{}`", pod.kind.value, pod.claims.name.value);
}

Diagnostic& report_mixing(Span where, std::int64_t slices, const PodClaims& pod, std::int64_t hosts,
                          std::string_view annotation, Sink& sink) {
  const bool is_there =
      pod.object != nullptr && pod.object->at({"metadata", "annotations", annotation}) != nullptr;
  return sink.report<Code::SlicesMayMix>(where, slices, kind_and_name(pod))
      .note("each slice is {}, and node pools of one shape have the same labels",
            text::count(hosts, "host"))
      .help("{} the annotation `{}: {}` {} the {}", is_there ? "write" : "add", annotation,
            resolve::pool_label, is_there ? "in" : "to", pod.kind.value);
}

void judge_mixing(std::span<const JobSlices> all, Sink& sink) {
  std::map<std::pair<std::string, std::string>, std::vector<const JobSlices*>> by_shape;
  for (const JobSlices& each : all) {
    if (each.hosts < 2 || !says_all(each.pod->completeness) || is_kept_together(*each.pod))
      continue;
    const spec::Tpu& nodes = each.pod->claims.tpu;
    by_shape[{nodes.type.value, nodes.topology.value}].push_back(&each);
  }
  for (const auto& [shape, slices] : by_shape) {
    std::int64_t count = 0;
    for (const JobSlices* each : slices) count += each->count;
    if (count < 2) continue;
    const PodClaims& first = *slices.front()->pod;
    const Span of_jobs = first.jobs.where.span;
    report_mixing(of_jobs == Span{} ? first.claims.tpu.topology.where.span : of_jobs, count, first,
                  slices.front()->hosts, resolve::exclusive_topology, sink);
  }
}

// Groups of a LeaderWorkerSet are slices of their own.
void judge_groups(const PodClaims& pod, const Catalog& catalog, Sink& sink) {
  const Node* replicas = pod.object->at({"spec", "replicas"});
  const auto groups = replicas == nullptr ? std::nullopt : text::whole_number(replicas->text);
  if (!groups || *groups < 2 || !pod.requests_chips() || !says_all(pod.completeness) ||
      is_kept_together(pod))
    return;
  const std::int64_t hosts = hosts_of(pod, resolve::look_up(pod.claims, catalog));
  if (hosts < 2) return;
  Diagnostic& finding =
      report_mixing(replicas->span, *groups, pod, hosts, resolve::exclusive_group, sink);
  // There may be one pool of the shape, or the program may not need a whole slice; who writes the
  // annotation means slices.
  if (pod.object->at({"metadata", "annotations", resolve::exclusive_group}) == nullptr)
    finding.level = diag::Level::note;
}

std::int64_t jobs_of(const Node& job_set) {
  std::int64_t jobs = 0;
  const Node* spec = job_set.find("spec");
  if (spec == nullptr) return 0;
  for (const Node& job : items(*spec, "replicatedJobs")) {
    const Node* replicas = job.find("replicas");
    const auto count =
        replicas == nullptr ? std::optional<std::int64_t>(1) : text::whole_number(replicas->text);
    if (!count) return 0;
    jobs += *count;
  }
  return jobs;
}

// The number of slices that the pods are given, against those that there are.
void judge_number(const PodClaims& pod, std::int64_t own, std::int64_t all, Sink& sink) {
  const Node* variable = variable_named(pod, "MEGASCALE_NUM_SLICES");
  if (variable == nullptr) return;
  const std::string slices = text::count(all, "slice");
  if (const Node* value = variable->find("value")) {
    const auto number = text::whole_number(value->text);
    if (!number || *number == own || *number == all) return;
    // It may be one of several objects that join, and one alone switches Multislice off.
    const bool joins = variable_named(pod, "MEGASCALE_SLICE_ID") != nullptr ||
                       variable_named(pod, "MEGASCALE_COORDINATOR_ADDRESS") != nullptr;
    const bool is_set = pod.kind.value == "JobSet";
    if (is_set ? *number < 2 && !joins : joins || *number < 2) return;
    sink.report<Code::SlicesMiscounted>(*value, *number, kind_and_name(pod), slices)
        .help(is_set ? "remove it: GKE sets it for a JobSet"
                     : fmt::format("remove it, or write {}", all));
    return;
  }
  const Node* path = variable->at({"valueFrom", "fieldRef", "fieldPath"});
  constexpr std::string_view of_all = "jobset.sigs.k8s.io/global-replicas";
  if (path == nullptr || path->text.find(of_all) == std::string::npos || pod.object == nullptr)
    return;
  const std::int64_t jobs = jobs_of(*pod.object);
  if (jobs == 0 || jobs == all) return;
  sink.report<Code::SlicesMiscounted>(*path, jobs, kind_and_name(pod), slices)
      .note("`{}` counts the Jobs without TPUs too, and so does the index of a Job among them",
            of_all)
      .help("remove the MEGASCALE variables: GKE sets them for a JobSet");
}

// The shape in `cloud.google.com/gke-tpu-partition-4x4x4-id`.
std::optional<Topology> shape_in(std::string_view label) {
  for (std::string_view start :
       {"cloud.google.com/gke-tpu-partition-", "cloud.google.com/gke-tpu-slice-"}) {
    if (!label.starts_with(start) || !label.ends_with("-id")) continue;
    label.remove_prefix(start.size());
    label.remove_suffix(3);
    return parse_topology(label);
  }
  return std::nullopt;
}

void judge_worker_count(const PodClaims& pod, const Catalog& catalog, Sink& sink) {
  const yaml::Member *level_member = annotation_of(pod, slice_topology),
                     *size_member = annotation_of(pod, slice_size);
  const Node *level = level_member == nullptr ? nullptr : &level_member->value,
             *size = size_member == nullptr ? nullptr : &size_member->value;
  // The controller of dynamic slices sets both.
  if (level != nullptr && size == nullptr && !pod.slice_topology.where.given &&
      stands_alone(pod.completeness)) {
    const Facts facts = resolve::look_up(pod.claims, catalog);
    Diagnostic& finding = sink.report<Code::SliceSizeMissing>(*level, slice_topology, slice_size);
    const std::int64_t hosts = hosts_of(pod, facts);
    finding.help(hosts > 1 ? fmt::format("add `{}: \"{}\"`", slice_size, hosts)
                           : fmt::format("add `{}`, the pods of a slice", slice_size));
    return;
  }
  const bool is_apart =
      size != nullptr && level == nullptr && stands_alone(pod.completeness) &&
      annotation_of(pod, "kueue.x-k8s.io/podset-slice-required-topology-constraints") == nullptr;
  if (is_apart && !pod.slice_topology.where.given)
    sink.report<Code::SliceSizeMissing>(*size, slice_size, slice_topology)
        .help("add `{}`, the level of the topology that holds a slice", slice_topology);
  if (size == nullptr || level == nullptr || !pod.requests_chips()) return;
  const auto pods = text::whole_number(size->text);
  const Facts facts = resolve::look_up(pod.claims, catalog);
  if (!pods || facts.generation == nullptr) return;
  const auto part = shape_in(level->text);
  if (!part && level->text != resolve::pool_label) return;
  const std::int64_t hosts = hosts_of(pod, facts);
  const std::int64_t of_part = part ? part->chips() / pod.chips.value : hosts;
  // An unknown shape counts as one host.
  if (of_part < 2 || *pods == of_part || (hosts > 1 && *pods == hosts && hosts < of_part)) return;
  const Text& selected =
      pod.slice_topology.where.given ? pod.slice_topology : pod.claims.tpu.topology;
  const std::string shape = part ? part->text() : std::string(selected.value);
  sink.report<Code::SliceSizeOfOther>(*size, *pods, shape, text::count(of_part, "host"))
      .note("{} chips / {} a pod = {}", of_part * pod.chips.value, pod.chips.value, of_part)
      .help("write `{}: \"{}\"`", slice_size, of_part);
}

// One ProvisioningRequest is for all pods of the JobSet, and its nodes are in one pool.
void judge_request_of_slices(std::span<const JobSlices> slices, std::int64_t all,
                             const Catalog& catalog, Sink& sink) {
  const auto* first = find_where(slices, [](const JobSlices& each) { return each.hosts > 1; });
  if (first == nullptr || !says_all(first->pod->completeness)) return;
  const Text& name = first->pod->claims.provisioning.model;
  const Model* model = name.usable() ? named(catalog.models, &Model::name, name.value) : nullptr;
  const bool is_alike = std::ranges::all_of(slices, [&](const JobSlices& each) {
    return each.hosts > 1 && each.pod->claims.provisioning.model.value == name.value;
  });
  if (model == nullptr || !model->needs_queue || !is_alike || first->pod->is_made) return;
  const Span jobs = first->pod->jobs.where.span;
  sink.report<Code::QueuedSlices>(jobs == Span{} ? name.where.span : jobs, model->title, all)
      .note("a slice of {} is a node pool of its own", text::count(first->hosts, "host"))
      .help("write a JobSet for each slice, or choose another model");
}

constexpr std::string_view safe_to_evict = "cluster-autoscaler.kubernetes.io/safe-to-evict";

// A finding points at the name of the first container, or at the pod if there is none.
Span first_name(const Node& pod_spec) {
  const auto containers = items(pod_spec, "containers");
  return place_of({containers.empty() ? nullptr : containers.front().find("name"), &pod_spec});
}

// Names the role of the pod without chips in its workload; empty: the others do not need it.
std::string_view head_of(const PodClaims& pod) {
  if (pod.object == nullptr || pod.spec == nullptr) return {};
  if (pod.role == PodRole::lws_leader) return "leader";
  const Node* cluster = pod.object->at({"spec", "rayClusterSpec"});
  if (cluster == nullptr) cluster = pod.object->at({"spec", "rayClusterConfig"});
  if (cluster == nullptr) cluster = pod.object->find("spec");
  if (cluster == nullptr) return {};
  if (cluster->at({"headGroupSpec", "template", "spec"}) == pod.spec)
    return cluster->find("gcsFaultToleranceOptions") == nullptr ? "head" : "";
  // JobSet tells all pods the address of its coordinator.
  const Node* coordinator = pod.object->at({"spec", "coordinator", "replicatedJob"});
  if (coordinator == nullptr) return {};
  for (const Node& job : items(*pod.object->find("spec"), "replicatedJobs")) {
    const Node* name = job.find("name");
    if (name != nullptr && name->text == coordinator->text &&
        job.at({"template", "spec", "template", "spec"}) == pod.spec)
      return "head";
  }
  return {};
}

void judge_unconstrained(const PodClaims& pod, Sink& sink) {
  const yaml::Member* own = annotation_of(pod, unconstrained);
  if (own == nullptr || own->value.text != "false") return;
  sink.report<Code::UnconstrainedIsFalse>(own->value, unconstrained)
      .help(
          "remove the annotation; `podset-required-topology` and `podset-preferred-topology` name "
          "the level of the topology that holds the pods");
}

bool ends_workload(std::string_view object) {
  const spec::WorkloadKind* kind = spec::find_object(object);
  return kind != nullptr && kind->ends;
}

}  // namespace

const yaml::Member* annotation_of(const PodClaims& pod, std::string_view key) {
  const Node* annotations = pod.metadata == nullptr ? nullptr : pod.metadata->find("annotations");
  return annotations == nullptr ? nullptr : find_where(annotations->members, [&](const auto& each) {
    return each.key.text == key;
  });
}

std::vector<RequestedLevel> requested_levels(const PodClaims& pod, std::int64_t chips) {
  const auto value = [&](std::string_view key) {
    const yaml::Member* own = annotation_of(pod, key);
    return own == nullptr ? std::string_view() : std::string_view(own->value.text);
  };
  const std::int64_t of_slice = text::whole_number(value(slice_size)).value_or(0) * pod.chips.value;
  std::vector<RequestedLevel> levels;
  const std::pair<std::string_view, std::int64_t> requests[] = {
      {level_of_all, chips}, {preferred_level, 0}, {slice_topology, of_slice}};
  for (const auto& [key, needed] : requests) {
    const std::string_view label = value(key);
    if (!label.empty() && !schema::is_placeholder(label))
      levels.push_back({std::string(label), needed});
  }
  return levels;
}

const Node* variable_named(const PodClaims& pod, std::string_view name) {
  if (pod.spec == nullptr) return nullptr;
  for (const Node& container : items(*pod.spec, "containers")) {
    for (const Node& variable : items(container, "env")) {
      const Node* own = variable.find("name");
      if (own != nullptr && own->text == name) return &variable;
    }
  }
  return nullptr;
}

void judge_slices_of_objects(std::span<const PodClaims> pods, const Catalog& catalog, Sink& sink) {
  std::map<const Node*, std::vector<const PodClaims*>> by_object;
  for (const PodClaims& pod : pods) {
    if (pod.spec == nullptr || pod.object == nullptr) continue;
    judge_worker_count(pod, catalog, sink);
    if (pod.role == PodRole::lws_worker && stands_alone(pod.completeness) && !pod.is_made)
      judge_groups(pod, catalog, sink);
    judge_unconstrained(pod, sink);
    if (pod.role == PodRole::job && stands_alone(pod.completeness))
      by_object[pod.object].push_back(&pod);
  }
  for (const auto& [object, own] : by_object) {
    const auto slices = slices_of(own, catalog);
    if (!slices) continue;
    const bool is_set = own.front()->kind.value == "JobSet";
    if (is_set) judge_mixing(*slices, sink);
    std::int64_t all = 0;
    for (const JobSlices& each : *slices) all += each.count;
    if (is_set && all > 1) judge_request_of_slices(*slices, all, catalog, sink);
    for (const JobSlices& each : *slices) {
      const bool is_known = is_set || each.pod->claims.tpu.topology.usable();
      if (is_known && !each.pod->is_made) judge_number(*each.pod, each.count, all, sink);
    }
  }
}

void judge_heads(std::span<const PodClaims> pods, Sink& sink) {
  for (const PodClaims& pod : pods) {
    const std::string_view head = head_of(pod);
    if (head.empty() || !says_all(pod.completeness) || !pod.lacks_chips() ||
        annotation_of(pod, safe_to_evict) != nullptr)
      continue;
    const auto has_chips = [&](const PodClaims& other) {
      return other.object == pod.object && other.chips.where.given;
    };
    if (any_of(pods, has_chips))
      sink.report<Code::HeadMayBeEvicted>(
              first_name(*pod.spec), head,
              fmt::format("{} `{}`", pod.kind.value, pod.claims.name.value),
              ends_workload(pod.kind.value) ? "ends the workload"
                                            : "interrupts the workload until another one runs")
          .help("add `{}: \"false\"` to the annotations of its pod template", safe_to_evict);
  }
}

}  // namespace flexslice::rules
