#include "backend/kubernetes/multikueue.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "backend/kubernetes/apply.hpp"
#include "base/text.hpp"
#include "yaml/emit.hpp"

namespace flexslice::kubernetes {

// The template takes these.
struct MultiKueueWorker {
  std::string name, secret;
};

struct MultiKueueManager {
  std::string check;
  std::vector<std::string> names;
  std::vector<MultiKueueWorker> workers;
};

}  // namespace flexslice::kubernetes

namespace flexslice::schema {

using flexslice::kubernetes::MultiKueueManager, flexslice::kubernetes::MultiKueueWorker;
using enum Presence;

constexpr Field worker_fields[] = {internal<&MultiKueueWorker::name>("name", required),
                                   internal<&MultiKueueWorker::secret>("secret", required)};
template <>
struct TableOf<MultiKueueWorker> {
  static constexpr Table table{"worker", worker_fields};
};

constexpr Field manager_fields[] = {internal<&MultiKueueManager::check>("check", required),
                                    internal<&MultiKueueManager::names>("names", required),
                                    internal<&MultiKueueManager::workers>("workers", required)};
template <>
struct TableOf<MultiKueueManager> {
  static constexpr Table table{"manager", manager_fields};
};

}  // namespace flexslice::schema

namespace flexslice::kubernetes {

using yaml::Value;

namespace {

constexpr std::string_view multikueue_template = "kubernetes/queues/multikueue";

std::string shown(const Value* value) {
  if (value == nullptr) return "missing";
  return value->is_scalar() ? yaml::one_line(value->text) : "another one";
}

std::string difference_at(const std::string& path, const Value* one, const Value* other) {
  if (one != nullptr && other != nullptr && *one == *other) return {};
  const bool are_mappings =
      one != nullptr && other != nullptr && one->is_mapping() && other->is_mapping();
  const bool are_lists = one != nullptr && other != nullptr && one->is_sequence() &&
                         other->is_sequence() && one->items.size() == other->items.size();
  const std::string start = path.empty() ? path : path + ".";
  if (are_mappings) {
    for (const Value::Member& member : one->members) {
      std::string found = difference_at(start + member.key, &member.value, other->find(member.key));
      if (!found.empty()) return found;
    }
    for (const Value::Member& member : other->members) {
      if (one->find(member.key) == nullptr)
        return difference_at(start + member.key, nullptr, &member.value);
    }
    return {};
  }
  if (are_lists) {
    for (std::size_t i = 0; i < one->items.size(); ++i) {
      std::string found =
          difference_at(fmt::format("{}[{}]", path, i), &one->items[i], &other->items[i]);
      if (!found.empty()) return found;
    }
    return {};
  }
  return fmt::format("{} is {} and {}", path, shown(one), shown(other));
}

std::string check_name(const plan::Plan& plan) { return plan.provisioning.queue + "-multikueue"; }

// Two places in one cluster are one worker.
MultiKueueManager manager_of(std::span<const WorkerPlace> places) {
  MultiKueueManager manager{check_name(places.front().plan), {}, {}};
  std::set<std::string> clusters;
  for (const WorkerPlace& place : places) {
    if (!clusters.insert(place.need->cluster).second) continue;
    manager.names.push_back(place.plan.place);
    manager.workers.push_back({place.plan.place, place.plan.place + "-kubeconfig"});
  }
  return manager;
}

// The manager has the pools of all workers, as one need for each place.
std::vector<QueueNeed> united_needs(std::span<const WorkerPlace> places) {
  std::vector<QueueNeed> needs;
  for (const WorkerPlace& place : places) {
    QueueNeed& need = needs.emplace_back(*place.need);
    need.cluster.clear();
    for (std::string& pool : need.pools) pool = place.plan.place + "/" + pool;
    need.plan.queue->check = check_name(place.plan);
    need.plan.queue->requests_nodes = false;
  }
  return needs;
}

}  // namespace

const Value* dispatched_object(const plan::Plan& plan, std::span<const Value> objects) {
  const auto object = std::ranges::find_if(objects, [&](const Value& each) {
    return each.text_at({"kind"}) == plan.workload.of_kind->object &&
           each.text_at({"metadata", "name"}) == plan.name;
  });
  return object == objects.end() ? nullptr : &*object;
}

std::string why_not_dispatched(const plan::Plan& plan) {
  if (plan.place.empty()) return "the spec has no `places`";
  if (plan.provisioning.queue.empty()) return "the places have no `provisioning.queue`";
  if (!plan.queue)
    return fmt::format("somebody else made queue `{}` (`topology: none`)", plan.provisioning.queue);
  if (!plan.workload.of_kind->dispatched)
    return fmt::format("MultiKueue does not dispatch a {}", plan.workload.of_kind->object);
  return {};
}

std::string first_difference(const Value& one, const Value& other) {
  return difference_at({}, &one, &other);
}

std::vector<Value> manager_objects(std::span<const WorkerPlace> places,
                                   const templates::Set& templates) {
  const plan::Plan& plan = places.front().plan;
  const MultiKueueManager manager = manager_of(places);
  const templates::Scope root{{}, schema::ref(plan)};
  std::vector<Value> all =
      templates::expand(templates, multikueue_template, {"manager", schema::ref(manager), &root})
          .items;
  const std::vector<QueueNeed> united = united_needs(places);
  QueueNeeds needs;
  for (const QueueNeed& need : united) needs.push_back(&need);
  for (Value& object : queue_objects(needs, templates)) {
    if (object.text_at({"kind"}) == "AdmissionCheck") continue;
    // Kueue refuses a check of MultiKueue that is for some flavors of a queue.
    if (Value* spec = object.find("spec"); spec != nullptr) {
      if (Value* strategy = spec->find("admissionChecksStrategy")) {
        for (Value& check : (*strategy)["admissionChecks"].items) check.erase("onFlavors");
      }
    }
    all.push_back(std::move(object));
  }
  if (const Value* object = dispatched_object(plan, places.front().objects)) all.push_back(*object);
  std::ranges::for_each(all, make_canonical);
  return all;
}

std::vector<Value> worker_objects(const plan::Plan& plan, std::span<const Value> objects,
                                  std::span<const Value> queues) {
  std::vector<Value> all(queues.begin(), queues.end());
  const Value* sent = dispatched_object(plan, objects);
  for (const Value& object : objects) {
    if (&object != sent) all.push_back(object);
  }
  return all;
}

void check_multikueue_template(const templates::Set& templates, diag::Sink& sink) {
  const templates::Scope root{{}, schema::type_of<plan::Plan>()};
  templates::check(templates, multikueue_template,
                   {"manager", schema::type_of<MultiKueueManager>(), &root}, sink);
}

}  // namespace flexslice::kubernetes
