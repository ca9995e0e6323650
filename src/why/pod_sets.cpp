#include "why/pod_sets.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "base/text.hpp"
#include "spec/derived_keys.hpp"
#include "why/signs.hpp"

namespace flexslice::why {

using yaml::Node;

namespace {

constexpr std::string_view accelerator_label = "cloud.google.com/gke-tpu-accelerator";
constexpr std::string_view topology_label = "cloud.google.com/gke-tpu-topology";
constexpr std::string_view region_label = "topology.kubernetes.io/region";
constexpr std::string_view machine_label = "node.kubernetes.io/instance-type";
constexpr std::string_view queue_label = "kueue.x-k8s.io/queue-name";
constexpr std::string_view pool_label = "cloud.google.com/gke-nodepool";
constexpr std::string_view spot_label = "cloud.google.com/gke-spot";
constexpr std::string_view group_label = "leaderworkerset.sigs.k8s.io/group-index";
constexpr std::string_view job_label = "job-name";
constexpr std::string_view index_label = "batch.kubernetes.io/job-completion-index";

// Kinds that make pods, and where their pod templates are.
constexpr std::string_view controllers[] = {"Job",        "CronJob",        "JobSet",
                                            "Deployment", "RayCluster",     "RayJob",
                                            "RayService", "LeaderWorkerSet"};

bool has_chips(const Node& node) {
  if (const Node* containers = node.find("containers"); containers != nullptr)
    if (requests_chips(node)) return true;
  const auto below = [](const Node& child) { return has_chips(child); };
  return std::any_of(node.items.begin(), node.items.end(), below) ||
         std::any_of(node.members.begin(), node.members.end(),
                     [](const yaml::Member& member) { return has_chips(member.value); });
}

std::string_view node_label(const Node& object, std::string_view key) {
  return object.text_at({"metadata", "labels", key});
}

struct PodGroup {
  std::vector<PodView> pods;
  const Expected* expected = nullptr;
  const Node* workload = nullptr;  // that Kueue made for its owner and has not admitted
};

// Returns whether Kueue still holds back what owns the Workload. Pods that queue one by one own
// theirs, and are in the dump themselves.
bool is_queued(const Node& workload) {
  const Node* owners = workload.at({"metadata", "ownerReferences"});
  return owners != nullptr && !owners->items.empty() &&
         owners->items.front().text_at({"kind"}) != "Pod" && !says_true(workload, "Admitted") &&
         !says_true(workload, "Finished");
}

std::int64_t number_or(const Node& object, std::initializer_list<std::string_view> path,
                       std::int64_t otherwise) {
  return text::whole_number(object.text_at(path)).value_or(otherwise);
}

// A failed pod of a server stays beside the one that replaces it.
void leave_out_failed_replicas(const Node& root, std::vector<PodView>& pods) {
  const auto has_failed = [](const PodView& pod) { return pod.state == PodState::failed; };
  const auto others =
      static_cast<std::int64_t>(pods.size()) - std::ranges::count_if(pods, has_failed);
  if (root.text_at({"kind"}) == "Deployment" && others >= number_or(root, {"spec", "replicas"}, 1))
    std::erase_if(pods, has_failed);
}

// A Job keeps the pods that failed, and makes others with their indexes; a pod that is being
// deleted has a successor in a Deployment.
void leave_out_replaced(std::vector<PodView>& pods) {
  using Place = std::pair<std::string_view, std::string_view>;
  const auto place_of = [](const PodView& pod) {
    return Place{node_label(*pod.pod, job_label), node_label(*pod.pod, index_label)};
  };
  const auto goes = [](const PodView& pod) {
    return pod.pod->at({"metadata", "deletionTimestamp"}) != nullptr;
  };
  std::set<Place> taken;
  for (const PodView& pod : pods) {
    if (pod.state != PodState::failed && !goes(pod)) taken.insert(place_of(pod));
  }
  std::erase_if(pods, [&](const PodView& pod) {
    const Place place = place_of(pod);
    if (goes(pod)) return taken.contains(place);
    return pod.state == PodState::failed && !place.first.empty() && taken.contains(place);
  });
}

bool is_index_part(std::string_view part) {
  return !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
}

// Returns whether the controller of the object makes pods of such a name.
bool is_pod_name_of(const ObjectName& owner, std::string_view pod) {
  if (!pod.starts_with(owner.name + "-")) return false;
  std::vector<std::string_view> parts = text::split(pod.substr(owner.name.size() + 1), '-');
  if (owner.kind == "LeaderWorkerSet")
    return parts.size() <= 2 && std::ranges::all_of(parts, is_index_part);
  constexpr std::size_t random_letters = 5;
  if (parts.back().size() != random_letters) return false;
  parts.pop_back();
  if (owner.kind == "Job") return parts.empty() || (parts.size() == 1 && is_index_part(parts[0]));
  if (owner.kind == "JobSet")
    return parts.size() == 3 && is_index_part(parts[1]) && is_index_part(parts[2]);
  return owner.kind == "Deployment" && parts.size() == 1 && parts[0].size() >= 8;
}

class Judge {
 public:
  Judge(const ClusterView& cluster, const std::vector<Expected>& expected,
        const catalog::Catalog& catalog)
      : cluster_(cluster), catalog_(catalog) {
    for (const Node* pod : cluster.of_kind("Pod")) {
      const PodView view = pod_view(*pod);
      if (view.has_chips) taken_nodes_.insert(pod->text_at({"spec", "nodeName"}));
      groups_[root_of_pod(*pod, expected)].pods.push_back(view);
    }
    for (const std::string_view kind : controllers) {
      for (const Node* object : cluster.of_kind(kind)) {
        if (cluster.root_of(*object) == name_of(*object)) groups_[name_of(*object)];
      }
    }
    for (const Node* workload : cluster.of_kind("Workload")) {
      if (is_queued(*workload)) groups_[cluster.root_of(*workload)].workload = workload;
    }
    for (auto& [object, group] : groups_) {
      leave_out_replaced(group.pods);
      if (const Node* root = cluster.find(object)) leave_out_failed_replicas(*root, group.pods);
      if (const Node* run = newest_run(cluster, object)) leave_out_older_runs(*run, group.pods);
    }
    for (const Expected& each : expected) groups_[place_of(each)].expected = &each;
  }

  std::vector<PodSet> sets() {
    const bool some = std::any_of(groups_.begin(), groups_.end(), [&](const auto& group) {
      return is_wanted(group.first, group.second);
    });
    std::vector<PodSet> sets;
    for (const auto& [object, group] : groups_) {
      if (!some || is_wanted(object, group)) sets.push_back(judge(object, group));
    }
    return sets;
  }

 private:
  // A spec without a namespace means whichever has its object, and a table of events has none.
  ObjectName place_of(const Expected& expected) const {
    const auto found = std::ranges::find_if(groups_, [&](const auto& group) {
      const ObjectName& object = group.first;
      return object.kind == expected.object.kind && object.name == expected.object.name &&
             (object.name_space.empty() || expected.object.name_space.empty() ||
              object.name_space == expected.object.name_space);
    });
    return found == groups_.end() ? expected.object : found->first;
  }

  // Tables of pods and of events name no owner. The names of pods begin with that of their owner,
  // and of several that may be it the longest is.
  ObjectName root_of_pod(const Node& pod, const std::vector<Expected>& expected) const {
    ObjectName root = cluster_.root_of(pod);
    if (root.kind != "Pod") return root;
    const Expected* owner = nullptr;
    for (const Expected& each : expected) {
      const bool is_elsewhere = !root.name_space.empty() && !each.object.name_space.empty() &&
                                root.name_space != each.object.name_space;
      if (!is_elsewhere && is_pod_name_of(each.object, root.name) &&
          (owner == nullptr || owner->object.name.size() < each.object.name.size()))
        owner = &each;
    }
    if (owner == nullptr) return root;
    return {owner->object.kind, root.name_space, owner->object.name};
  }

  static void leave_out_older_runs(const Node& run, std::vector<PodView>& pods) {
    std::erase_if(pods, [&](const PodView& pod) {
      const std::string_view job = node_label(*pod.pod, job_label);
      return !job.empty() && job != run.text_at({"metadata", "name"});
    });
  }

  bool is_wanted(const ObjectName& object, const PodGroup& group) const {
    const Node* root = cluster_.find(object);
    return group.expected != nullptr || (root != nullptr && has_chips(*root)) ||
           (group.workload != nullptr && has_chips(*group.workload)) ||
           std::any_of(group.pods.begin(), group.pods.end(),
                       [](const PodView& pod) { return pod.has_chips; });
  }

  PodSet judge(const ObjectName& object, const PodGroup& group) {
    PodSet set;
    set.object = object;
    const Node* root = cluster_.find(object);
    for (const PodView& pod : group.pods) count(pod, set);
    if (root != nullptr) {
      set.restarts += number_or(*root, {"status", "restarts"}, 0);
      set.most_restarts = number_or(*root, {"spec", "failurePolicy", "maxRestarts"}, 0);
    }
    set.state = state_of(root, set);
    // An owner that was not saved waits in its queue nevertheless.
    if (set.state == SetState::missing && group.workload != nullptr) set.state = SetState::waits;
    if (group.expected != nullptr) compare(*group.expected, group, set);
    std::vector<ClusterSign> signs;
    if (set.state == SetState::missing) {
      signs.push_back({"seen", "missing", fmt::format("{} {}", object.kind, object.name), ""});
    } else if (set.state == SetState::waits || set.state == SetState::failed) {
      signs = signs_of(object, root, group, set);
    }
    for (const std::string& what : set.differs)
      signs.push_back(
          {"seen", "differs " + what, fmt::format("{} {}", object.kind, object.name), ""});
    decide(signs, set);
    set.since = since(root, group, set);
    set.billed = billed(group);
    return set;
  }

  static void count(const PodView& pod, PodSet& set) {
    ++set.pods;
    std::int64_t* const by_state[] = {&set.ready,        &set.running,   &set.starting,
                                      &set.without_node, &set.succeeded, &set.failed};
    ++*by_state[static_cast<std::size_t>(pod.state)];
    const Node* statuses = pod.pod->at({"status", "containerStatuses"});
    if (statuses == nullptr) return;
    for (const Node& status : statuses->items)
      set.restarts += text::whole_number(status.text_at({"restartCount"})).value_or(0);
  }

  // Between two runs of a CronJob nothing is wrong, however older ones ended.
  SetState state_of(const Node* root, const PodSet& set) const {
    const Node* run = newest_run(cluster_, set.object);
    if (run == nullptr) return state_of_pods(root, set);
    const SetState state = state_of_pods(run, set);
    return state == SetState::done ? SetState::idle : state;
  }

  static SetState state_of_pods(const Node* root, const PodSet& set) {
    if (root == nullptr && set.pods == 0) return SetState::missing;
    for (const std::string_view done : {"Complete", "Completed", "SuccessCriteriaMet"}) {
      if (root != nullptr && says_true(*root, done)) return SetState::done;
    }
    if (root != nullptr && (says_true(*root, "Failed") ||
                            root->text_at({"status", "jobDeploymentStatus"}) == "Failed"))
      return SetState::failed;
    if (root != nullptr && root->text_at({"status", "jobDeploymentStatus"}) == "Complete" &&
        root->text_at({"status", "jobStatus"}) != "FAILED")
      return SetState::done;
    if (root == nullptr && set.pods == set.succeeded) return SetState::done;
    if (root != nullptr && set.pods == 0 && is_idle(*root)) return SetState::idle;
    if (set.pods > 0 && set.pods == set.ready + set.succeeded && is_complete(root, set))
      return SetState::runs;
    if (set.pods > 0 && set.pods == set.failed && root == nullptr) return SetState::failed;
    return SetState::waits;
  }

  // It has no pods because it is to have none: scaled to zero, or between two runs.
  static bool is_idle(const Node& root) {
    return root.text_at({"spec", "replicas"}) == "0" ||
           !root.text_at({"status", "lastScheduleTime"}).empty() ||
           !root.text_at({"status", "lastSuccessfulTime"}).empty();
  }

  // A Job with fewer pods than it wants is still making them, or was refused them.
  static bool is_complete(const Node* root, const PodSet& set) {
    if (root == nullptr) return true;
    // Pods that have ended may be gone.
    if (const auto all = text::whole_number(root->text_at({"spec", "completions"}));
        all && set.ready > 0 &&
        set.ready >= *all - number_or(*root, {"status", "succeeded"}, set.succeeded))
      return true;
    for (const auto& path :
         {std::initializer_list<std::string_view>{"spec", "parallelism"}, {"spec", "replicas"}}) {
      const auto wanted = text::whole_number(root->text_at(path));
      if (wanted && root->text_at({"kind"}) != "LeaderWorkerSet" &&
          *wanted > set.ready + set.succeeded)
        return false;
    }
    return true;
  }

  std::vector<ClusterSign> signs_of(const ObjectName& object, const Node* root,
                                    const PodGroup& group, PodSet& set) {
    std::vector<ClusterSign> signs;
    const std::string about = fmt::format("{} {}", object.kind, object.name);
    const auto seen = [&](std::string text) {
      signs.push_back({"seen", std::move(text), about, ""});
    };
    for (const PodView& pod : group.pods) add_pod_signs(cluster_, pod, signs);
    add_object_signs(cluster_, object, set.without_node > 0 || set.pods == 0,
                     set.state == SetState::waits && set.pods == 0, signs);
    if (set.without_node > 0 || set.pods == 0)
      add_gcloud_signs(
          cluster_,
          [&](std::string_view name, const Node* pool, std::string_view ended) {
            return is_own_pool(group, root, name, pool, ended);
          },
          signs);
    name_own_chips(set, signs);
    const std::int64_t working = set.ready + set.running;
    if (object.kind != "Deployment" && has_half_slice(group)) {
      const bool no_head = std::any_of(
          group.pods.begin(), group.pods.end(),
          [](const PodView& pod) { return !pod.has_chips && pod.state == PodState::without_node; });
      seen(no_head ? "headless" : "half-slice");
    }
    if (signs.empty() && set.starting > 0) seen("assigned");
    if (root == nullptr) return signs;
    if (set.state == SetState::waits) {
      deadline(*root, working, seen);
      for (const Node* job : cluster_.of_kind("Job")) {
        if (job != root && cluster_.root_of(*job) == object && !says_true(*job, "Failed"))
          deadline(*job, working, seen);
      }
    }
    const bool suspended = root->text_at({"spec", "suspend"}) == "true";
    const bool queued = !node_label(*root, queue_label).empty();
    if (object.kind == "CronJob") {
      if (set.pods == 0 && newest_run(cluster_, object) == nullptr) seen("scheduled");
    } else if (suspended && !queued) {
      seen("suspended");
    } else if (set.pods == 0 && queued && !has_workload(object)) {
      seen("no-workload");
    } else if (set.pods == 0 && signs.empty() && !was_touched(*root)) {
      seen("untouched");
    }
    return signs;
  }

  // A pool is meant for the pods where they select its name, or where the spec made it; else where
  // it may have their machines and shape. Pools of others are in the same cluster.
  static bool is_own_pool(const PodGroup& group, const Node* root, std::string_view name,
                          const Node* pool, std::string_view ended) {
    if (group.expected != nullptr && !group.expected->pools.empty())
      return std::ranges::find(group.expected->pools, name) != group.expected->pools.end();
    bool selects = false;
    for (const PodView& pod : group.pods) {
      const std::string_view selected = pod.pod->text_at({"spec", "nodeSelector", pool_label});
      if (selected == name) return true;
      selects = selects || !selected.empty();
    }
    if (selects) return false;
    if (pool == nullptr) return !is_long_before(ended, root, group);
    const std::string_view machine = pool->text_at({"config", "machineType"}),
                           topology = pool->text_at({"placementPolicy", "tpuTopology"});
    if (!machine.empty() && !machine.starts_with("ct") && !machine.starts_with("tpu")) return false;
    return topology.empty() || std::ranges::all_of(group.pods, [&](const PodView& pod) {
             const std::string_view wanted =
                 pod.pod->text_at({"spec", "nodeSelector", topology_label});
             return wanted.empty() || wanted == topology;
           });
  }

  // Pools are made shortly before what runs on them.
  static bool is_long_before(std::string_view time, const Node* root, const PodGroup& group) {
    constexpr std::int64_t day = 24 * 3600;
    const Node* made = root != nullptr      ? root
                       : group.pods.empty() ? nullptr
                                            : group.pods.front().pod;
    const auto begin = made == nullptr
                           ? std::nullopt
                           : seconds_at(made->text_at({"metadata", "creationTimestamp"}));
    const auto end = seconds_at(time);
    return begin && end && *end < *begin - day;
  }

  // Some pods of a slice work while others wait. A pod with a whole slice waits for no other.
  static bool has_half_slice(const PodGroup& group) {
    std::map<std::string_view, std::pair<bool, bool>> slices;  // whether pods work, and wait
    for (const PodView& pod : group.pods) {
      if (pod.has_chips && is_whole_slice(*pod.pod)) continue;
      // A table does not say which pods have chips.
      if (pod.pod->at({"spec", "containers"}) == nullptr) continue;
      auto& [works, waits] = slices[node_label(*pod.pod, group_label)];
      works = works || pod.state == PodState::ready || pod.state == PodState::running;
      waits = waits || pod.state == PodState::without_node || pod.state == PodState::starting;
    }
    return std::ranges::any_of(
        slices, [](const auto& slice) { return slice.second.first && slice.second.second; });
  }

  static bool is_whole_slice(const Node& pod) {
    const std::string_view shape = pod.text_at({"spec", "nodeSelector", topology_label});
    if (shape.empty()) return false;
    const auto topology = catalog::parse_topology(shape);
    std::int64_t requested = 0;
    if (const Node* containers = pod.at({"spec", "containers"})) {
      for (const Node& container : containers->items)
        requested += text::whole_number(spec::requested_chips(container)).value_or(0);
    }
    return !topology || requested >= topology->chips();
  }

  // The chips that the scheduler finds in use are those of the set itself, where it has as many
  // pods on nodes: there are fewer nodes than its slices have hosts. The slices of a JobSet also
  // keep each other off their pools.
  static void name_own_chips(const PodSet& set, std::vector<ClusterSign>& signs) {
    const std::int64_t placed = set.ready + set.running + set.starting;
    for (ClusterSign& sign : signs) {
      if (sign.from != "scheduler" || sign.nodes == 0 || sign.nodes > placed) continue;
      const bool is_apart =
          set.object.kind == "JobSet" && sign.text.ends_with("anti-affinity rules");
      if (!is_apart && sign.text != fmt::format("Insufficient {}", spec::tpu_resource)) continue;
      sign.from = "seen";
      sign.text = fmt::format("short-pool {}", placed);
    }
  }

  static bool was_touched(const Node& root) {
    const Node* status = root.find("status");
    return status != nullptr && !status->members.empty();
  }

  bool has_workload(const ObjectName& object) const {
    for (const Node* workload : cluster_.of_kind("Workload")) {
      if (cluster_.root_of(*workload) == object) return true;
    }
    return false;
  }

  // Only where nothing has started: a run that works has the time that it was given.
  static void deadline(const Node& root, std::int64_t working, auto&& seen) {
    const auto allowed = text::whole_number(root.text_at({"spec", "activeDeadlineSeconds"}));
    const auto begin = seconds_at(root.text_at({"status", "startTime"}));
    if (allowed && begin && working == 0) seen("deadline " + time_text(*begin + *allowed));
  }

  static void decide(const std::vector<ClusterSign>& signs, PodSet& set) {
    const Holes known{{"object", set.object.name},
                      {"namespace", set.object.name_space},
                      {"pods", std::to_string(set.pods)}};
    for (const ClusterSign& sign : signs) {
      auto cause = cause_of(sign, known);
      if (!cause) continue;
      const bool again =
          std::any_of(set.causes.begin(), set.causes.end(),
                      [&](const PodCause& each) { return each.code == cause->code; });
      if (!again) set.causes.push_back(std::move(*cause));
    }
    std::stable_sort(
        set.causes.begin(), set.causes.end(),
        [](const PodCause& one, const PodCause& other) { return one.rank < other.rank; });
  }

  static std::string since(const Node* root, const PodGroup& group, const PodSet& set) {
    std::string first;
    const auto earlier = [&](std::string_view time) {
      if (seconds_at(time) && (first.empty() || time < first)) first = time;
    };
    for (const PodView& pod : group.pods) {
      if (set.state == SetState::waits && pod.state == PodState::ready) continue;
      const Node* condition =
          condition_at(*pod.pod, set.state == SetState::runs ? "Ready" : "PodScheduled");
      const std::string_view time =
          condition == nullptr ? "" : condition->text_at({"lastTransitionTime"});
      earlier(time.empty() ? pod.pod->text_at({"metadata", "creationTimestamp"}) : time);
    }
    if (first.empty() && root != nullptr) earlier(root->text_at({"metadata", "creationTimestamp"}));
    return first;
  }

  static std::vector<std::string> images_with_chips(const Node& pod) {
    std::vector<std::string> images;
    const Node* containers = pod.at({"spec", "containers"});
    if (containers == nullptr) return images;
    for (const Node& container : containers->items) {
      const std::string_view image = container.text_at({"image"});
      if (!image.empty() && !spec::requested_chips(container).empty()) images.emplace_back(image);
    }
    return images;
  }

  void compare_pools(const Expected& expected, std::set<std::string>& differences) const {
    for (const Node* pool : cluster_.of_kind("NodePool")) {
      const std::string_view name = pool->text_at({"name"});
      const auto found = std::ranges::find(expected.pools, name);
      if (found == expected.pools.end() || pool->text_at({"status"}) == "ABSENT") continue;
      const auto at = static_cast<std::size_t>(found - expected.pools.begin());
      const std::string most = at < expected.nodes.size() && too_few(*pool, expected.nodes[at])
                                   ? std::to_string(expected.nodes[at])
                                   : "";
      const std::tuple<std::string_view, std::string, std::string> rows[] = {
          {"machine type", expected.machine, std::string(pool->text_at({"config", "machineType"}))},
          {"topology", expected.pool_topology,
           std::string(pool->text_at({"placementPolicy", "tpuTopology"}))},
          {"size", most, most.empty() ? "" : fmt::format("at most {}", autoscaled_most(*pool))},
          {"model", expected.model, other_model(*pool, expected.model)},
          {"zone", text::join(expected.zones, ", "), other_zone(*pool, expected.zones)}};
      for (const auto& [what, said, seen] : rows) {
        if (!said.empty() && !seen.empty() && said != seen)
          differences.insert(fmt::format("{} {} of node pool {} in the spec, {} in the cluster",
                                         what, said, name, seen));
      }
    }
  }

  // 0: the autoscaler does not bound it.
  static std::int64_t autoscaled_most(const Node& pool) {
    if (pool.text_at({"autoscaling", "enabled"}) != "true") return 0;
    const std::int64_t all = number_or(pool, {"autoscaling", "totalMaxNodeCount"}, 0);
    const Node* zones = pool.at({"locations"});
    return all > 0 || zones == nullptr ? all
                                       : number_or(pool, {"autoscaling", "maxNodeCount"}, 0) *
                                             static_cast<std::int64_t>(zones->items.size());
  }
  static bool too_few(const Node& pool, std::int64_t wanted) {
    const std::int64_t most = autoscaled_most(pool);
    return most > 0 && most < wanted;
  }

  // The model of the pool, where it is another for certain; a queue has others than its flags say.
  std::string other_model(const Node& pool, std::string_view name) const {
    const catalog::Model* model = catalog::find_model(catalog_, name);
    const Node* config = pool.find("config");
    if (model == nullptr || config == nullptr || config->find("machineType") == nullptr ||
        model->needs_queue || pool.at({"queuedProvisioning"}) != nullptr)
      return {};
    const bool spot = config->text_at({"spot"}) == "true",
               flex = config->text_at({"flexStart"}) == "true";
    // Somebody may have left out what a pool does not say.
    if ((!spot || model->spot) && (!flex || model->flex_start)) return {};
    for (const catalog::Model& each : catalog_.models) {
      if (each.spot == spot && each.flex_start == flex && !each.needs_queue &&
          !each.takes_reservation)
        return std::string(std::string_view(each.name));
    }
    return {};
  }

  static std::string other_zone(const Node& pool, const std::vector<std::string>& zones) {
    const Node* found = pool.at({"locations"});
    if (found == nullptr) return {};
    std::vector<std::string> names;
    bool differs = false;
    for (const Node& zone : found->items) {
      names.push_back(zone.text);
      differs = differs || std::ranges::find(zones, zone.text) == zones.end();
    }
    return differs ? text::join(names, ", ") : std::string();
  }

  void compare(const Expected& expected, const PodGroup& group, PodSet& set) const {
    if (set.state == SetState::missing) return;
    std::set<std::string> differences;
    const auto compare_label = [&](const PodView& pod, std::string_view label,
                                   std::string_view said, std::string_view called) {
      const std::string_view found = pod.pod->text_at({"spec", "nodeSelector", label});
      if (!said.empty() && !found.empty() && found != said)
        differences.insert(
            fmt::format("{} {} in the spec, {} in the cluster", called, said, found));
    };
    compare_pools(expected, differences);
    const auto spot_text = [](bool spot) { return spot ? "Spot" : "no Spot"; };
    std::int64_t with_chips = 0;
    for (const PodView& pod : group.pods) {
      compare_label(pod, topology_label, expected.topology, "topology");
      compare_label(pod, accelerator_label, expected.accelerator, "accelerator");
      const bool spot = pod.pod->text_at({"spec", "nodeSelector", spot_label}) == "true";
      if (pod.has_chips && spot != expected.spot &&
          !pod.pod->text_at({"spec", "nodeSelector", accelerator_label}).empty())
        differences.insert(fmt::format("{} in the spec, {} in the cluster",
                                       spot_text(expected.spot), spot_text(spot)));
      with_chips += pod.has_chips && pod.state != PodState::failed;
      for (const std::string& image : images_with_chips(*pod.pod)) {
        if (!expected.images.empty() &&
            std::ranges::find(expected.images, image) == expected.images.end())
          differences.insert(fmt::format("image {} in the spec, {} in the cluster",
                                         expected.images.front(), image));
      }
    }
    const bool is_short = set.state == SetState::runs && with_chips > 0 && set.succeeded == 0;
    if (expected.pods > 0 &&
        (with_chips > expected.pods || (is_short && with_chips < expected.pods)))
      differences.insert(fmt::format("{} with chips in the spec, {} in the cluster",
                                     text::count(expected.pods, "pod"), with_chips));
    set.differs.assign(differences.begin(), differences.end());
  }

  // The nodes that its pods are on, by what the dump says about them.
  std::string billed(const PodGroup& group) const {
    std::set<std::string_view> names;
    for (const PodView& pod : group.pods) {
      const std::string_view node = pod.pod->text_at({"spec", "nodeName"});
      const bool ended = pod.state == PodState::succeeded || pod.state == PodState::failed;
      if (!node.empty() && pod.has_chips && !ended) names.insert(node);
    }
    // Nodes that were made for its pods and have none yet.
    for (const Node* node : cluster_.of_kind("Node")) {
      if (taken_nodes_.contains(node->text_at({"metadata", "name"}))) continue;
      if (std::any_of(group.pods.begin(), group.pods.end(), [&](const PodView& pod) {
            return pod.has_chips && pod.state == PodState::without_node && takes(*pod.pod, *node);
          }))
        names.insert(node->text_at({"metadata", "name"}));
    }
    if (names.empty()) return cluster_.of_kind("Node").empty() ? "" : "no node is there for it";
    std::int64_t cost = 0;
    bool known = true;
    std::set<std::string_view> machines;
    for (const std::string_view name : names) {
      const Node* node = cluster_.find({"Node", "", std::string(name)});
      if (node == nullptr) {
        known = false;
        continue;
      }
      if (!node_label(*node, machine_label).empty())
        machines.insert(node_label(*node, machine_label));
      const auto price = price_of(*node);
      known = known && price.has_value();
      cost += price.value_or(0);
    }
    std::string text = text::count(static_cast<std::int64_t>(names.size()), "node");
    if (machines.size() == 1) text += fmt::format(" of {}", *machines.begin());
    return text + (known ? fmt::format(", {} an hour by list prices", catalog::dollars_text(cost))
                         : ", at a price that the dump does not show");
  }

  static bool takes(const Node& pod, const Node& node) {
    return !node_label(node, accelerator_label).empty() && has_selected_labels(pod, node);
  }

  std::optional<std::int64_t> price_of(const Node& node) const {
    const catalog::Generation* generation =
        catalog::generation_of_label(catalog_, node_label(node, accelerator_label));
    const auto chips =
        text::whole_number(node.text_at({"status", "allocatable", spec::tpu_resource}));
    if (generation == nullptr || !chips) return std::nullopt;
    const catalog::Model* chosen = nullptr;
    for (const catalog::Model& model : catalog_.models) {
      const bool all = std::all_of(
          model.node_selector.begin(), model.node_selector.end(),
          [&](const auto& label) { return node_label(node, label.key) == label.value; });
      if (all && (chosen == nullptr || model.node_selector.size() > chosen->node_selector.size()))
        chosen = &model;
    }
    if (chosen == nullptr) return std::nullopt;
    const catalog::Price* price =
        catalog::find_price(catalog_, generation->id, node_label(node, region_label), chosen->name);
    if (price == nullptr) return std::nullopt;
    const auto amount = catalog::parse_dollars(price->usd);
    return amount ? std::optional(*amount * *chips) : std::nullopt;
  }

  const ClusterView& cluster_;
  const catalog::Catalog& catalog_;
  std::map<ObjectName, PodGroup> groups_;
  std::set<std::string_view> taken_nodes_;  // on which pods with chips are, of any set
};

}  // namespace

std::vector<PodSet> pod_sets(const ClusterView& cluster, const std::vector<Expected>& expected,
                             const catalog::Catalog& catalog) {
  return Judge(cluster, expected, catalog).sets();
}

}  // namespace flexslice::why
