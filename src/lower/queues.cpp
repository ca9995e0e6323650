#include "lower/queues.hpp"

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "lower/patch.hpp"

namespace flexslice::lower {

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
  std::copy_if(needs.begin(), needs.end(), std::back_inserter(found), [&](const QueueNeed* need) { return condition(*need); });
  return found;
}

std::vector<QueueNeeds> by_flavor(const QueueNeeds& needs) {
  return group(needs, [](const QueueNeed& need) { return need.flavor; });
}

// The document of the first, with the labels and annotations of all.
Value document_of(const QueueNeeds& needs) {
  Value document = needs.front()->document;
  for (const QueueNeed* need : needs) {
    for (std::string_view key : {"labels", "annotations"}) {
      for (const Value::Member& member : need->document.find(key)->members) {
        if (document[key].find(member.key) == nullptr) document[key].add(member.key, member.value);
      }
    }
  }
  return document;
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

// Resources as the templates list them. Kueue wants all flavors of a queue to list the same ones: 0 where nothing is requested.
Value resource_list(const Requests& amounts, const Requests& all) {
  Value list = Value::sequence();
  for (const auto& [name, any] : all) {
    const auto amount = amounts.find(name);
    Value& each = list.push(Value::mapping(2));
    each.add("name", Value::string(name));
    each.add("quota", Value::string(amount == amounts.end() ? "0" : amount->second.text()));
  }
  return list;
}

Value name_list(const Requests& requests) {
  Value list = Value::sequence();
  for (const auto& [name, amount] : requests) list.push(Value::string(name));
  return list;
}

// What the ClusterQueue says, for its template.
Value cluster_queue(const QueueNeeds& needs) {
  std::vector<std::pair<const QueueNeed*, Requests>> flavors;
  Requests all;
  for (const QueueNeeds& each : by_flavor(needs)) {
    flavors.emplace_back(each.front(), quota(each));
    add(all, flavors.back().second);
  }
  Value made = Value::mapping(4);
  made.add("resourceNames", name_list(all));
  Value& list = made.add("flavors", Value::sequence());
  Value requested = Value::sequence();
  for (const auto& [need, amounts] : flavors) {
    Value& each = list.push(Value::mapping(2));
    each.add("name", Value::string(need->flavor));
    each.add("resources", resource_list(amounts, all));
    if (need->by_request) requested.push(Value::string(need->flavor));
  }
  made.add("checkedFlavors", std::move(requested));
  return made;
}

struct Made {
  Value object;
  QueueNeeds needs;
};

class Objects {
 public:
  explicit Objects(const templates::Set& templates) : templates_(templates) {}

  void add(std::string_view name, const QueueNeeds& needs, Value cluster_queue = {}) {
    Value document = document_of(needs);
    if (cluster_queue.is_mapping()) document["clusterQueue"] = std::move(cluster_queue);
    const templates::Scope scope{{}, &document, nullptr};
    auto object = templates::expand(templates_.find("kubernetes/" + std::string(name)), scope);
    made_.push_back({std::move(object).value_or(Value{}), needs});
  }

  std::vector<Value> take(const QueueNeeds& needs) {
    for (const QueueNeed* need : needs) {
      for (const plan::Patch& patch : need->patches) apply(*need, patch);
    }
    std::vector<Value> objects;
    for (Made& made : made_) objects.push_back(std::move(made.object));
    return objects;
  }

 private:
  // On the objects that the patch's own workload needs.
  void apply(const QueueNeed& need, const plan::Patch& patch) {
    for (Made& made : made_) {
      if (is_target(patch, made.object) && std::find(made.needs.begin(), made.needs.end(), &need) != made.needs.end())
        made.object = merge_patch(std::move(made.object), yaml::to_value(patch.merge));
    }
  }

  const templates::Set& templates_;
  std::vector<Made> made_;
};

}  // namespace

std::vector<QueueNeeds> by_queue(const QueueNeeds& needs) {
  return group(needs, [](const QueueNeed& need) { return need.cluster + "/" + need.queue; });
}

QueueNeed queue_need(const Inputs& inputs, std::vector<Value> objects) {
  const plan::Plan& plan = inputs.plan;
  const plan::Provisioning& provisioning = plan.provisioning;
  // The findings about patches are reported where all objects get theirs.
  diag::Sink ignored;
  apply_patches(plan.patches, {&objects}, ignored);
  QueueNeed need;
  need.cluster = text::format("{} in {}", plan.cluster.name.empty() ? "of kubectl's context" : plan.cluster.name, plan.cluster.location);
  if (!plan.cluster.project.empty()) need.cluster += text::format(" of project {}", plan.cluster.project);
  need.queue = provisioning.queue;
  need.name_space = plan.name_space;
  need.workload = plan.name;
  need.source = plan.source;
  need.flavor = provisioning.flavor;
  need.by_topology = provisioning.placed_by_queue;
  need.by_request = provisioning.model->needs_queue;
  for (const plan::Pool& pool : provisioning.pools) need.pools.push_back(pool.name);
  if (need.pools.empty()) need.pools.push_back(text::format("{}/{}", plan.name_space, plan.name));
  const Requests all = times(pod_requests(objects), plan.tpu.hosts * plan.tpu.slices);
  // The slices are alike, and so are their pools.
  need.requests = provisioning.pools.empty() ? all : times(pod_requests(objects), plan.tpu.hosts);
  need.controllers = plan.controllers;
  need.document = inputs.document;
  need.document["queue"]["resourceNames"] = name_list(all);
  need.document["queue"]["resources"] = resource_list(all, all);
  return need;
}

std::vector<Value> queue_objects(const QueueNeeds& needs, const templates::Set& templates) {
  Objects objects(templates);
  if (const QueueNeeds placed = only(needs, [](const QueueNeed& need) { return need.by_topology; }); !placed.empty())
    objects.add("queues/topology", placed);
  for (const QueueNeeds& each : by_flavor(needs)) objects.add("queues/resource-flavor", each);
  for (const QueueNeeds& each : by_queue(only(needs, [](const QueueNeed& need) { return need.by_request; }))) {
    objects.add("queues/provisioning-request-config", each);
    objects.add("queues/admission-check", each);
  }
  for (const QueueNeeds& each : by_queue(needs)) objects.add("queues/cluster-queue", each, cluster_queue(each));
  for (const QueueNeeds& each : group(needs, [](const QueueNeed& need) { return need.queue + "/" + need.name_space; }))
    objects.add("queues/local-queue", each);
  return objects.take(needs);
}

}  // namespace flexslice::lower
