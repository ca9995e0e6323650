#include "backend/kubernetes/queues.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "backend/kubernetes/patch.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "plan/capacity.hpp"
#include "plan/prerequisites.hpp"
#include "spec/derived_keys.hpp"

namespace flexslice::kubernetes {

// The template of a ClusterQueue takes these.
struct Flavor {
  std::string name;
  std::string pools;  // the flavor's only ones; empty: all that its workloads run on
  std::vector<plan::QueueResource> resources;
};

// An AdmissionCheck, and the flavors whose nodes or slices it waits for.
struct Check {
  std::string name;
  std::vector<std::string> flavors;
};

struct ClusterQueue {
  std::vector<std::string> resource_names;
  std::vector<Flavor> flavors;
  std::vector<Check> checks;
};

}  // namespace flexslice::kubernetes

namespace flexslice::schema {

using flexslice::kubernetes::Check, flexslice::kubernetes::ClusterQueue,
    flexslice::kubernetes::Flavor;
using enum Presence;

constexpr Field flavor_fields[] = {internal<&Flavor::name>("name", required),
                                   internal<&Flavor::pools>("pools"),
                                   internal<&Flavor::resources>("resources", required)};
template <>
struct TableOf<Flavor> {
  static constexpr Table table{"flavor", flavor_fields};
};

constexpr Field check_fields[] = {internal<&Check::name>("name", required),
                                  internal<&Check::flavors>("flavors", required)};
template <>
struct TableOf<Check> {
  static constexpr Table table{"check", check_fields};
};

constexpr Field cluster_queue_fields[] = {
    internal<&ClusterQueue::resource_names>("resourceNames", required),
    internal<&ClusterQueue::flavors>("flavors", required),
    internal<&ClusterQueue::checks>("checks")};
template <>
struct TableOf<ClusterQueue> {
  static constexpr Table table{"clusterQueue", cluster_queue_fields};
};

}  // namespace flexslice::schema

namespace flexslice::kubernetes {

using resolve::Requests;
using yaml::Value;

namespace {

// Needs with the same key, in the order in which the keys first appear.
template <class Key>
std::vector<QueueNeeds> group(const QueueNeeds& needs, Key key) {
  std::vector<QueueNeeds> groups;
  std::map<std::string, std::size_t, std::less<>> places;
  for (const QueueNeed* need : needs) {
    const std::size_t place = places.try_emplace(key(*need), groups.size()).first->second;
    if (place == groups.size()) groups.emplace_back();
    groups[place].push_back(need);
  }
  return groups;
}

std::int64_t stated_quota(const QueueNeeds& needs) {
  std::int64_t chips = 0;
  for (const QueueNeed* need : needs) chips = std::max(chips, need->plan.queue->quota.value_or(0));
  return chips;
}

bool is_of_team(const QueueNeed& need) { return need.plan.queue->team.has_value(); }

// A quota for several pools lets in two workloads for one of them, while another is idle. A stated
// quota is for all of them, and pools that some workloads use alone and some together have no
// quota of their own.
bool is_by_pools(const QueueNeeds& same_flavor) {
  std::map<std::string_view, std::string_view> pools;
  std::set<std::string_view> values;
  for (const QueueNeed* need : same_flavor) {
    const std::string& value = need->plan.queue->pools;
    if (value.empty()) continue;
    values.insert(value);
    for (const std::string& pool : need->pools) {
      if (pools.try_emplace(pool, value).first->second != value) return false;
    }
  }
  return values.size() > 1 && stated_quota(same_flavor) == 0;
}

// The flavor that each workload gets.
using FlavorOf = std::map<const QueueNeed*, Flavor>;

FlavorOf flavors_of(const QueueNeeds& needs) {
  constexpr std::size_t most = 64;  // of a ClusterQueue, by Kueue's API
  FlavorOf flavors;
  for (const QueueNeeds& queue : by_queue(needs)) {
    std::set<std::string> names;
    for (const QueueNeeds& same :
         group(queue, [](const QueueNeed& need) { return need.plan.queue->flavor; })) {
      const bool by_pools = is_by_pools(same);
      for (const QueueNeed* need : same) {
        const auto& [name, pools] = std::tie(need->plan.queue->flavor, need->plan.queue->pools);
        flavors[need] = by_pools && !pools.empty() ? Flavor{name + "." + pools, pools, {}}
                                                   : Flavor{name, {}, {}};
        names.insert(flavors[need].name);
      }
    }
    const bool has_ordinary =
        any_of(queue, [](const auto* need) { return !need->ordinary.empty(); });
    if (names.size() + (has_ordinary ? 1 : 0) <= most) continue;
    for (const QueueNeed* need : queue) flavors[need] = {need->plan.queue->flavor, {}, {}};
  }
  return flavors;
}

std::vector<QueueNeeds> by_flavor(const QueueNeeds& needs, const FlavorOf& flavors) {
  return group(needs, [&](const QueueNeed& need) { return flavors.at(&need).name; });
}

// The plan of the first, with the labels and annotations of all.
plan::Plan plan_of(const QueueNeeds& needs) {
  plan::Plan plan = needs.front()->plan;
  const auto add = [](schema::Pairs& all, const schema::Pairs& more) {
    for (const auto& pair : more) {
      if (std::ranges::count(all, pair.first, &schema::Pairs::value_type::first) == 0)
        all.push_back(pair);
    }
  };
  for (const QueueNeed* need : needs) {
    add(plan.labels, need->plan.labels);
    add(plan.annotations, need->plan.annotations);
    if (is_of_team(*need)) add_settings(*plan.queue->team, *need->plan.queue->team);
  }
  return plan;
}

// The limits of a queue on all nodes of a flavor, which several specs may have.
std::optional<plan::QueueOfTeam> team_of(const QueueNeeds& same_flavor) {
  std::optional<plan::QueueOfTeam> team;
  std::set<std::string_view> specs;
  for (const QueueNeed* need : same_flavor) {
    const auto& own = need->plan.queue->team;
    if (!own || !specs.insert(need->plan.name).second) continue;
    if (team)
      add_amounts(*team, *own);
    else
      team = own;
  }
  return team;
}

// The quota that a spec states replaces the chips of the flavor. The rest is in proportion, in
// whole units, so that it does not run out earlier. Returns how many times the requests fit into
// it.
std::int64_t scale(Requests& requests, std::int64_t chips) {
  const auto found = requests.find(spec::tpu_resource);
  if (chips == 0 || found == requests.end() || found->second.nano == 0) return 1;
  const Quantity::Nano own = found->second.nano;
  for (auto& [name, amount] : requests)
    amount.nano = (amount.nano * chips + own - 1) / own * Quantity::unit;
  return std::max<std::int64_t>(1, found->second.nano / own);
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
    list.push_back({name, amount == amounts.end() ? "0" : amount->second.text(), {}, {}});
  }
  return list;
}

std::vector<std::string> name_list(const Requests& requests) {
  std::vector<std::string> list;
  for (const auto& [name, amount] : requests) list.push_back(name);
  return list;
}

// Each counts one pod of its sort.
struct PodRequests {
  Requests with_chips, leaders, ordinary;
};

void collect(const Value& value, PodRequests& pods) {
  for (const Value& item : value.items) collect(item, pods);
  for (const Value::Member& member : value.members) {
    const Value* spec = member.value.find("spec");
    if (spec == nullptr || spec->find("containers") == nullptr) {
      collect(member.value, pods);
      continue;
    }
    const Requests requests = resolve::pod_requests(*spec);
    resolve::add(!requests.contains(spec::tpu_resource) ? pods.ordinary
                 : member.key == "leaderTemplate"       ? pods.leaders
                                                        : pods.with_chips,
                 requests);
  }
}

// Leaders with chips are one of the hosts of each slice.
Requests requests_of(const PodRequests& pods, std::int64_t slices, std::int64_t hosts) {
  const std::int64_t led = pods.leaders.empty() ? 0 : slices;
  Requests all = resolve::times(pods.with_chips, slices * hosts - led);
  resolve::add(all, resolve::times(pods.leaders, led));
  return all;
}

// A controller adds these requests, unless the object has the template of what it adds.
Requests added_requests(const plan::Plan& plan, std::span<const Value> objects) {
  Requests all;
  for (const catalog::AddedPod* added : plan.added_pods) {
    const bool own_template = any_of(objects, [&](const Value& object) {
      return object.text_at({"kind"}) == added->kind &&
             object.at({"spec", "submitterPodTemplate"}) != nullptr;
    });
    if (own_template || plan::added_to(*added, objects) == plan::AddedTo::nothing) continue;
    resolve::add(
        all, {{"cpu", *parse_quantity(added->cpu)}, {"memory", *parse_quantity(added->memory)}});
  }
  return all;
}

constexpr std::string_view ordinary_flavor = "ordinary-nodes";

// Chips alone are lent within limits: what else the pods on them need comes with them.
void limit(const plan::QueueOfTeam& team, std::vector<plan::QueueResource>& resources) {
  for (plan::QueueResource& resource : resources) {
    if (resource.name != spec::tpu_resource) continue;
    if (team.borrow) resource.borrowing = std::to_string(*team.borrow);
    if (team.lend) resource.lending = std::to_string(*team.lend);
  }
}

// Needs of one spec differ in namespace only.
Requests ordinary_quota(const QueueNeeds& same_flavor) {
  Requests sum;
  std::set<std::string_view> specs;
  for (const QueueNeed* need : same_flavor) {
    if (specs.insert(need->plan.name).second) resolve::add(sum, need->ordinary);
  }
  return sum;
}

ClusterQueue cluster_queue(const QueueNeeds& needs, const FlavorOf& flavors_of_needs) {
  std::vector<std::pair<const QueueNeed*, Requests>> flavors;
  std::vector<std::optional<plan::QueueOfTeam>> teams;  // of each flavor
  Requests all, ordinary;
  for (const QueueNeeds& same_flavor : by_flavor(needs, flavors_of_needs)) {
    Requests amounts = quota(same_flavor);
    const std::int64_t times = scale(amounts, stated_quota(same_flavor));
    teams.push_back(team_of(same_flavor));
    if (teams.back())
      resolve::add(ordinary, ordinary_quota(same_flavor));
    else
      for (const QueueNeed* need : same_flavor)
        resolve::add(ordinary, resolve::times(need->ordinary, times));
    add(all, amounts);
    flavors.emplace_back(same_flavor.front(), std::move(amounts));
  }
  add(all, ordinary);
  ClusterQueue queue;
  queue.resource_names = name_list(all);
  for (const auto& [need, amounts] : flavors) {
    Flavor& flavor = queue.flavors.emplace_back(flavors_of_needs.at(need));
    flavor.resources = resource_list(amounts, all);
    if (teams.front()) limit(*teams.front(), flavor.resources);
    teams.erase(teams.begin());
    const std::string& name = need->plan.queue->check;
    if (name.empty()) continue;
    auto check = std::ranges::find(queue.checks, name, &Check::name);
    if (check == queue.checks.end()) check = queue.checks.insert(check, {name, {}});
    check->flavors.push_back(flavor.name);
  }
  // Kueue tries flavors in order, and pods on one pool tolerate the taint of those on any as well.
  std::stable_partition(queue.flavors.begin(), queue.flavors.end(),
                        [](const Flavor& flavor) { return !flavor.pools.empty(); });
  if (!ordinary.empty())
    queue.flavors.push_back({std::string(ordinary_flavor), {}, resource_list(ordinary, all)});
  return queue;
}

constexpr std::string_view object_names[] = {
    "topology",        "resource-flavor", "ordinary-flavor", "provisioning-request-config",
    "admission-check", "priority-class",  "cluster-queue",   "team-queue",
    "local-queue"};

std::string template_of(std::string_view name) { return fmt::format("kubernetes/queues/{}", name); }

}  // namespace

std::vector<QueueNeeds> by_cluster(const QueueNeeds& needs) {
  return group(needs, [](const QueueNeed& need) { return need.cluster; });
}

std::vector<QueueNeeds> by_queue(const QueueNeeds& needs) {
  return group(needs, [](const QueueNeed& need) { return need.cluster + "/" + need.queue(); });
}

namespace {

std::string place_of_cluster(const plan::GkeCluster& cluster) {
  std::string text = fmt::format(
      "{} in {}", cluster.name.empty() ? "of kubectl's context" : cluster.name, cluster.location);
  if (!cluster.project.empty()) text += fmt::format(" of project {}", cluster.project);
  return text;
}

// The need of a team in the same queue. A workload that names no cluster runs on any.
const QueueNeed* host_of(const QueueNeed& need, const QueueNeeds& all) {
  if (is_of_team(need)) return nullptr;
  const auto host = std::ranges::find_if(all, [&](const QueueNeed* other) {
    return is_of_team(*other) && other->queue() == need.queue() &&
           (other->cluster == need.cluster || need.plan.cluster.name.empty());
  });
  return host == all.end() ? nullptr : *host;
}

}  // namespace

QueueNeeds without_guests(const QueueNeeds& needs) {
  QueueNeeds all = needs;
  if (any_of(needs, [](const QueueNeed* need) { return is_of_team(*need); }))
    std::erase_if(all, [&](const QueueNeed* need) { return host_of(*need, needs) != nullptr; });
  return all;
}

std::vector<QueueNeeds> by_file(const QueueNeeds& needs) {
  if (!any_of(needs, [](const QueueNeed* need) { return is_of_team(*need); }))
    return by_queue(needs);
  // Queues of one spec are in one file, and so are those of another spec that has one of them.
  std::map<std::string, std::string> file_of_queue, file_of_spec;
  const auto key = [](const QueueNeed& need) { return need.cluster + "/" + need.queue(); };
  for (const QueueNeed* need : needs) {
    if (!is_of_team(*need)) continue;
    const std::string spec = need->cluster + "/" + need->plan.name;
    const std::string file = file_of_spec.try_emplace(spec, key(*need)).first->second;
    const auto [known, is_new] = file_of_queue.try_emplace(key(*need), file);
    if (is_new || known->second == file) continue;
    const std::string other = known->second;
    for (auto* files : {&file_of_queue, &file_of_spec}) {
      for (auto& [name, each] : *files) {
        if (each == other) each = file;
      }
    }
  }
  return group(needs, [&](const QueueNeed& need) {
    const QueueNeed* host = host_of(need, needs);
    const std::string own = key(host == nullptr ? need : *host);
    const auto file = file_of_queue.find(own);
    return file == file_of_queue.end() ? own : file->second;
  });
}

std::vector<QueueNeed> capacity_needs(const plan::Plan& plan) {
  std::vector<QueueNeed> needs;
  const std::int64_t of_host = plan.tpu.chips_per_host;
  const catalog::MachineType& machine = *plan.tpu.machine;
  constexpr std::int64_t of_gke = 100;  // gigabytes of a boot disk, where nothing says another size
  const std::int64_t disk =
      plan.pools.empty() ? of_gke : plan.pools.front().disk_gigabytes.value_or(of_gke);
  for (const plan::QueueOfTeam& team : plan.capacity->queues) {
    const std::int64_t hosts = (team.quota + of_host - 1) / of_host;
    Requests nodes;
    const auto have = [&](std::string_view resource, std::int64_t of_one, std::string_view unit) {
      if (of_one > 0)
        nodes.emplace(resource, *parse_quantity(fmt::format("{}{}", of_one * hosts, unit)));
    };
    have("cpu", machine.vcpus, "");
    have("memory", machine.memory_gib, "Gi");
    const Requests ordinary = nodes;
    have("ephemeral-storage", disk, "Gi");
    nodes.emplace(spec::tpu_resource, *parse_quantity(std::to_string(team.quota)));
    const std::size_t count = std::max(team.namespaces.size(), team.priorities.size());
    for (std::size_t i = 0; i < count; ++i) {
      QueueNeed& need = needs.emplace_back();
      need.cluster = place_of_cluster(plan.cluster);
      need.plan = plan;
      need.plan.provisioning.queue = team.name;
      need.plan.name_space = team.namespaces[i % team.namespaces.size()];
      if (i < team.priorities.size()) {
        need.plan.provisioning.priority = team.priorities[i].name;
        need.plan.provisioning.priority_value = team.priorities[i].value;
      }
      if (!plan.queue->check.empty()) need.plan.queue->check = team.name + plan.queue->check;
      need.plan.queue->team = team;
      need.pools = {plan.name};
      need.requests = nodes;
      need.ordinary = ordinary;
    }
  }
  return needs;
}

QueueNeed queue_need(plan::Plan plan, std::span<const Value> objects) {
  QueueNeed need;
  need.cluster = place_of_cluster(plan.cluster);
  for (const plan::NodePool& pool : plan.pools) need.pools.push_back(pool.name);
  if (need.pools.empty()) need.pools.push_back(fmt::format("{}/{}", plan.name_space, plan.name));
  PodRequests pods;
  for (const Value& object : objects) collect(object, pods);
  need.ordinary = resolve::times(pods.ordinary, plan.ordinary_pods);
  resolve::add(need.ordinary, added_requests(plan, objects));
  Requests all = requests_of(pods, plan.tpu.slices, plan.tpu.hosts);
  resolve::add(all, need.ordinary);
  // The pools are alike. Slices that are not pools share all of them.
  if (plan.provisioning.slicing != nullptr) need.pools = {text::join(need.pools, " ")};
  const auto pools = std::ssize(need.pools);
  need.requests = resolve::times(requests_of(pods, plan.tpu.slices / pools, plan.tpu.hosts),
                                 plan.points_at_once);
  plan.queue->resource_names = name_list(all);
  plan.queue->resources = resource_list(all, all);
  need.plan = std::move(plan);
  return need;
}

std::vector<Value> queue_objects(const QueueNeeds& needs, const templates::Set& templates,
                                 bool patched) {
  std::vector<Value> objects;
  const FlavorOf flavors = flavors_of(needs);
  const auto add = [&](std::string_view name, const QueueNeeds& sharing) {
    const plan::Plan plan = plan_of(sharing);
    const ClusterQueue queue = cluster_queue(sharing, flavors);
    const templates::Scope root{{}, schema::ref(plan)};
    const templates::Scope in_queue{"clusterQueue", schema::ref(queue), &root};
    const templates::Scope scope{"flavor", schema::ref(flavors.at(sharing.front())), &in_queue};
    Value& object = objects.emplace_back(templates::expand(templates, template_of(name), scope));
    if (!patched) return;
    for (const QueueNeed* need : sharing) {
      for (const spec::Patch& patch : need->plan.patches) kubernetes::patch(patch, object);
    }
  };
  QueueNeeds placed, checked, ordinary, classes;
  for (const QueueNeed* need : needs) {
    if (!need->plan.queue->topology.empty()) placed.push_back(need);
    if (!need->plan.queue->check.empty()) checked.push_back(need);
    if (!need->ordinary.empty()) ordinary.push_back(need);
    if (need->plan.provisioning.priority_value) classes.push_back(need);
  }
  for (const QueueNeeds& sharing :
       group(placed, [](const QueueNeed& need) { return need.plan.queue->topology; }))
    add("topology", sharing);
  for (const QueueNeeds& sharing : by_flavor(needs, flavors)) add("resource-flavor", sharing);
  if (!ordinary.empty()) add("ordinary-flavor", ordinary);
  for (const QueueNeeds& sharing : group(checked, [](const QueueNeed& need) {
         return need.cluster + "/" + need.plan.queue->check;
       })) {
    if (sharing.front()->plan.queue->requests_nodes) add("provisioning-request-config", sharing);
    add("admission-check", sharing);
  }
  for (const QueueNeeds& sharing :
       group(classes, [](const QueueNeed& need) { return need.plan.provisioning.priority; }))
    add("priority-class", sharing);
  for (const QueueNeeds& sharing : by_queue(needs))
    add(is_of_team(*sharing.front()) ? "team-queue" : "cluster-queue", sharing);
  for (const QueueNeeds& sharing : group(
           needs, [](const QueueNeed& need) { return need.queue() + "/" + need.plan.name_space; }))
    add("local-queue", sharing);
  return objects;
}

void check_queue_templates(const templates::Set& templates, diag::Sink& sink) {
  const templates::Scope root{{}, schema::type_of<plan::Plan>()};
  const templates::Scope in_queue{"clusterQueue", schema::type_of<ClusterQueue>(), &root};
  const templates::Scope scope{"flavor", schema::type_of<Flavor>(), &in_queue};
  for (std::string_view name : object_names)
    templates::check(templates, template_of(name), scope, sink);
}

}  // namespace flexslice::kubernetes
