#include "plan/prerequisites.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/lists.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"
#include "resolve/labels.hpp"
#include "resolve/requests.hpp"
#include "spec/derived_keys.hpp"

namespace flexslice::plan {

using yaml::Value;

namespace {

// Kubernetes objects name others at a key, or at `inner` of the value there or of each element of a
// list. Read from the objects and not from the spec, so that patches and further containers count
// as well. References of the same noun follow each other.
struct Reference {
  std::string_view noun;
  std::string_view key;
  std::string_view inner = {};
  bool namespaced = true;
};

constexpr std::string_view bucket = "bucket";
constexpr Reference references[] = {
    {"ServiceAccount", "serviceAccountName"},
    {"PriorityClass", "priorityClassName", {}, false},
    {"WorkloadPriorityClass", resolve::priority_label, {}, false},
    {"Secret", "imagePullSecrets", "name"},
    {"Secret", "secretKeyRef", "name"},
    {"Secret", "secretRef", "name"},
    {"Secret", "secret", "secretName"},
    {"Secret", "secret", "name"},
    {"ConfigMap", "configMapKeyRef", "name"},
    {"ConfigMap", "configMapRef", "name"},
    {"ConfigMap", "configMap", "name"},
    {"PersistentVolumeClaim", "persistentVolumeClaim", "claimName"},
    {bucket, "volumeAttributes", "bucketName"},
};

// The objects that others refer to, each once, in the order in which they come.
struct Names {
  void search(const Value& value) {
    for (const Value& item : value.items) search(item);
    for (const auto& [key, member] : value.members) {
      for (const Reference& reference : references) {
        if (reference.key == key) add(reference, member);
      }
      search(member);
    }
  }

  void add(const Reference& reference, const Value& value) {
    for (const Value& item : value.items) add(reference, item);
    const Value* name = reference.inner.empty() ? &value : value.find(reference.inner);
    if (name == nullptr || !name->is_string() || value.text_at({"optional"}) == "true") return;
    // Every namespace has the first, every cluster the second; the third matches whatever
    // buckets one may read.
    if (name->text == "default" || name->text.starts_with("system-") || name->text == "_") return;
    auto known = std::ranges::find_if(objects, [&](const Object& object) {
      return object.noun == reference.noun && object.name == name->text;
    });
    if (known == objects.end())
      known = objects.insert(known, {reference.noun,
                                     fmt::format("{}/{}", text::lower(reference.noun), name->text),
                                     name->text,
                                     {},
                                     reference.namespaced});
    add_key(*known, value);
    if (const Value* items = value.find("items")) {
      for (const Value& item : items->items) add_key(*known, item);
    }
  }

  static void add_key(Object& object, const Value& value) {
    const std::string_view key = value.text_at({"key"});
    if (!key.empty() && !contains(object.keys, key)) object.keys.emplace_back(key);
  }

  std::vector<Object> objects;
};

std::vector<Quota> quotas(const plan::Plan& plan, const catalog::Catalog& catalog) {
  const plan::NodeProvisioning& provisioning = plan.provisioning;
  std::vector<const catalog::Model*> models{provisioning.by_model};
  if (plan.compute_class) {
    models.clear();
    for (const plan::ClassStep& step : plan.compute_class->steps)
      models.push_back(catalog::find_model(catalog, step.model));
  } else if (provisioning.owner.empty() && plan.cluster.standard) {
    return {};  // existing nodes already count
  }
  std::vector<Quota> quotas;
  for (const catalog::Model* model : models) {
    // Nodes of a reservation already count, and several models may share a quota.
    if (model->quota == catalog::QuotaKind::reserved ||
        any_of(quotas, [&](const Quota& other) { return other.kind == model->quota; }))
      continue;
    Quota& quota = quotas.emplace_back();
    quota.kind = model->quota;
    if (const auto* known = catalog::find_quota(*plan.tpu.in_generation, model->quota)) {
      quota.name = known->name;
      quota.metric = known->metric;
      quota.id = known->id;
      quota.family = known->family;
    }
    quota.unnamed = quota.metric.empty() && quota.id.empty();
    quota.region = plan.cluster.region;
    quota.chips = provisioning.quota_chips;
    if (model == models.front()) continue;
    quota.of_fallback = true;
    quota.purpose = fmt::format(", for fallback {}", model->name);
    quota.verdict = "warning";
  }
  return quotas;
}

// With a third number, which tags of images have.
std::string release(const std::string& version) {
  return std::ranges::count(version, '.') < 2 ? version + ".0" : version;
}

// Counts the Hyperdisk of the claims that volumes.yaml makes.
std::int64_t claimed_gigabytes(const plan::Plan& plan, const catalog::Catalog& catalog) {
  std::int64_t all = 0;
  for (const plan::MadeVolume& made : plan.made_volumes) {
    const auto* known = catalog::named(catalog.storage_classes, &catalog::StorageClass::name,
                                       std::string_view(made.storage_class));
    const bool counts = made.storage_class.starts_with("flexslice-hyperdisk-") ||
                        (known != nullptr && known->disk_type.starts_with("hyperdisk-"));
    const auto size = parse_quantity(made.size);
    if (counts && size) all += (*size + Quantity{Quantity::gibi - 1}).whole_gibibytes();
  }
  return all;
}

std::optional<DiskQuota> disk_quota(const plan::Plan& plan, const catalog::Catalog& catalog) {
  constexpr std::int64_t of_gke = 100;  // gigabytes, where nothing says another size
  const auto& types = plan.tpu.machine->boot_disk_types;
  const bool is_created = !plan.provisioning.owner.empty() || plan.compute_class;
  const bool is_hyperdisk = !types.empty() && std::ranges::all_of(types, [](auto type) {
    return std::string_view(type).starts_with("hyperdisk-");
  });
  if (!is_created || !is_hyperdisk || !plan.cluster.standard) return {};
  const std::int64_t nodes = plan.provisioning.quota_chips / plan.tpu.chips_per_host.value;
  const std::int64_t size =
      plan.pools.empty() ? of_gke : plan.pools.front().disk_gigabytes.value_or(of_gke);
  const std::int64_t claimed = claimed_gigabytes(plan, catalog);
  return DiskQuota{nodes, size, claimed, nodes * size + claimed};
}

std::vector<Controller> controllers(const plan::Plan& plan, const catalog::Catalog& catalog,
                                    std::initializer_list<std::span<const Value>> lists) {
  std::vector<Controller> controllers;
  for (const catalog::Controller& known : catalog.controllers) {
    Controller controller{known.name, known.site, known.deployment, known.tested, known.enabled_by,
                          {},         {}};
    for (const auto& objects : lists) {
      for (const Value& object : objects) {
        const std::string version(object.text_at({"apiVersion"})), kind(object.text_at({"kind"}));
        if (!version.starts_with(known.group)) continue;
        auto api = std::ranges::find(controller.apis, version, &Api::version);
        if (api == controller.apis.end()) api = controller.apis.insert(api, {version, {}});
        if (!contains(api->kinds, kind)) api->kinds.push_back(kind);
      }
    }
    // A queue names the controller of its check, which makes objects of its own.
    const std::string_view domain = known.group.substr(0, known.group.find('/') + 1);
    if (plan.queue && !plan.queue->requests_nodes && plan.queue->controller.starts_with(domain))
      controller.apis.push_back(
          {std::string(known.group), {known.kinds.begin(), known.kinds.end()}});
    for (const plan::ControllerNeed& need : plan.controllers) {
      if (need.controller->name == known.name)
        controller.minimums.push_back(
            {need.minimum->title, {need.minimum->versions.begin(), need.minimum->versions.end()}});
    }
    for (const auto& [word, stated] : plan.cluster.controllers) {
      if (word == known.word && !known.deployment.empty())
        controller.minimums.push_back({"what the spec says", {release(stated)}});
    }
    if (!controller.apis.empty()) controllers.push_back(std::move(controller));
  }
  return controllers;
}

bool is_shared(const plan::Plan& plan, const Object& object) {
  return object.noun == "PersistentVolumeClaim" && plan.tpu.total_hosts > 1 &&
         any_of(plan.workload.volumes.items,
                [&](const plan::PodVolume& volume) { return volume.pvc.value == object.name; });
}

resolve::Requests head_requests(std::span<const Value> objects) {
  for (const Value& object : objects) {
    const Value* group = yaml::find_in_tree(
        object, [](const Value& each) { return each.find("headGroupSpec") != nullptr; });
    const Value* head =
        group == nullptr ? nullptr : group->at({"headGroupSpec", "template", "spec"});
    if (head != nullptr) return resolve::pod_requests(*head);
    const Value* jobs = object.at({"spec", "replicatedJobs"});
    if (jobs == nullptr) continue;
    for (const Value& job : jobs->items) {
      const Value* pod = job.at({"template", "spec", "template", "spec"});
      if (pod == nullptr) continue;
      resolve::Requests requests = resolve::pod_requests(*pod);
      if (!requests.contains(spec::tpu_resource)) return requests;
    }
  }
  return {};
}

std::string requested_amount(const resolve::Requests& requests, std::string_view resource) {
  const auto found = requests.find(resource);
  return found == requests.end() ? std::string() : found->second.text();
}

std::string room(std::string_view cpu, std::string_view memory) {
  return fmt::format("each with {} CPUs and {} of memory", cpu.empty() ? "any" : cpu,
                     memory.empty() ? "any amount" : memory);
}

std::string ordinary_groups_text(std::span<const Value> objects) {
  std::string text;
  for (const OrdinaryGroup& group : ordinary_groups(objects)) {
    text += fmt::format("{}{}{} of worker group {}, {}", text.empty() ? "" : "; and ",
                        group.scales ? "up to " : "", text::count(group.pods, "pod"), group.name,
                        room(group.cpu, group.memory));
  }
  return text;
}

std::string ordinary_nodes(const plan::Plan& plan, std::span<const Value> objects) {
  const spec::Resources& said = plan.leader->said.resources;
  std::string cpu = said.cpu.value, memory = said.memory.value, pods;
  if (plan.pathways || plan.ray) {
    // All containers of the pod count.
    const resolve::Requests head = head_requests(objects);
    cpu = requested_amount(head, "cpu");
    memory = requested_amount(head, "memory");
  }
  const auto add = [](std::string& to, std::string_view amount) {
    if (!to.empty()) to = (*parse_quantity(to) + *parse_quantity(amount)).text();
  };
  for (const catalog::AddedPod* added : plan.added_pods) {
    switch (added_to(*added, objects)) {
      case AddedTo::nothing:
        break;
      case AddedTo::head:
        add(cpu, added->cpu);
        add(memory, added->memory);
        break;
      case AddedTo::own_pod:
        pods += fmt::format("; and one that {}, with {} CPU and {}", added->purpose, added->cpu,
                            added->memory);
    }
  }
  const std::string pool =
      plan.pathways && plan.pathways->said.head_node_pool.usable()
          ? fmt::format("node pool {}", plan.pathways->said.head_node_pool.value)
          : "another pool";
  const std::string groups = ordinary_groups_text(objects);
  return fmt::format("{} without chips, {}, on nodes of {}{}{}{}",
                     text::count(plan.ordinary_pods, "pod"), room(cpu, memory), pool, pods,
                     groups.empty() ? "" : "; and ", groups);
}

// A patch may move the Gateway that the route names; empty: it is in the workload's namespace.
std::string gateway_namespace(std::span<const Value> objects) {
  for (const Value& object : objects) {
    const Value* parents = object.at({"spec", "parentRefs"});
    if (object.text_at({"kind"}) == "HTTPRoute" && parents != nullptr && !parents->items.empty() &&
        parents->items.front().text_at({"namespace"}) != object.text_at({"metadata", "namespace"}))
      return std::string(parents->items.front().text_at({"namespace"}));
  }
  return {};
}

// GKE's classes that take InferencePools are regional, and their proxies have a subnet of their
// own.
bool has_regional_proxies(const catalog::Catalog& catalog, std::string_view gateway_class) {
  const auto* known =
      catalog::named(catalog.gateway_classes, &catalog::GatewayClass::name, gateway_class);
  return known != nullptr && known->takes_pools.value_or(false);
}

}  // namespace

AddedTo added_to(const catalog::AddedPod& added, std::span<const Value> objects) {
  for (const Value& object : objects) {
    if (object.text_at({"kind"}) != added.kind) continue;
    const std::string_view mode = object.text_at({"spec", "submissionMode"});
    if (mode == "SidecarMode") return AddedTo::head;
    if (mode == "HTTPMode" || mode == "InteractiveMode") return AddedTo::nothing;
  }
  return AddedTo::own_pod;
}

std::vector<OrdinaryGroup> ordinary_groups(std::span<const Value> objects) {
  std::vector<OrdinaryGroup> groups;
  for (const Value& object : objects) {
    const Value* cluster = yaml::find_in_tree(
        object, [](const Value& each) { return each.find("workerGroupSpecs") != nullptr; });
    if (cluster == nullptr) continue;
    const bool scales = cluster->text_at({"enableInTreeAutoscaling"}) == "true";
    for (const Value& item : cluster->find("workerGroupSpecs")->items) {
      const Value* pod = item.at({"template", "spec"});
      const auto number = [&](std::string_view key) {
        return text::whole_number(item.text_at({key}));
      };
      const auto replicas = number(scales ? "maxReplicas" : "replicas");
      if (pod == nullptr || !replicas || *replicas == 0) continue;
      const resolve::Requests requests = resolve::pod_requests(*pod);
      if (requests.contains(spec::tpu_resource)) continue;
      groups.push_back({std::string(item.text_at({"groupName"})),
                        *replicas * number("numOfHosts").value_or(1), scales,
                        requested_amount(requests, "cpu"), requested_amount(requests, "memory")});
    }
  }
  return groups;
}

Needed needed(const plan::Plan& plan, const catalog::Catalog& catalog,
              std::span<const Value> objects, std::span<const Value> queues) {
  const plan::NodeProvisioning& provisioning = plan.provisioning;
  Needed needed;
  const auto* support = catalog::find_support(*provisioning.by_model, plan.tpu.generation);
  if (support != nullptr && support->access == catalog::Access::allowlist)
    needed.access = fmt::format("Google's allowlist for {} with {}, through the account team",
                                plan.tpu.generation, provisioning.title);
  needed.quotas = quotas(plan, catalog);
  needed.disks = disk_quota(plan, catalog);
  if (provisioning.reservation &&
      (!provisioning.owner.empty() || plan.cluster.autopilot || plan.compute_class))
    needed.reservation = {provisioning.reservation->name, provisioning.reservation->project,
                          provisioning.zone, provisioning.quota_chips};
  needed.in_use = needed.reservation || needed.disks ||
                  any_of(needed.quotas, [](const Quota& quota) { return !quota.metric.empty(); });
  for (const resolve::Need& need : plan.needs)
    needed.versions.push_back({std::string(need.version), need.what});
  needed.controllers = controllers(plan, catalog, {objects, queues});
  needed.metrics_api =
      plan.autoscaling && plan.autoscaling->from_api && !plan.autoscaling->metric.value.empty();
  if (plan.gateway) {
    needed.picker = plan.gateway->picker.value;
    if (plan.gateway->class_name.empty()) {
      needed.gateway = plan.gateway->name;
      needed.gateway_namespace = gateway_namespace(objects);
    } else if (has_regional_proxies(catalog, plan.gateway->class_name)) {
      needed.proxy_subnet = plan.cluster.region;
    }
    if (!plan.gateway->header.empty()) needed.body_router = plan.gateway->name;
  }
  needed.tpu_webhook = plan.ray.has_value() && !plan.cluster.create;
  if (plan.ordinary_pods > 0 && !plan.cluster.create && plan.cluster.standard)
    needed.ordinary_nodes = ordinary_nodes(plan, objects);
  // A new cluster has nodes for the head alone.
  if (const std::string groups = ordinary_groups_text(objects);
      !groups.empty() && plan.cluster.create && plan.cluster.standard)
    needed.ordinary_nodes = groups + ", on nodes of a pool that no script makes";
  if (plan.name_space != "default") needed.name_space = plan.name_space;
  Names names;
  for (const Value& object : objects) names.search(object);
  // The manifests, queues.yaml and volumes.yaml bring their own objects.
  const auto forget = [&](std::string_view kind, std::string_view name) {
    std::erase_if(names.objects,
                  [&](const Object& named) { return named.noun == kind && named.name == name; });
  };
  for (const auto& made : {objects, queues}) {
    for (const Value& object : made)
      forget(object.text_at({"kind"}), object.text_at({"metadata", "name"}));
  }
  std::vector<Object> classes;
  for (const plan::MadeVolume& made : plan.made_volumes) {
    forget("PersistentVolumeClaim", made.name);
    if (!made.bucket.empty()) needed.buckets.push_back(made.bucket);
    const std::string& storage = made.storage_class;
    const bool is_theirs = !storage.empty() && made.bucket.empty() &&
                           !storage.starts_with("flexslice-") &&
                           catalog::named(catalog.storage_classes, &catalog::StorageClass::name,
                                          std::string_view(storage)) == nullptr;
    const bool is_for_many = made.access == "ReadWriteMany" && plan.tpu.total_hosts > 1;
    if (is_theirs && !any_of(classes, [&](const Object& each) { return each.name == storage; }))
      classes.push_back({"StorageClass",
                         "storageclass/" + storage,
                         storage,
                         {},
                         !is_for_many,
                         is_for_many,
                         false});
  }
  std::string_view noun;
  for (const Reference& reference : references) {
    if (std::exchange(noun, reference.noun) == reference.noun) continue;
    for (Object& object : names.objects) {
      if (object.noun != noun) continue;
      if (noun == bucket) {
        needed.buckets.push_back(object.name);
      } else {
        object.shared = is_shared(plan, object);
        object.plain = object.keys.empty() && !object.shared;
        needed.objects.push_back(std::move(object));
      }
    }
  }
  std::ranges::move(classes, std::back_inserter(needed.objects));
  if (plan.checkpoints) {
    needed.checkpoints = plan.checkpoints->name.empty();
    needed.checkpoint_bucket = plan.checkpoints->bucket;
    if (!needed.checkpoint_bucket.empty() && !contains(needed.buckets, needed.checkpoint_bucket))
      needed.buckets.push_back(needed.checkpoint_bucket);
  }
  needed.bucket_driver = !plan.cluster.create && plan.cluster.standard &&
                         (plan.workload.gcs_fuse || !needed.buckets.empty());
  return needed;
}

namespace {

// One message: a release that meets the highest demand meets the others.
void judge_controller(const catalog::Controller& known, const schema::Text& stated,
                      std::string_view field, const Plan& plan, diag::Sink& sink) {
  std::vector<const catalog::ControllerMinimum*> unmet;
  for (const ControllerNeed& need : plan.controllers) {
    if (need.controller->name == known.name && !catalog::has_release(*need.minimum, stated.value))
      unmet.push_back(need.minimum);
  }
  if (unmet.empty()) return;
  const auto newest = [](const catalog::ControllerMinimum* minimum) {
    return catalog::parse_version(minimum->versions.back());
  };
  const catalog::ControllerMinimum* strongest = *std::ranges::max_element(unmet, {}, newest);
  diag::Diagnostic& finding = sink.report<diag::Code::ControllerTooOld>(
                                      stated, known.name, catalog::versions_text(*strongest),
                                      strongest->title, field, stated.value)
                                  .judged(strongest->evidence.confidence);
  for (const catalog::ControllerMinimum* minimum : unmet) {
    if (minimum != strongest)
      finding.note("{} is needed for {}", catalog::versions_text(*minimum), minimum->title);
  }
  finding.note("source: {}", catalog::citation(strongest->evidence));
}

}  // namespace

void judge_controllers(const catalog::Catalog& catalog, const spec::Cluster& cluster,
                       const Plan& plan, diag::Sink& sink) {
  for (const catalog::Controller& known : catalog.controllers) {
    const schema::Text* stated = spec::stated_release(cluster, known.word);
    if (stated == nullptr || !stated->usable()) continue;
    const std::string field = stated == &cluster.kueue
                                  ? std::string("cluster.kueue")
                                  : fmt::format("cluster.controllers.{}", known.word);
    judge_controller(known, *stated, field, plan, sink);
  }
}

}  // namespace flexslice::plan
