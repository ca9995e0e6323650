#include "backend/kubernetes/queues.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "backend/kubernetes/patch.hpp"
#include "base/text.hpp"

namespace flexslice::kubernetes {

// What a ClusterQueue says, for its template.
struct Flavor {
  std::string name;
  std::vector<plan::QueueResource> resources;
};

struct ClusterQueue {
  std::vector<std::string> resource_names;
  std::vector<Flavor> flavors;
  std::vector<std::string> checked_flavors;  // whose nodes come with a ProvisioningRequest
};

}  // namespace flexslice::kubernetes

namespace flexslice::schema {

template <>
struct TableOf<kubernetes::Flavor> {
  static const Table table;
};
template <>
struct TableOf<kubernetes::ClusterQueue> {
  static const Table table;
};

namespace {

constexpr Field flavor_fields[] = {
    field<&kubernetes::Flavor::name>("name", Presence::required, {},
                                     {"Name of the ResourceFlavor."}),
    field<&kubernetes::Flavor::resources>("resources", Presence::required, {}, {"Its quotas."}),
};

constexpr Field cluster_queue_fields[] = {
    field<&kubernetes::ClusterQueue::resource_names>("resourceNames", Presence::required, {},
                                                     {"Resources that have a quota."}),
    field<&kubernetes::ClusterQueue::flavors>("flavors", Presence::required, {}, {"Its flavors."}),
    field<&kubernetes::ClusterQueue::checked_flavors>("checkedFlavors", Presence::optional, {},
                                                      {"Flavors that need an admission check."}),
};

}  // namespace

const Table TableOf<kubernetes::Flavor>::table{"flavor", flavor_fields};
const Table TableOf<kubernetes::ClusterQueue>::table{"clusterQueue", cluster_queue_fields};

}  // namespace flexslice::schema

namespace flexslice::kubernetes {

using yaml::Value;

namespace {

// Needs with the same key, in the order in which the keys first appear.
template <class Key>
std::vector<QueueNeeds> group(const QueueNeeds& needs, Key key) {
  std::vector<QueueNeeds> groups;
  std::map<std::string, std::size_t, std::less<>> places;
  for (const QueueNeed* need : needs) {
    const auto [place, is_new] = places.try_emplace(key(*need), groups.size());
    if (is_new) groups.emplace_back();
    groups[place->second].push_back(need);
  }
  return groups;
}

template <class Condition>
QueueNeeds only(const QueueNeeds& needs, Condition condition) {
  QueueNeeds found;
  std::copy_if(needs.begin(), needs.end(), std::back_inserter(found),
               [&](const QueueNeed* need) { return condition(*need); });
  return found;
}

std::vector<QueueNeeds> by_flavor(const QueueNeeds& needs) {
  return group(needs, [](const QueueNeed& need) { return need.plan.queue->flavor; });
}

// The plan of the first, with the labels and annotations of all.
plan::Plan plan_of(const QueueNeeds& needs) {
  plan::Plan plan = needs.front()->plan;
  const auto add = [](schema::Pairs& all, const schema::Pairs& more) {
    for (const auto& pair : more) {
      const auto same = [&](const auto& each) { return each.first == pair.first; };
      if (std::none_of(all.begin(), all.end(), same)) all.push_back(pair);
    }
  };
  for (const QueueNeed* need : needs) {
    add(plan.labels, need->plan.labels);
    add(plan.annotations, need->plan.annotations);
  }
  return plan;
}

Requests quota(const QueueNeeds& needs) {
  std::map<std::string, Requests, std::less<>> pools;
  for (const QueueNeed* need : needs) {
    for (const std::string& pool : need->pools) raise(pools[pool], need->requests);
  }
  Requests sum;
  for (const auto& [pool, requests] : pools) add(sum, requests);
  return sum;
}

// Kueue wants all flavors of a queue to list the same resources: 0 where nothing is requested.
std::vector<plan::QueueResource> resource_list(const Requests& amounts, const Requests& all) {
  std::vector<plan::QueueResource> list;
  for (const auto& [name, any] : all) {
    const auto amount = amounts.find(name);
    list.push_back({name, amount == amounts.end() ? "0" : amount->second.text()});
  }
  return list;
}

std::vector<std::string> name_list(const Requests& requests) {
  std::vector<std::string> list;
  for (const auto& [name, amount] : requests) list.push_back(name);
  return list;
}

ClusterQueue cluster_queue(const QueueNeeds& needs) {
  std::vector<std::pair<const QueueNeed*, Requests>> flavors;
  Requests all;
  for (const QueueNeeds& each : by_flavor(needs)) {
    flavors.emplace_back(each.front(), quota(each));
    add(all, flavors.back().second);
  }
  ClusterQueue made;
  made.resource_names = name_list(all);
  for (const auto& [need, amounts] : flavors) {
    made.flavors.push_back({need->plan.queue->flavor, resource_list(amounts, all)});
    if (!need->plan.queue->check.empty()) made.checked_flavors.push_back(need->plan.queue->flavor);
  }
  return made;
}

constexpr std::string_view object_names[] = {
    "topology",        "resource-flavor", "provisioning-request-config",
    "admission-check", "cluster-queue",   "local-queue"};

std::string template_of(std::string_view name) { return fmt::format("kubernetes/queues/{}", name); }

struct Made {
  Value object;
  QueueNeeds needs;
};

class Objects {
 public:
  explicit Objects(const templates::Set& templates) : templates_(templates) {}

  void add(std::string_view name, const QueueNeeds& needs, const ClusterQueue& cluster_queue = {}) {
    const plan::Plan plan = plan_of(needs);
    const templates::Scope root{{}, schema::ref(plan)};
    const templates::Scope scope{"clusterQueue", schema::ref(cluster_queue), &root};
    made_.push_back({templates::expand(templates_, template_of(name), scope), needs});
  }

  void patch(const QueueNeeds& needs) {
    for (const QueueNeed* need : needs) {
      for (const plan::Patch& patch : need->plan.patches) apply(*need, patch);
    }
  }

  std::vector<Value> take() {
    std::vector<Value> objects;
    for (Made& made : made_) objects.push_back(std::move(made.object));
    return objects;
  }

 private:
  // On the objects that the patch's own workload needs.
  void apply(const QueueNeed& need, const plan::Patch& patch) {
    for (Made& made : made_) {
      if (is_target(patch, made.object) &&
          std::find(made.needs.begin(), made.needs.end(), &need) != made.needs.end())
        made.object = merge_patch(std::move(made.object), yaml::to_value(patch.merge));
    }
  }

  const templates::Set& templates_;
  std::vector<Made> made_;
};

}  // namespace

std::vector<QueueNeeds> by_cluster(const QueueNeeds& needs) {
  return group(needs, [](const QueueNeed& need) { return need.cluster; });
}

std::vector<QueueNeeds> by_queue(const QueueNeeds& needs) {
  return group(needs, [](const QueueNeed& need) { return need.cluster + "/" + need.queue(); });
}

QueueNeed queue_need(plan::Plan plan, std::span<const Value> objects) {
  QueueNeed need;
  need.cluster = fmt::format("{} in {}",
                             plan.cluster.name.empty() ? "of kubectl's context" : plan.cluster.name,
                             plan.cluster.location);
  if (!plan.cluster.project.empty())
    need.cluster += fmt::format(" of project {}", plan.cluster.project);
  for (const plan::NodePool& pool : plan.pools) need.pools.push_back(pool.name);
  if (need.pools.empty()) need.pools.push_back(fmt::format("{}/{}", plan.name_space, plan.name));
  const Requests all = times(pod_requests(objects), plan.tpu.total_hosts);
  // The slices are alike, and so are their pools.
  need.requests = plan.pools.empty() ? all : times(pod_requests(objects), plan.tpu.hosts);
  plan.queue->resource_names = name_list(all);
  plan.queue->resources = resource_list(all, all);
  need.plan = std::move(plan);
  return need;
}

std::vector<Value> queue_objects(const QueueNeeds& needs, const templates::Set& templates,
                                 bool patched) {
  Objects objects(templates);
  const QueueNeeds placed =
      only(needs, [](const QueueNeed& need) { return !need.plan.queue->topology.empty(); });
  const QueueNeeds requested =
      only(needs, [](const QueueNeed& need) { return !need.plan.queue->check.empty(); });
  if (!placed.empty()) objects.add("topology", placed);
  for (const QueueNeeds& each : by_flavor(needs)) objects.add("resource-flavor", each);
  for (const QueueNeeds& each : by_queue(requested)) {
    objects.add("provisioning-request-config", each);
    objects.add("admission-check", each);
  }
  for (const QueueNeeds& each : by_queue(needs))
    objects.add("cluster-queue", each, cluster_queue(each));
  for (const QueueNeeds& each : group(
           needs, [](const QueueNeed& need) { return need.queue() + "/" + need.plan.name_space; }))
    objects.add("local-queue", each);
  if (patched) objects.patch(needs);
  return objects.take();
}

void check_queue_templates(const templates::Set& templates, diag::Sink& sink) {
  const templates::Scope root{{}, {&schema::detail::TypeOf<plan::Plan>::type, nullptr}};
  const templates::Scope scope{
      "clusterQueue", {&schema::detail::TypeOf<ClusterQueue>::type, nullptr}, &root};
  for (std::string_view name : object_names)
    templates::check(templates, template_of(name), scope, sink);
}

}  // namespace flexslice::kubernetes
