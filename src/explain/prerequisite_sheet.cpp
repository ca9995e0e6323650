#include <fmt/core.h>

#include <utility>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "explain/sheet.hpp"
#include "plan/prerequisites.hpp"

namespace flexslice::explain {

namespace {

std::string cluster_text(const plan::GkeCluster& cluster, std::string_view channel,
                         bool bucket_driver) {
  std::string text = std::string(cluster.name);
  if (text.empty())
    text = fmt::format("{}, selected by kubectl's context",
                       cluster.autopilot ? "an Autopilot cluster" : "a Standard cluster");
  if (!cluster.location.empty()) text += fmt::format(" in {}", cluster.location);
  if (!channel.empty()) text += fmt::format(", in release channel {}", channel);
  if (bucket_driver) text += ", with Workload Identity and the addon GcsFuseCsiDriver";
  return text;
}

// Node pools that exist already have to be like this.
std::string pools_text(const plan::Plan& plan) {
  const std::string like = fmt::format(
      "{} {} with {}, of {}{}{}", plan.tpu.generation,
      plan.provisioning.slicing == nullptr ? plan.tpu.topology : plan.provisioning.pool_topology,
      plan.provisioning.title, plan.tpu.machine_type.value,
      plan.provisioning.image_type.empty()
          ? ""
          : fmt::format(" with image {}", plan.provisioning.image_type),
      plan.placement.mode.empty()
          ? ""
          : fmt::format(", whose workload policy has --accelerator-topology-mode={}",
                        plan.placement.mode));
  if (plan.any_pools.empty())
    return fmt::format("{}: {}", text::join(texts(plan.pools, &plan::NodePool::name), ", "), like);
  return fmt::format("{}: {}",
                     plan.placement.pools > 1 ? fmt::format("any {}", plan.placement.pools) : "any",
                     like);
}

// `app: chat`
std::string labels_text(const schema::Pairs& labels) {
  return text::join(
      texts(labels,
            [](const auto& label) { return fmt::format("`{}: {}`", label.first, label.second); }),
      ", ");
}

// The name, and the keys that the objects refer to, or what the nodes of several pods need of it.
std::string object_text(const plan::Object& object) {
  if (object.shared)
    return fmt::format(
        "{} (mounted by several nodes: {})", object.name,
        object.noun == "StorageClass" ? "ReadWriteMany" : "ReadWriteMany or ReadOnlyMany");
  if (object.keys.empty()) return object.name;
  return fmt::format("{} ({} {})", object.name, object.keys.size() == 1 ? "key" : "keys",
                     text::join(object.keys, " and "));
}

}  // namespace

void add_needed(const plan::Plan& plan, const plan::Needed& needed, explain::Sheet& sheet) {
  sheet.section("Required, and not created by the scripts");
  if (!plan.cluster.create)
    sheet.entry("cluster", cluster_text(plan.cluster, plan.provisioning.release_channel,
                                        needed.bucket_driver));
  if (!plan.provisioning.create && plan.cluster.standard && !plan.compute_class)
    sheet.entry("node pool", pools_text(plan));
  if (!needed.access.empty()) sheet.entry("access", needed.access);
  if (needed.checkpoints)
    sheet.entry("checkpoints", "a CheckpointConfiguration that selects the nodes");
  if (!needed.checkpoint_bucket.empty())
    sheet.entry("access",
                "ServiceAccount gke-checkpointing-multitier-node of namespace "
                "gke-managed-checkpointing with roles/storage.objectUser on {}, which has a "
                "hierarchical namespace",
                needed.checkpoint_bucket);
  if (plan.provisioning.reservation)
    sheet.entry("reservation", plan.provisioning.reservation->name);
  for (const auto& controller : needed.controllers)
    sheet.entry(controller.name, "in the cluster, {}{}{}{}{}", controller.site,
                controller.tested.empty() ? "" : "; tested ", controller.tested,
                controller.enabled_by.empty() ? "" : "; enabled by ", controller.enabled_by);
  if (needed.metrics_api)
    sheet.entry(
        "metrics adapter",
        "the API custom.metrics.k8s.io, as the Custom Metrics Stackdriver Adapter 0.13.1 or "
        "later serves it");
  if (!needed.gateway.empty())
    sheet.entry("Gateway", "{}{}{}", needed.gateway,
                needed.gateway_namespace.empty() ? "" : " in namespace ", needed.gateway_namespace);
  if (!needed.proxy_subnet.empty())
    sheet.entry("subnet",
                "a proxy-only subnet in {}, in the network of the cluster: the proxies of the "
                "Gateway have their addresses there",
                needed.proxy_subnet);
  if (!needed.body_router.empty())
    sheet.entry("body router",
                "a body-based router of Gateway {}, which sets X-Gateway-Model-Name to the model "
                "of each request",
                needed.body_router);
  if (!needed.picker.empty())
    sheet.entry("picker",
                "Service {}, as the chart oci://ghcr.io/llm-d/charts/llm-d-router-gateway makes it "
                "with router.inferencePool.create=false, provider.name=gke and {} as "
                "router.modelServers.matchLabels",
                needed.picker, labels_text(plan.client_selector));
  if (needed.tpu_webhook) sheet.entry("TPU webhook", "of KubeRay; GKE's RayOperator add-on has it");
  if (!needed.ordinary_nodes.empty()) sheet.entry("nodes", needed.ordinary_nodes);
  if (!needed.name_space.empty()) sheet.entry("namespace", needed.name_space);
  if (plan.provisioning.their_queue)
    sheet.entry("LocalQueue", "{}, whose flavors have no topology", plan.provisioning.queue);
  std::string_view noun;
  for (const auto& object : needed.objects) {
    if (std::exchange(noun, object.noun) == object.noun) continue;
    const auto of_noun =
        texts(needed.objects, object_text, [&](const auto& other) { return other.noun == noun; });
    sheet.entry(noun, text::join(of_noun, ", "));
  }
  if (!needed.buckets.empty()) sheet.entry("bucket", text::join(needed.buckets, ", "));
}

}  // namespace flexslice::explain
