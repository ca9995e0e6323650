#include "why/signs.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/text.hpp"

namespace flexslice::why {

using yaml::Node;

namespace {

constexpr std::string_view chips = "google.com/tpu";

const std::vector<Node>& items_at(const Node& node, std::initializer_list<std::string_view> path) {
  static const std::vector<Node> none;
  const Node* list = node.at(path);
  return list == nullptr ? none : list->items;
}

std::string name_text(const Node& object) {
  const ObjectName name = name_of(object);
  return fmt::format("{} {}", name.kind, name.name);
}

std::string condition_text(const Node& condition) {
  return fmt::format("{}: {}", condition.text_at({"reason"}), condition.text_at({"message"}));
}

// `0/5 nodes are available: 1 node(s) were unschedulable, 4 Insufficient cpu. preemption: …`.
struct NodeReason {
  std::string text;
  std::int64_t nodes = 0;
};
std::vector<NodeReason> reasons_of(std::string_view message, std::string_view intro) {
  std::vector<NodeReason> reasons;
  const std::size_t begin = message.find(intro);
  if (begin == std::string_view::npos) {
    if (!message.empty()) reasons.push_back({std::string(message)});
    return reasons;
  }
  message.remove_prefix(begin + intro.size());
  message = message.substr(0, message.find(". preemption:"));
  message = message.substr(0, message.find(". no new claims"));
  while (message.ends_with('.')) message.remove_suffix(1);
  for (std::string_view part : text::split(message, ',')) {
    part = text::trim(part);
    const std::size_t number = part.find_first_not_of("0123456789");
    std::int64_t nodes = 0;
    if (number != 0 && number != std::string_view::npos && part[number] == ' ') {
      nodes = text::whole_number(part.substr(0, number)).value_or(0);
      part.remove_prefix(number + 1);
    } else if (!reasons.empty() && reasons.back().nodes > 0) {
      // A reason may have commas of its own, and each reason has a number.
      reasons.back().text += fmt::format(", {}", part);
      continue;
    }
    reasons.push_back({std::string(part), nodes});
  }
  return reasons;
}

bool is_true(const Node& node, std::initializer_list<std::string_view> path) {
  return node.text_at(path) == "true";
}

// A pod that is put out is ended by the kubelet, so that how its containers ended says nothing of
// the program.
bool is_put_out(const Node& pod) {
  constexpr std::string_view reasons[] = {"Evicted",  "Preempted",    "Terminated",
                                          "Shutdown", "NodeShutdown", "NodeLost"};
  return says_true(pod, "DisruptionTarget") ||
         pod.at({"metadata", "deletionTimestamp"}) != nullptr ||
         std::ranges::find(reasons, pod.text_at({"status", "reason"})) != std::end(reasons);
}

bool is_killed(const Node& terminated) {
  const std::string_view status = terminated.text_at({"exitCode"});
  return status == "137" || status == "143";
}

void add_container_signs(const Node& pod, std::string_view list, std::string_view prefix,
                         std::vector<ClusterSign>& signs) {
  for (const Node& status : items_at(pod, {"status", list})) {
    const auto add = [&](std::string_view from, std::string_view begin, std::string text) {
      signs.push_back({std::string(from), std::string(begin) + std::move(text),
                       fmt::format("{}, container {}", name_text(pod), status.text_at({"name"})),
                       ""});
    };
    if (const Node* waiting = status.at({"state", "waiting"})) {
      const std::string reason(waiting->text_at({"reason"}));
      // An image that is missing is the same for all containers; a program that fails is not.
      const bool fails = reason == "CrashLoopBackOff";
      if (!fails || status.at({"lastState", "terminated"}) == nullptr)
        add("waiting", fails ? prefix : "",
            fmt::format("{}: {}", reason, waiting->text_at({"message"})));
    }
    // The last end counts where the container is not running well now.
    if (is_true(status, {"ready"})) continue;
    for (const std::string_view when : {"state", "lastState"}) {
      const Node* ended = status.at({when, "terminated"});
      if (ended == nullptr || ended->text_at({"exitCode"}) == "0") continue;
      if (is_put_out(pod) && is_killed(*ended)) break;
      const std::string_view reason = ended->text_at({"reason"}),
                             message = ended->text_at({"message"});
      // Its program has never run, and the message says why.
      if (reason == "StartError" && !message.empty())
        add("waiting", "", fmt::format("{}: {}", reason, message));
      else
        add("ended", prefix,
            fmt::format("{} (exit status {})", reason, ended->text_at({"exitCode"})));
      break;
    }
  }
}

bool pod_tolerates(const Node& pod, const Node& taint) {
  return std::ranges::any_of(items_at(pod, {"spec", "tolerations"}), [&](const Node& toleration) {
    const std::string_view key = toleration.text_at({"key"}),
                           effect = toleration.text_at({"effect"});
    return (effect.empty() || effect == taint.text_at({"effect"})) &&
           (key.empty() || key == taint.text_at({"key"})) &&
           (toleration.text_at({"operator"}) == "Exists" ||
            toleration.text_at({"value"}) == taint.text_at({"value"}));
  });
}

// A taint of the nodes with the labels that the pod selects, `team: vision`.
std::string taint_against(const ClusterView& cluster, const Node& pod) {
  for (const Node* node : cluster.of_kind("Node")) {
    if (!has_selected_labels(pod, *node)) continue;
    for (const Node& taint : items_at(*node, {"spec", "taints"})) {
      if (taint.text_at({"effect"}) != "PreferNoSchedule" && !pod_tolerates(pod, taint))
        return fmt::format("{}: {}", taint.text_at({"key"}), taint.text_at({"value"}));
    }
  }
  return {};
}

constexpr std::string_view unselected = "node(s) didn't match Pod's node affinity/selector";

// Nodes that fail for another reason than their labels have them, as far as the dump shows no
// other: then it says nothing that others differ.
void keep_telling_reasons(std::vector<NodeReason>& reasons) {
  const auto differs = [](const NodeReason& reason) { return reason.text == unselected; };
  if (!std::ranges::all_of(reasons, differs)) std::erase_if(reasons, differs);
}

// Cordons and taints are checked before labels. Where the dump has all nodes and none with the
// labels, they are those of other pools.
void leave_out_other_pools(const ClusterView& cluster, const Node& pod,
                           std::vector<NodeReason>& reasons) {
  std::int64_t all = 0;
  for (const NodeReason& reason : reasons) all += reason.nodes;
  const std::vector<const Node*> nodes = cluster.of_kind("Node");
  const Node* selector = pod.at({"spec", "nodeSelector"});
  if (selector == nullptr || selector->members.empty() ||
      static_cast<std::int64_t>(nodes.size()) < all ||
      std::ranges::none_of(reasons,
                           [](const NodeReason& reason) { return reason.text == unselected; }) ||
      std::ranges::any_of(nodes, [&](const Node* node) { return has_selected_labels(pod, *node); }))
    return;
  std::erase_if(reasons, [](const NodeReason& reason) {
    return reason.text == "node(s) were unschedulable" ||
           reason.text.starts_with("node(s) had untolerated taint");
  });
}

// The scheduler checks taints before labels, so nodes of other pools are counted with their taints:
// those say nothing where some nodes have other labels, unless a node that is selected has the
// taint.
void name_taints(const ClusterView& cluster, const Node& pod, std::vector<NodeReason>& reasons) {
  constexpr std::string_view tainted = "node(s) had untolerated taint";
  const auto is_tainted = [&](const NodeReason& reason) {
    return reason.text.starts_with(tainted);
  };
  if (std::ranges::none_of(reasons, is_tainted)) return;
  if (const std::string taint = taint_against(cluster, pod); !taint.empty()) {
    std::erase_if(reasons, [&](const NodeReason& reason) { return reason.text == unselected; });
    for (NodeReason& reason : reasons) {
      if (is_tainted(reason)) reason.text = fmt::format("{} {{{}}}", tainted, taint);
    }
  } else if (std::ranges::any_of(
                 reasons, [&](const NodeReason& reason) { return reason.text == unselected; })) {
    std::erase_if(reasons, [&](const NodeReason& reason) {
      return is_tainted(reason) && reason.text.find("kubernetes.io/") == std::string::npos;
    });
  }
}

constexpr std::string_view scaling_events[] = {"TriggeredScaleUp", "FailedScaleUp",
                                               "NotTriggerScaleUp"};

// Why the claims of the pod have no volumes.
void add_claim_events(const ClusterView& cluster, const Node& pod,
                      std::vector<ClusterSign>& signs) {
  for (const Node& volume : items_at(pod, {"spec", "volumes"})) {
    const std::string_view claim = volume.text_at({"persistentVolumeClaim", "claimName"});
    if (claim.empty()) continue;
    for (const Node* event : cluster.events_of(
             {"PersistentVolumeClaim", name_of(pod).name_space, std::string(claim)})) {
      if (event->text_at({"reason"}) == "ProvisioningFailed")
        signs.push_back(
            {"event", fmt::format("ProvisioningFailed: {}", event->text_at({"message"})),
             fmt::format("PersistentVolumeClaim {}", claim), std::string(time_of_event(*event))});
    }
  }
}

bool owned_by(const Node& object, const ObjectName& owner) {
  const std::vector<Node>& owners = items_at(object, {"metadata", "ownerReferences"});
  return std::any_of(owners.begin(), owners.end(), [&](const Node& each) {
    return each.text_at({"kind"}) == owner.kind && each.text_at({"name"}) == owner.name &&
           object.text_at({"metadata", "namespace"}) == owner.name_space;
  });
}

void add_conditions(const Node& object, std::vector<ClusterSign>& signs) {
  for (const Node& condition : items_at(object, {"status", "conditions"}))
    signs.push_back(
        {"condition",
         fmt::format("{}/{}={} {}", object.text_at({"kind"}), condition.text_at({"type"}),
                     condition.text_at({"status"}), condition_text(condition)),
         name_text(object), std::string(condition.text_at({"lastTransitionTime"}))});
}

// Adds the signs of what Kueue made for the object.
void add_queue_signs(const ClusterView& cluster, const ObjectName& object, bool waits_for_nodes,
                     std::vector<ClusterSign>& signs) {
  for (const Node* workload : cluster.of_kind("Workload")) {
    if (!owned_by(*workload, object)) continue;
    const bool admitted = says_true(*workload, "Admitted");
    if (!admitted) {
      for (const Node& condition : items_at(*workload, {"status", "conditions"})) {
        const std::string_view type = condition.text_at({"type"}),
                               status = condition.text_at({"status"});
        if ((type == "QuotaReserved" && status == "False") ||
            (type == "Evicted" && status == "True"))
          signs.push_back(
              {"condition",
               fmt::format("Workload/{}={} {}", type, status, condition_text(condition)),
               name_text(*workload), std::string(condition.text_at({"lastTransitionTime"}))});
      }
      // A workload that is not active has no use for its checks.
      const bool active = workload->text_at({"spec", "active"}) != "false";
      for (const Node& check :
           active ? items_at(*workload, {"status", "admissionChecks"}) : std::vector<Node>())
        signs.push_back(
            {"check", fmt::format("{}: {}", check.text_at({"state"}), check.text_at({"message"})),
             name_text(*workload), std::string(check.text_at({"lastTransitionTime"}))});
    }
    if (admitted && !waits_for_nodes) continue;
    for (const Node* request : cluster.of_kind("ProvisioningRequest")) {
      if (owned_by(*request, name_of(*workload)) && !says_true(*request, "Provisioned"))
        add_conditions(*request, signs);
    }
  }
}

void add_scheduling_signs(const ClusterView& cluster, const Node& pod,
                          std::vector<ClusterSign>& signs) {
  add_claim_events(cluster, pod, signs);
  std::string_view message, at;
  if (const Node* condition = condition_at(pod, "PodScheduled")) {
    message = condition->text_at({"message"});
    at = condition->text_at({"lastTransitionTime"});
  }
  const Node* scaling = nullptr;
  bool refused = false;
  for (const Node* event : cluster.events_of(name_of(pod))) {
    const std::string_view reason = event->text_at({"reason"});
    // The newest: the condition may come from a describe, which leaves its message out.
    if (reason == "FailedScheduling") message = event->text_at({"message"});
    refused = refused || reason == "FailedScheduling";
    if (std::ranges::find(scaling_events, reason) != std::end(scaling_events) &&
        (scaling == nullptr || reason != "NotTriggerScaleUp" ||
         scaling->text_at({"reason"}) != "FailedScaleUp"))
      scaling = event;
  }
  std::vector<NodeReason> reasons = reasons_of(message, "nodes are available: ");
  name_taints(cluster, pod, reasons);
  leave_out_other_pools(cluster, pod, reasons);
  keep_telling_reasons(reasons);
  const bool some_fit = std::ranges::any_of(
      reasons, [](const NodeReason& each) { return each.nodes > 0 && each.text != unselected; });
  for (const Node& gate : items_at(pod, {"spec", "schedulingGates"}))
    signs.push_back({"gate", std::string(gate.text_at({"name"})), name_text(pod), std::string(at)});
  if (scaling != nullptr) {
    const std::string_view reason = scaling->text_at({"reason"});
    const std::string_view text = scaling->text_at({"message"});
    const std::string time(time_of_event(*scaling));
    if (reason == "TriggeredScaleUp") {
      signs.push_back({"seen", "scale-up", name_text(pod), time});
    } else if (reason == "FailedScaleUp") {
      signs.push_back({"event", fmt::format("{}: {}", reason, text), name_text(pod), time});
    } else {
      std::vector<NodeReason> reasons_of_pools = reasons_of(text, "didn't trigger scale-up: ");
      keep_telling_reasons(reasons_of_pools);
      if (some_fit)
        std::erase_if(reasons_of_pools,
                      [](const NodeReason& each) { return each.text == unselected; });
      for (NodeReason& reason_of_pools : reasons_of_pools)
        signs.push_back({"autoscaler", std::move(reason_of_pools.text), name_text(pod), time});
    }
  }
  add_queue_signs(cluster, name_of(pod), true, signs);
  if (!items_at(pod, {"spec", "schedulingGates"}).empty()) return;
  if (message.find("no nodes available to schedule pods") != std::string_view::npos) {
    signs.push_back({"seen", "no-nodes", name_text(pod), std::string(at)});
    return;
  }
  for (NodeReason& reason : reasons)
    signs.push_back(
        {"scheduler", std::move(reason.text), name_text(pod), std::string(at), reason.nodes});
  // The autoscaler looks at what the scheduler refused, and a table of pods shows no conditions.
  if (message.empty() && scaling == nullptr && pod.at({"status", "tableStatus"}) == nullptr)
    signs.push_back({"seen",
                     condition_at(pod, "PodScheduled") == nullptr && !refused ? "unseen" : "unfit",
                     name_text(pod), std::string(at)});
}

// The newest of each reason about a pod that has a node and is not ready.
void add_running_events(const ClusterView& cluster, const Node& pod, bool started,
                        std::vector<ClusterSign>& signs) {
  constexpr std::string_view starting[] = {"FailedMount", "FailedAttachVolume",
                                           "FailedCreatePodSandBox"};
  constexpr std::string_view running[] = {"Unhealthy", "Killing", "Preempted", "Evicted",
                                          "NodeNotReady"};
  // A status that the dump has is newer than these.
  constexpr std::string_view failing[] = {"Failed", "BackOff"};
  const bool has_status = pod.at({"status", "containerStatuses"}) != nullptr;
  const std::span<const std::string_view> wanted =
      started ? std::span<const std::string_view>(running)
              : std::span<const std::string_view>(starting);
  for (const Node* event : cluster.events_of(name_of(pod))) {
    const std::string_view reason = event->text_at({"reason"});
    if (std::ranges::find(wanted, reason) != wanted.end() ||
        (!has_status && std::ranges::find(failing, reason) != std::end(failing)))
      signs.push_back({"event", fmt::format("{}: {}", reason, event->text_at({"message"})),
                       name_text(pod), std::string(time_of_event(*event))});
  }
}

// Events of refusals stay for an hour, also where the pods could be created a moment later.
bool has_all_pods(const Node* owner) {
  if (owner == nullptr) return false;
  const auto number = [&](std::initializer_list<std::string_view> path) {
    return text::whole_number(owner->text_at(path));
  };
  const auto jobs = number({"spec", "parallelism"}), replicas = number({"spec", "replicas"});
  if (jobs)
    return number({"status", "active"}).value_or(0) + number({"status", "succeeded"}).value_or(0) >=
           *jobs;
  return replicas && number({"status", "replicas"}).value_or(0) >= *replicas;
}

// Events about objects that have pods, which say why there are none. Reasons of KubeRay and JobSet
// differ from those of Kubernetes' own controllers. Empty: the event is no refusal.
std::string_view refusal(std::string_view reason) {
  if (reason.starts_with("InvalidRay")) return "InvalidObject";
  constexpr std::string_view reasons[] = {"FailedCreate",
                                          "FailedToCreateHeadPod",
                                          "FailedToCreateWorkerPod",
                                          "FailedToCreateRayCluster",
                                          "FailedToCreateRayJobSubmitter",
                                          "JobCreationFailed",
                                          "HeadlessServiceCreationFailed",
                                          "PVCCreationFailed"};
  return std::ranges::find(reasons, reason) == std::end(reasons) ? "" : "FailedCreate";
}
// JobSet's webhook refuses these until the first pod of a Job has a node.
constexpr std::string_view followers[] = {"follower pod node selector",
                                          "leader pod not yet scheduled"};
constexpr std::string_view ends[] = {"BackoffLimitExceeded", "DeadlineExceeded", "FailedIndexes",
                                     "PodFailurePolicy"};

void add_object_events(const ClusterView& cluster, const ObjectName& object,
                       std::vector<ClusterSign>& signs) {
  const bool has_all = has_all_pods(cluster.find(object));
  for (const Node* event : cluster.events_of(object)) {
    const std::string_view reason = event->text_at({"reason"});
    const std::string_view refused = has_all ? "" : refusal(reason);
    if (refused.empty() && std::ranges::find(ends, reason) == std::end(ends)) continue;
    if (std::ranges::any_of(followers, [&](std::string_view words) {
          return event->text_at({"message"}).find(words) != std::string_view::npos;
        })) {
      signs.push_back({"seen", "follower", fmt::format("{} {}", object.kind, object.name),
                       std::string(time_of_event(*event))});
      continue;
    }
    signs.push_back(
        {"event",
         fmt::format("{}: {}", refused.empty() ? reason : refused, event->text_at({"message"})),
         fmt::format("{} {}", object.kind, object.name), std::string(time_of_event(*event))});
  }
}

// Pods that were taken away are not in the dump, and their events are for an hour.
void add_lost_pods(const ClusterView& cluster, const ObjectName& object,
                   std::vector<ClusterSign>& signs) {
  constexpr std::string_view created = "Created pod: ";
  constexpr std::string_view losses[] = {"Preempted", "Evicted", "NodeNotReady"};
  for (const Node* event : cluster.events_of(object)) {
    const std::string_view message = event->text_at({"message"});
    if (!message.starts_with(created)) continue;
    const ObjectName pod{"Pod", object.name_space, std::string(message.substr(created.size()))};
    if (cluster.find(pod) != nullptr) continue;
    for (const Node* loss : cluster.events_of(pod)) {
      const std::string_view reason = loss->text_at({"reason"});
      if (std::ranges::find(losses, reason) != std::end(losses))
        signs.push_back({"event", fmt::format("{}: {}", reason, loss->text_at({"message"})),
                         fmt::format("Pod {}", pod.name), std::string(time_of_event(*loss))});
    }
  }
}

}  // namespace

bool has_selected_labels(const Node& pod, const Node& node) {
  const Node *selector = pod.at({"spec", "nodeSelector"}),
             *labels = node.at({"metadata", "labels"});
  if (selector == nullptr || labels == nullptr) return false;
  return std::ranges::all_of(selector->members, [&](const yaml::Member& member) {
    return labels->text_at({member.key.text}) == member.value.text;
  });
}

bool requests_chips(const Node& pod_spec) {
  const std::vector<Node>& containers = items_at(pod_spec, {"containers"});
  return std::any_of(containers.begin(), containers.end(), [](const Node& container) {
    return container.at({"resources", "requests", chips}) != nullptr ||
           container.at({"resources", "limits", chips}) != nullptr;
  });
}

PodView pod_view(const Node& pod) {
  const Node* spec = pod.find("spec");
  PodView view{&pod, PodState::without_node, spec != nullptr && requests_chips(*spec)};
  const std::string_view phase = pod.text_at({"status", "phase"});
  const std::vector<Node>& statuses = items_at(pod, {"status", "containerStatuses"});
  const bool is_ready = says_true(pod, "Ready");
  const bool has_started = std::any_of(statuses.begin(), statuses.end(), [](const Node& status) {
    return status.at({"state", "running"}) != nullptr ||
           status.at({"lastState", "terminated"}) != nullptr ||
           status.at({"state", "terminated"}) != nullptr;
  });
  if (phase == "Succeeded") {
    view.state = PodState::succeeded;
  } else if (phase == "Failed") {
    view.state = PodState::failed;
  } else if (is_ready) {
    // A pod that is being deleted takes no part any more.
    const bool goes = pod.at({"metadata", "deletionTimestamp"}) != nullptr;
    view.state = goes ? PodState::running : PodState::ready;
  } else if (phase == "Running" || has_started) {
    view.state = PodState::running;
  } else if (!pod.text_at({"spec", "nodeName"}).empty() || says_true(pod, "PodScheduled")) {
    view.state = PodState::starting;
  }
  return view;
}

namespace {

// The pod's own reason, in the words of events; empty: it has none.
std::string reason_of_pod(const Node& pod) {
  const std::string_view reason = pod.text_at({"status", "reason"}),
                         message = pod.text_at({"status", "message"});
  if (reason.empty()) return {};
  if (reason == "Evicted" || reason == "Preempted") return fmt::format("{}: {}", reason, message);
  if (reason == "NodeLost") return fmt::format("NodeNotReady: {}", message);
  if (reason == "Terminated" || reason == "Shutdown" || reason == "NodeShutdown")
    return fmt::format("NodeShutdown: {}", message);
  // A kubelet that refuses a pod starts none of its containers.
  const bool has_containers = !items_at(pod, {"status", "containerStatuses"}).empty();
  if (pod.text_at({"status", "phase"}) != "Failed" || has_containers) return {};
  return fmt::format("Rejected: {}: {}", reason, message);
}

}  // namespace

void add_pod_signs(const ClusterView& cluster, const PodView& view,
                   std::vector<ClusterSign>& signs) {
  const Node& pod = *view.pod;
  if (view.state == PodState::ready || view.state == PodState::succeeded) return;
  if (pod.at({"metadata", "deletionTimestamp"}) != nullptr)
    signs.push_back({"seen", "terminating", name_text(pod),
                     std::string(pod.text_at({"metadata", "deletionTimestamp"}))});
  if (view.state == PodState::without_node) return add_scheduling_signs(cluster, pod, signs);
  add_container_signs(pod, "initContainerStatuses", "init ", signs);
  add_container_signs(pod, "containerStatuses", "", signs);
  add_running_events(cluster, pod, view.state != PodState::starting, signs);
  if (const Node* lost = condition_at(pod, "DisruptionTarget");
      lost != nullptr && says_true(pod, "DisruptionTarget"))
    signs.push_back({"condition",
                     fmt::format("Pod/DisruptionTarget=True {}", condition_text(*lost)),
                     name_text(pod), std::string(lost->text_at({"lastTransitionTime"}))});
  if (const std::string text = reason_of_pod(pod); !text.empty())
    signs.push_back({"event", text, name_text(pod), ""});
  if (view.state == PodState::starting && condition_at(pod, "Initialized") != nullptr &&
      !says_true(pod, "Initialized"))
    signs.push_back({"seen", "initializing", name_text(pod), ""});
}

const Node* newest_run(const ClusterView& cluster, const ObjectName& object) {
  const Node* newest = nullptr;
  if (object.kind != "CronJob") return newest;
  const auto created = [](const Node& job) {
    return job.text_at({"metadata", "creationTimestamp"});
  };
  for (const Node* job : cluster.of_kind("Job")) {
    if (owned_by(*job, object) && (newest == nullptr || created(*newest) <= created(*job)))
      newest = job;
  }
  return newest;
}

void add_object_signs(const ClusterView& cluster, const ObjectName& object, bool waits_for_nodes,
                      bool lacks_pods, std::vector<ClusterSign>& signs) {
  const Node* root = cluster.find(object);
  if (root != nullptr) add_conditions(*root, signs);
  // A RayJob has no conditions.
  if (const std::string_view state =
          root == nullptr ? "" : root->text_at({"status", "jobDeploymentStatus"});
      state.ends_with("Failed"))
    signs.push_back({"condition",
                     fmt::format("RayJob/Failed=True {}: {}", root->text_at({"status", "reason"}),
                                 root->text_at({"status", "message"})),
                     name_text(*root), std::string(root->text_at({"status", "endTime"}))});
  std::vector<ObjectName> members{object};
  const Node* run = newest_run(cluster, object);
  for (const std::string_view kind : {"Job", "ReplicaSet", "StatefulSet", "RayCluster"}) {
    for (const Node* child : cluster.of_kind(kind)) {
      if (owned_by(*child, object) && (run == nullptr || run == child))
        members.push_back(name_of(*child));
    }
  }
  for (ObjectName& child : cluster.absent_children(object)) members.push_back(std::move(child));
  if (const Node* failure = root == nullptr ? nullptr : condition_at(*root, "ReplicaFailure");
      failure != nullptr && says_true(*root, "ReplicaFailure"))
    signs.push_back({"event", fmt::format("FailedCreate: {}", failure->text_at({"message"})),
                     name_text(*root), std::string(failure->text_at({"lastTransitionTime"}))});
  for (const ObjectName& member : members) {
    // A Job of a JobSet or a CronJob says itself why it has failed.
    const Node* child = member == object ? nullptr : cluster.find(member);
    if (child != nullptr && says_true(*child, "Failed")) add_conditions(*child, signs);
    add_object_events(cluster, member, signs);
    if (lacks_pods) add_lost_pods(cluster, member, signs);
    add_queue_signs(cluster, member, waits_for_nodes, signs);
  }
}

void add_gcloud_signs(const ClusterView& cluster, const PoolFilter& is_own,
                      std::vector<ClusterSign>& signs) {
  for (const Node* pool : cluster.of_kind("NodePool")) {
    const std::string_view name = pool->text_at({"name"}), status = pool->text_at({"status"});
    if (!is_own(name, pool, "")) continue;
    std::string_view message = pool->text_at({status == "ABSENT" ? "name" : "statusMessage"});
    for (const Node& condition : items_at(*pool, {"conditions"})) {
      if (message.empty()) message = condition.text_at({"message"});
    }
    signs.push_back(
        {"gcloud", fmt::format("NodePool {}: {}", status, message), name_text(*pool), ""});
  }
  // An operation counts until the next one on its pool.
  std::map<std::string_view, const Node*> newest;
  for (const Node* operation : cluster.of_kind("Operation")) {
    constexpr std::string_view pools = "/nodePools/";
    const std::string_view target = operation->text_at({"targetLink"});
    const std::size_t at = target.find(pools);
    const std::string_view pool =
        at == std::string_view::npos ? "" : target.substr(at + pools.size());
    if (!target.empty() &&
        (pool.empty() || !is_own(pool, cluster.find({"NodePool", "", std::string(pool)}),
                                 operation->text_at({"endTime"}))))
      continue;
    const Node*& last = newest[target.empty() ? operation->text_at({"name"}) : pool];
    if (last == nullptr || last->text_at({"startTime"}) <= operation->text_at({"startTime"}))
      last = operation;
  }
  for (const auto& [pool, operation] : newest) {
    const std::string_view status = operation->text_at({"status"});
    const std::string_view problem = operation->text_at({"error", "message"});
    std::string_view message = problem.empty() ? operation->text_at({"statusMessage"}) : problem;
    const bool runs = status == "RUNNING" || status == "PENDING";
    if (runs) message = operation->text_at({"operationType"});
    if (message.empty()) continue;
    signs.push_back({"gcloud", fmt::format("Operation {}: {}", status, message),
                     name_text(*operation),
                     std::string(operation->text_at({runs ? "startTime" : "endTime"}))});
  }
}

}  // namespace flexslice::why
