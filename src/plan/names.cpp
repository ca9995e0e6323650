// Metadata of all objects, and the budget of names that derive from the workload's.
#include "plan/steps.hpp"

namespace flexslice::plan {

using diag::Code;

namespace {

struct Part {
  std::string text;
  std::string_view what;
};

// A derived name against its limit, shown part by part.
void check_length(const Context& context, const record::Text& at, std::string_view what, std::initializer_list<Part> parts,
                  std::size_t limit) {
  std::string name;
  std::string sum;
  for (const Part& part : parts) {
    if (part.text.empty()) continue;
    name += part.text;
    sum += text::format("{}{} {}", sum.empty() ? "" : " + ", part.what, part.text.size());
  }
  if (name.size() <= limit || at.where.bad) return;
  context.sink.report<Code::DerivedNameTooLong>(at.where.span, what, name, name.size(), limit)
      .note(text::format("{} = {}", sum, name.size()))
      .help(text::format("drop {} from `{}`", text::count(static_cast<std::int64_t>(name.size() - limit), "character"), at.value));
}

void check_pool_names(const Context& context) {
  const Plan& plan = context.plan;
  if (plan.provisioning.pools.empty()) return;
  const std::string index = plan.tpu.slices > 1 ? "-" + std::to_string(plan.tpu.slices - 1) : "";
  const record::Text& given = context.spec.provisioning.node_pool;
  constexpr std::size_t limit = 40;  // of GKE node pools
  if (given.where.given) {
    check_length(context, given, "node pool", {{given.value, "nodePool"}, {index, "index"}}, limit);
  } else {
    check_length(context, context.spec.name, "node pool", {{plan.name, "name"}, {"-pool", "`-pool`"}, {index, "index"}}, limit);
  }
  for (const Policy& policy : plan.provisioning.policies) {
    check_length(context, context.spec.name, "workload policy", {{plan.name, "name"}, {policy.name.substr(plan.name.size()), "`-policy`"}},
                 63);
  }
}

// The pods of a Job on one host have random names.
void name_hosts(Plan& plan) {
  const bool jobset = plan.workload.kind == "jobset";
  if (!jobset && !plan.tpu.multi_host()) return;
  const std::string last = std::to_string(plan.tpu.hosts - 1);
  if (jobset) {
    plan.workload.host_names = {plan.name + "-slice-0-0", text::format("{}-slice-{}-{}", plan.name, plan.tpu.slices - 1, last)};
  } else {
    plan.workload.host_names = {plan.name + "-0", plan.name + "-" + last};
  }
}

void check_pod_names(const Context& context) {
  const Plan& plan = context.plan;
  constexpr std::size_t limit = 63;  // of a DNS label, hence of a pod's host name
  const std::string last_host = "-" + std::to_string(plan.tpu.hosts - 1);
  if (plan.workload.kind == "jobset") {
    check_length(
        context, context.spec.name, "pod",
        {{plan.name, "name"}, {"-slice-" + std::to_string(plan.tpu.slices - 1), "slice"}, {last_host, "host"}, {"-xxxxx", "suffix"}},
        limit);
  } else if (plan.tpu.multi_host()) {
    check_length(context, context.spec.name, "pod host", {{plan.name, "name"}, {last_host, "index"}}, limit);
  }
}

// The object that asks for nodes is named after the queue, and its reference has room for a DNS label.
void check_queue_names(const Context& context) {
  const Provisioning& provisioning = context.plan.provisioning;
  if (provisioning.queue.empty() || provisioning.model == nullptr || !provisioning.model->needs_queue) return;
  check_length(context, context.spec.provisioning.queue, "ProvisioningRequestConfig",
               {{provisioning.queue, "queue"}, {"-nodes", "`-nodes`"}}, 63);
}

// Pods that find each other by host name have a Service of the workload's name.
void check_service_name(const Context& context) {
  const Plan& plan = context.plan;
  const bool has_service = !plan.workload.service.empty() || plan.workload.kind == "jobset";
  const bool in_default = plan.name_space.empty() || plan.name_space == "default";
  constexpr std::string_view of_server = "kubernetes";
  if (!has_service || !in_default || plan.name != of_server) return;
  context.sink.report<Code::ServiceNameTaken>(context.spec.name.where.span, of_server)
      .note("the workload needs a Service of its own name, and that one belongs to the API server")
      .help("choose another name, or another `namespace`");
}

}  // namespace

void refuse_reserved(const Context& context, const record::Map<record::Text>& given, const std::vector<catalog::Reserved>& rows) {
  for (const auto& entry : given.entries) {
    const catalog::Reserved* reserved = catalog::find_reserved(rows, entry.key.value);
    if (reserved == nullptr) continue;
    context.sink.report<Code::DerivedSelector>(entry.key.where.span, entry.key.value).note(std::string(reserved->why)).help("leave it out");
  }
}

void resolve_metadata(const Context& context) {
  refuse_reserved(context, context.spec.labels, context.catalog.reserved_labels);
  context.plan.labels = sorted_pairs(context.spec.labels);
  context.plan.annotations = sorted_pairs(context.spec.annotations);
}

void resolve_names(const Context& context) {
  if (context.plan.tpu.machine == nullptr || context.spec.name.where.bad) return;
  name_hosts(context.plan);
  check_pool_names(context);
  check_pod_names(context);
  check_queue_names(context);
  check_service_name(context);
}

}  // namespace flexslice::plan
