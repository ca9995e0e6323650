// Labels, and the lengths of names that derive from the workload's.
#include <fmt/core.h>

#include <initializer_list>

#include "resolve/workload_names.hpp"
#include "rules/object_rules.hpp"

namespace flexslice::rules {

namespace {

struct NamePart {
  std::string text;
  std::string what;

  NamePart(std::string_view value, std::string_view name) : text(value), what(name) {}
  // A part that says what it is.
  NamePart(std::string_view fixed) : text(fixed), what(fmt::format("`{}`", fixed)) {}
};

constexpr std::size_t label_limit = 63;  // of a DNS label, hence of a pod's host name
constexpr std::size_t pool_limit = 40;   // of GKE node pools

// A derived name against its limit, shown part by part. `claim` is the part that can be shortened.
void judge_length(Sink& sink, const Text& claim, std::string_view what,
                  std::initializer_list<NamePart> parts, std::size_t limit = label_limit) {
  const auto name = text::join(texts(parts, &NamePart::text), "");
  if (name.size() <= limit || claim.where.bad) return;
  const auto sizes = texts(parts, [](const NamePart& part) {
    return part.text.empty() ? "" : fmt::format("{} {}", part.what, part.text.size());
  });
  diag::Diagnostic& finding =
      sink.report<Code::DerivedNameTooLong>(claim, what, name, name.size(), limit);
  if (parts.size() > 1) finding.note("{} = {}", text::join(sizes, " + "), name.size());
  finding.help("remove {} from `{}`",
               text::count(static_cast<std::int64_t>(name.size() - limit), "character"),
               claim.value);
}

// Names of which the workload's is the first part.
void judge_workload_names(const Facts& facts, Sink& sink) {
  const Text& name = facts.claims.name;
  const auto& pools = facts.claims.provisioning.node_pools;
  if (facts.machine == nullptr || name.where.bad) return;
  const std::string index = facts.pools() > 1 ? fmt::format("-{}", facts.pools() - 1) : "";
  if (facts.creates_pools && pools.where.given)
    judge_length(sink, pools.items.front(), "node pool",
                 {{pools.items.front().value, "nodePool"}, {index, "index"}}, pool_limit);
  constexpr std::string_view of_cluster = "default-pool";
  if (facts.creates_pools && pools.where.given && pools.items.front().value == of_cluster)
    sink.report<Code::DefaultPool>(pools.items.front(), of_cluster)
        .help("choose another name; for a pool that exists write `create: false`");
  if (facts.creates_pools && !pools.where.given)
    judge_length(sink, name, "node pool",
                 {{name.value, "name"}, {resolve::pool_suffix}, {index, "index"}}, pool_limit);
  if (facts.creates_pools && resolve::shaped_by_policy(facts))
    judge_length(sink, name, "workload policy", {{name.value, "name"}, {resolve::policy_suffix}});
  if (facts.containers > 1)
    judge_length(sink, name, "container",
                 {{name.value, "name"}, {fmt::format("-{}", facts.containers - 1), "index"}});
  if (facts.kind == nullptr || facts.is_capacity()) return;
  const auto host = fmt::format("-{}", (facts.workers() ? facts.slices : facts.hosts) - 1);
  const auto slice_part = facts.kind->slice_part;
  const bool of_host = facts.kind->slice_tail.empty();
  const bool has_index =
      facts.workers() || (facts.multi_host() && facts.kind->service == spec::Service::pods);
  if (facts.kind->scheduled && has_index && name.value.size() <= facts.kind->max_name) {
    judge_length(sink, name, "pod host",
                 {{name.value, "name"}, {resolve::start_suffix, "start"}, {host, "index"}});
  } else if (facts.kind->pathways) {
    const std::size_t limit = facts.kind->max_name;
    if (name.value.size() > limit)
      sink.report<Code::DerivedNameTooLong>(name, facts.kind->object, name.value, name.value.size(),
                                            limit)
          .note("JobSet writes the address of the head into a label: `NAME-pathways-head-0-0.NAME`")
          .note("2 * {} + {} = {}, and a label has at most {}", name.value.size(),
                label_limit - 2 * limit, label_limit + 2 * (name.value.size() - limit), label_limit)
          .help("remove {} from `{}`",
                text::count(static_cast<std::int64_t>(name.value.size() - limit), "character"),
                name.value);
  } else if (facts.kind->max_name < label_limit) {
    judge_length(sink, name, facts.kind->object, {{name.value, "name"}}, facts.kind->max_name);
  } else if (!slice_part.empty()) {
    judge_length(sink, name, of_host ? "pod" : "revision",
                 {{name.value, "name"},
                  {fmt::format("{}{}", slice_part, facts.slices - 1), "slice"},
                  {of_host ? host : std::string(), "host"},
                  {of_host ? "-xxxxx" : facts.kind->slice_tail, "suffix"}});
  } else if (has_index) {
    judge_length(sink, name, "pod host", {{name.value, "name"}, {host, "index"}});
  }
}

// The object that asks for nodes is named after the queue, and its reference has room for a DNS
// label.
void judge_queue_name(const Facts& facts, Sink& sink) {
  const Text& queue = facts.claims.provisioning.queue.name;
  if (facts.machine == nullptr || facts.claims.name.where.bad || facts.model == nullptr ||
      !facts.model->needs_queue || queue.value.empty() || facts.has_their_queue())
    return;
  judge_length(sink, queue, "ProvisioningRequestConfig",
               {{queue.value, "queue"}, {resolve::check_suffix}});
}

void judge_service_name(const Facts& facts, Sink& sink) {
  const Text& name = facts.claims.name;
  const auto name_space = facts.claims.name_space.value;
  constexpr std::string_view of_server = "kubernetes";
  const bool has_service =
      facts.machine != nullptr && facts.kind != nullptr && resolve::has_service(facts);
  if (!has_service || name.where.bad || name.value != of_server ||
      !(name_space.empty() || name_space == "default"))
    return;
  sink.report<Code::ServiceNameTaken>(name, of_server)
      .note(
          "the workload needs a Service with its own name, but this one belongs to the API server")
      .help("choose another name, or another `namespace`");
}

// Such a priority is the workload's alone.
void help_with_priority(const Facts& facts, Diagnostic& finding, std::string_view key,
                        std::string_view value) {
  if (key != resolve::priority_label) return;
  if (facts.claims.provisioning.queue.name.where.given)
    finding.help("write `provisioning.priority: {}` in its place, which labels the workload alone",
                 value);
  else
    finding.help("remove it: only workloads in a queue have a priority of Kueue");
}

void judge_own_labels(const Facts& facts, Sink& sink) {
  const auto& labels = facts.claims.labels;
  const auto& reserved = facts.catalog.reserved_labels;
  refuse_reserved(facts, labels, reserved, facts.autopilot(), sink);
  if (facts.kind != nullptr && facts.kind->sets_pod_label) {
    for (const auto& [key, value] : labels.entries) {
      if (key.value == facts.kind->pod_label)
        sink.report<Code::DerivedSelector>(key, key.value)
            .note("the {} finds its pods by it", facts.kind->object)
            .help("remove it");
    }
  }
  const bool has_priority = facts.claims.provisioning.priority.name.usable();
  for (const auto& [key, value] : labels.entries) {
    if (has_priority && key.value == resolve::priority_label)
      sink.report<Code::DerivedSelector>(key, key.value)
          .note("It follows from `provisioning.priority`.")
          .help("remove it");
  }
  if (!facts.creates_pools || facts.machine == nullptr || facts.claims.name.where.bad) return;
  for (const auto& [key, value] : labels.entries) {
    if (has_priority && key.value == resolve::priority_label) continue;
    if (key.usable() && value.usable() && !resolve::is_resource_label(key.value, value.value) &&
        find_reserved(reserved, key.value) == nullptr)
      help_with_priority(facts, sink.report<Code::LabelNotOnPool>(key, key.value), key.value,
                         value.value);
  }
}

void judge_own_annotations(const Facts& facts, Sink& sink) {
  if (facts.kind == nullptr) return;
  for (const auto* annotations :
       {&facts.claims.annotations, &facts.claims.workload.pod_annotations}) {
    for (const auto& [key, value] : annotations->entries)
      judge_annotation(key.where.span, key.value, facts.kind->object, sink);
  }
}

}  // namespace

void judge_object_name(const Node& object, std::string_view of, Sink& sink) {
  const spec::WorkloadKind* kind = spec::find_object(of);
  const Node* own = object.at({"metadata", "name"});
  if (kind == nullptr || kind->scheduled || !is_literal(own)) return;
  const Text name{{.span = own->span, .given = true}, own->text};
  const auto last_of = [&](std::string_view key) {
    const Node* count = object.at({"spec", key});
    return count == nullptr ? 0 : text::whole_number(count->text).value_or(1) - 1;
  };
  const Node* mode = object.at({"spec", "completionMode"});
  if (!kind->slice_tail.empty()) {
    judge_length(sink, name, "revision",
                 {{name.value, "name"},
                  {fmt::format("{}{}", kind->slice_part, last_of("replicas")), "slice"},
                  {kind->slice_tail, "suffix"}});
  } else if (mode != nullptr && mode->text == "Indexed" &&
             name.value.find('.') != name.value.npos) {
    sink.report<Code::WrongForm>(place_of({own, &object}), name.value, "metadata.name")
        .note("the host names of the pods of an Indexed Job begin with it, and have no dots");
  } else if (mode != nullptr && mode->text == "Indexed") {
    judge_length(sink, name, "pod host",
                 {{name.value, "name"}, {fmt::format("-{}", last_of("completions")), "index"}});
  }
}

Rules name_rules() {
  static constexpr Rule rules[] = {judge_workload_names, judge_queue_name, judge_service_name,
                                   judge_own_labels, judge_own_annotations};
  return rules;
}

}  // namespace flexslice::rules
