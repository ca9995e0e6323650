// Labels, and the lengths of names that derive from the workload's.
#include "facts/names.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <initializer_list>

#include "base/text.hpp"
#include "rules/rules.hpp"

namespace flexslice::rules {

using diag::Code;

namespace {

struct NamePart {
  std::string text;
  std::string_view what;
};

// A derived name against its limit, shown part by part.
void judge_length(const Subject& subject, const schema::Text& at, std::string_view what,
                  std::initializer_list<NamePart> parts, std::size_t limit) {
  std::string name, sum;
  for (const NamePart& part : parts) {
    if (part.text.empty()) continue;
    name += part.text;
    sum += fmt::format("{}{} {}", sum.empty() ? "" : " + ", part.what, part.text.size());
  }
  if (name.size() <= limit || at.where.bad) return;
  subject.sink.report<Code::DerivedNameTooLong>(at.where.span, what, name, name.size(), limit)
      .note(fmt::format("{} = {}", sum, name.size()))
      .help(fmt::format("drop {} from `{}`",
                        text::count(static_cast<std::int64_t>(name.size() - limit), "character"),
                        at.value));
}

void judge_pool_names(const Subject& subject) {
  if (subject.facts.autopilot) return;
  const schema::Text& name = subject.claims.name;
  const schema::Text& pool = subject.claims.provisioning.node_pool;
  const std::string index =
      subject.facts.slices > 1 ? fmt::format("-{}", subject.facts.slices - 1) : std::string();
  constexpr std::size_t limit = 40;  // of GKE node pools
  if (pool.where.given) {
    judge_length(subject, pool, "node pool", {{pool.value, "nodePool"}, {index, "index"}}, limit);
  } else {
    judge_length(subject, name, "node pool",
                 {{name.value, "name"}, {"-pool", "`-pool`"}, {index, "index"}}, limit);
  }
  if (facts::shaped_by_policy(subject.facts))
    judge_length(subject, name, "workload policy", {{name.value, "name"}, {"-policy", "`-policy`"}},
                 63);
}

void judge_pod_names(const Subject& subject) {
  constexpr std::size_t limit = 63;  // of a DNS label, hence of a pod's host name
  const schema::Text& name = subject.claims.name;
  const std::string last_host = fmt::format("-{}", subject.facts.hosts - 1);
  if (!subject.facts.kind->slice_part.empty()) {
    const std::string slice =
        fmt::format("{}{}", subject.facts.kind->slice_part, subject.facts.slices - 1);
    judge_length(
        subject, name, "pod",
        {{name.value, "name"}, {slice, "slice"}, {last_host, "host"}, {"-xxxxx", "suffix"}}, limit);
  } else if (subject.facts.multi_host()) {
    judge_length(subject, name, "pod host", {{name.value, "name"}, {last_host, "index"}}, limit);
  }
}

// The object that asks for nodes is named after the queue, and its reference has room for a DNS
// label.
void judge_queue_name(const Subject& subject) {
  const schema::Text& queue = subject.claims.provisioning.queue;
  const catalog::Model* model = subject.facts.model;
  if (queue.value.empty() || model == nullptr || !model->needs_queue) return;
  judge_length(subject, queue, "ProvisioningRequestConfig",
               {{queue.value, "queue"}, {"-nodes", "`-nodes`"}}, 63);
}

// Pods that find each other by host name have a Service of the workload's name.
void judge_service_name(const Subject& subject) {
  const claims::Claims& claims = subject.claims;
  constexpr std::string_view of_server = "kubernetes";
  const bool in_default = claims.name_space.value.empty() || claims.name_space.value == "default";
  const bool has_service = subject.facts.multi_host() ||
                           (subject.facts.kind != nullptr && subject.facts.kind->own_service);
  if (!has_service || !in_default || claims.name.value != of_server) return;
  subject.sink.report<Code::ServiceNameTaken>(claims.name.where.span, of_server)
      .note("the workload needs a Service of its own name, and that one belongs to the API server")
      .help("choose another name, or another `namespace`");
}

}  // namespace

void judge_name_lengths(const Subject& subject) {
  if (subject.facts.machine == nullptr || subject.claims.name.where.bad) return;
  judge_pool_names(subject);
  if (subject.facts.kind != nullptr) judge_pod_names(subject);
  judge_queue_name(subject);
  judge_service_name(subject);
}

void judge_labels(const Subject& subject) {
  refuse_reserved(subject, subject.claims.labels, subject.catalog.reserved_labels);
  if (subject.facts.autopilot || subject.facts.machine == nullptr || subject.claims.name.where.bad)
    return;
  for (const auto& entry : subject.claims.labels.entries) {
    if (!entry.key.where.usable() || !entry.value.where.usable()) continue;
    if (catalog::find_reserved(subject.catalog.reserved_labels, entry.key.value) != nullptr)
      continue;  // an error already
    if (!facts::is_resource_label(entry.key.value, entry.value.value))
      subject.sink.report<Code::LabelNotOnPool>(entry.key.where.span, entry.key.value);
  }
}

}  // namespace flexslice::rules
