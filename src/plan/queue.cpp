// The Kueue queue: what it places, and the flavor of nodes that it gives the workload.
#include "plan/steps.hpp"

namespace flexslice::plan {

using diag::Code;

namespace {

constexpr std::size_t max_name = 63;  // the name is also the value of a taint

// Eight hexadecimal digits that depend on every byte (FNV-1a).
std::string fingerprint(std::string_view text) {
  std::uint32_t hash = 2166136261u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  std::string digits;
  for (int shift = 28; shift >= 0; shift -= 4) digits += "0123456789abcdef"[(hash >> shift) & 15u];
  return digits;
}

// Two flavors with one name would overwrite each other, so all that makes the nodes of one different is in its name.
std::string flavor_name(const Plan& plan) {
  const Tpu& tpu = plan.tpu;
  std::string name = text::format("{}-{}", tpu.generation->id, tpu.topology.text());
  const auto machines = catalog::machine_types_for(*tpu.generation, tpu.topology);
  if (machines.size() > 1 || machines.front() != tpu.machine) name += tpu.machine->name.substr(tpu.machine->name.rfind('-'));
  name += text::format("-{}", plan.provisioning.model->name);
  const Reservation& reservation = plan.provisioning.reservation;
  if (!reservation.name.empty()) name += "-" + reservation.name;
  if (reservation.path != reservation.name) name += "-" + fingerprint(reservation.path);
  // On Standard the lifetime belongs to the pool; on Autopilot the flavor selects it.
  if (plan.cluster.autopilot && plan.provisioning.max_run_seconds > 0) name += text::format("-{}s", plan.provisioning.max_run_seconds);
  if (name.size() <= max_name) return name;
  const std::string end = "-" + fingerprint(name);
  return name.substr(0, max_name - end.size()) + end;
}

// A ProvisioningRequest asks for all pods of a workload in one node group.
void refuse_queued_slices(const Context& context) {
  const Plan& plan = context.plan;
  const catalog::Model& model = *plan.provisioning.model;
  if (!model.needs_queue || plan.tpu.machine == nullptr || !plan.tpu.multi_host() || plan.tpu.slices < 2) return;
  // Where the model is refused as a whole, that is the one mistake.
  const catalog::Support* support = catalog::find_support(model, plan.tpu.generation->id);
  if (!model.modes.contains(plan.cluster.autopilot ? "autopilot" : "standard") || (support != nullptr && !support->supported)) return;
  context.sink.report<Code::QueuedSlices>(context.spec.tpu.slices.where.span, model.title, plan.tpu.slices)
      .note(text::format("the request is for {} in one node pool; {} slices * {} = {}",
                         text::count(plan.tpu.slices * plan.tpu.hosts, "pod"), plan.tpu.slices, text::count(plan.tpu.hosts, "host"),
                         plan.tpu.slices * plan.tpu.hosts))
      .note(text::format("each slice is a node pool of its own, with {}", text::count(plan.tpu.hosts, "node")))
      .help("leave `slices` out, or choose another model");
}

}  // namespace

void resolve_queue(const Context& context) {
  Plan& plan = context.plan;
  Provisioning& provisioning = plan.provisioning;
  const record::Text& given = context.spec.provisioning.queue;
  provisioning.queue = given.value;
  if (provisioning.model == nullptr) return;
  const catalog::Model& model = *provisioning.model;
  if (model.needs_queue && !given.where.given && !given.where.bad) {
    const record::Text& model_text = context.spec.provisioning.model;
    context.sink.report<Code::QueueNeeded>(model_text.where.given ? model_text.where.span : context.spec.tpu.type.where.span, model.title)
        .help("add `queue: NAME` of a Kueue LocalQueue; `--emit queues` writes the objects");
  }
  refuse_queued_slices(context);
  if (provisioning.queue.empty() || plan.tpu.machine == nullptr) return;
  // Kueue places pods on nodes that exist, or that it has requested. A pool that the autoscaler fills has none when it decides, and
  // Autopilot creates nodes only for pods that exist.
  const bool nodes_known = (model.nodes == "all" && !plan.cluster.autopilot) || model.needs_queue;
  provisioning.placed_by_queue = nodes_known && plan.tpu.multi_host();
  provisioning.flavor = flavor_name(plan);
}

}  // namespace flexslice::plan
