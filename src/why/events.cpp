// Events without the objects that they are about: as `kubectl get events` prints them, and the pods
// that they tell of.
#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <span>

#include "base/lines.hpp"
#include "base/text.hpp"
#include "why/cluster.hpp"
#include "why/dump.hpp"
#include "yaml/made.hpp"

namespace flexslice::why {

namespace {

using yaml::Node;

Node object_with(std::initializer_list<std::pair<std::string_view, Node>> members) {
  Node node = yaml::mapping_at();
  for (const auto& [key, value] : members) yaml::member_at(node, key) = value;
  return node;
}

// Kinds as kubectl writes them in the column OBJECT.
constexpr std::pair<std::string_view, std::string_view> kinds_in_table[] = {
    {"pod", "Pod"},
    {"job", "Job"},
    {"jobset", "JobSet"},
    {"workload", "Workload"},
    {"deployment", "Deployment"},
    {"replicaset", "ReplicaSet"},
    {"statefulset", "StatefulSet"},
    {"leaderworkerset", "LeaderWorkerSet"},
    {"raycluster", "RayCluster"},
    {"rayjob", "RayJob"},
    {"cronjob", "CronJob"}};

constexpr std::string_view columns[] = {"LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE"};

// `3m12s`, `4s (x3 over 5m)`. Without a number it is as old as can be.
std::int64_t age_of(std::string_view text) {
  constexpr std::pair<char, std::int64_t> units[] = {
      {'y', 365 * 24 * 3600}, {'d', 24 * 3600}, {'h', 3600}, {'m', 60}, {'s', 1}};
  std::int64_t age = 0, number = 0;
  bool known = false;
  for (const char c : text.substr(0, text.find(' '))) {
    if (c >= '0' && c <= '9') {
      number = number * 10 + (c - '0');
      if (number > 1'000'000) break;
      continue;
    }
    for (const auto& [unit, seconds] : units) {
      if (c != unit) continue;
      age += number * seconds;
      known = true;
    }
    number = 0;
  }
  return known ? age : std::numeric_limits<std::int64_t>::max();
}

// Returns the end of the column that begins at `begin`: `-o wide` has further ones between them.
std::size_t end_of_column(std::string_view header, std::size_t begin) {
  const std::size_t gap = header.find("   ", begin);
  return gap == std::string_view::npos ? gap : header.find_first_not_of(' ', gap);
}

// A pod may run after any other event.
constexpr std::string_view bad_events[] = {"FailedScheduling",
                                           "NotTriggerScaleUp",
                                           "TriggeredScaleUp",
                                           "FailedScaleUp",
                                           "FailedMount",
                                           "FailedAttachVolume",
                                           "FailedCreatePodSandBox",
                                           "Failed",
                                           "BackOff",
                                           "Unhealthy",
                                           "Evicted",
                                           "Preempted"};
constexpr std::string_view events_on_nodes[] = {"FailedMount", "FailedAttachVolume",
                                                "FailedCreatePodSandBox", "Failed", "BackOff"};

constexpr std::string_view pod_columns[] = {"NAME", "READY", "STATUS", "RESTARTS", "AGE"};

// Reasons of containers that wait, as the column STATUS has them.
constexpr std::string_view waiting_states[] = {
    "ContainerCreating",          "PodInitializing",     "ImagePullBackOff", "ErrImagePull",
    "ErrImageNeverPull",          "InvalidImageName",    "CrashLoopBackOff", "RunContainerError",
    "CreateContainerConfigError", "CreateContainerError"};

// The pod of a row. Null: its state may be several.
Node pod_of_row(std::string_view name, std::string_view ready, std::string_view state,
                std::string_view node) {
  std::string_view phase = "Pending";
  Node status = object_with({{"tableStatus", yaml::plain_at(state)}});
  const std::size_t slash = ready.find('/');
  const bool waits = std::ranges::find(waiting_states, state) != std::end(waiting_states);
  if (state == "Running") {
    phase = "Running";
    if (ready.substr(0, slash) == ready.substr(slash + 1))
      yaml::member_at(status, "conditions") = yaml::list_at(
          {},
          {object_with({{"type", yaml::plain_at("Ready")}, {"status", yaml::plain_at("True")}})});
  } else if (state == "Completed" || state == "Succeeded") {
    phase = "Succeeded";
  } else if (waits) {
    if (state == "CrashLoopBackOff") phase = "Running";
    if (node.empty()) node = "unknown";
    yaml::member_at(status, "containerStatuses") = yaml::list_at(
        {},
        {object_with(
            {{"name", yaml::plain_at("unknown")},
             {"state",
              object_with({{"waiting", object_with({{"reason", yaml::plain_at(state)},
                                                    {"message", yaml::plain_at(state)}})}})}})});
  } else if (state != "Pending") {
    return {};
  }
  yaml::member_at(status, "phase") = yaml::plain_at(phase);
  Node spec = yaml::mapping_at();
  if (!node.empty()) yaml::member_at(spec, "nodeName") = yaml::plain_at(node);
  return object_with({{"kind", yaml::plain_at("Pod")},
                      {"metadata", object_with({{"name", yaml::plain_at(name)}})},
                      {"spec", std::move(spec)},
                      {"status", std::move(status)}});
}

// Returns whether the text begins with a head of these columns, in this order.
bool has_columns(std::string_view text, std::span<const std::string_view> names) {
  const std::string_view first = text.substr(0, text.find('\n'));
  std::size_t at = 0;
  for (const std::string_view name : names) {
    at = first.find(name, at);
    if (at == std::string_view::npos) return false;
  }
  return first.starts_with(names[0]) || first.starts_with("NAMESPACE");
}

}  // namespace

bool is_event_table(std::string_view text) { return has_columns(text, columns); }

std::vector<Node> read_event_table(std::string_view text) {
  std::vector<std::pair<std::int64_t, Node>> rows;  // with the age of each
  const std::string_view first = text.substr(0, text.find('\n'));
  std::size_t begins[std::size(columns)];
  for (std::size_t i = 0; i < std::size(columns); ++i) begins[i] = first.find(columns[i]);
  for (std::size_t at = text::next_line(text, 0); at < text.size();
       at = text::next_line(text, at)) {
    const std::string_view line = text.substr(at, text::line_end(text, at) - at);
    if (line.size() <= begins[4]) continue;
    const auto cell = [&](std::size_t i) {
      const std::size_t end = std::min(end_of_column(first, begins[i]), line.size());
      return text::trim(line.substr(begins[i], end - begins[i]));
    };
    const std::string_view object = cell(3);
    const std::size_t slash = object.find('/');
    if (slash == std::string_view::npos) continue;
    std::string_view kind = object.substr(0, slash);
    for (const auto& [word, name] : kinds_in_table) {
      if (word == kind) kind = name;
    }
    const std::string_view name_space = text::trim(line.substr(0, begins[0]));
    Node event = object_with(
        {{"kind", yaml::plain_at("Event")},
         {"type", yaml::plain_at(cell(1))},
         {"reason", yaml::plain_at(cell(2))},
         {"message", yaml::plain_at(cell(4))},
         {"involvedObject", object_with({{"kind", yaml::plain_at(kind)},
                                         {"namespace", yaml::plain_at(name_space)},
                                         {"name", yaml::plain_at(object.substr(slash + 1))}})}});
    rows.emplace_back(age_of(cell(0)), std::move(event));
  }
  // kubectl prints them in no order, and of two the later one counts.
  std::ranges::stable_sort(
      rows, [](const auto& one, const auto& other) { return one.first > other.first; });
  std::vector<Node> events;
  for (auto& [age, event] : rows) events.push_back(std::move(event));
  return events;
}

bool is_pod_table(std::string_view text) { return has_columns(text, pod_columns); }

std::vector<Node> read_pod_table(std::string_view text) {
  std::vector<Node> pods;
  const std::string_view first = text.substr(0, text.find('\n'));
  const std::size_t name_column = first.find("NAME ");
  const std::size_t node_column = first.find(" NODE ");
  for (std::size_t at = text::next_line(text, 0); at < text.size();
       at = text::next_line(text, at)) {
    const std::string_view line = text.substr(at, text::line_end(text, at) - at);
    const auto cell = [&](std::size_t begin) {
      const std::string_view rest = line.substr(std::min(begin, line.size()));
      return rest.substr(0, rest.find(' '));
    };
    const std::string_view name = cell(name_column), ready = cell(first.find("READY")),
                           state = cell(first.find("STATUS"));
    if (name.empty() || state.empty() || ready.find('/') == std::string_view::npos) continue;
    std::string_view node =
        node_column == std::string_view::npos ? std::string_view() : cell(node_column + 1);
    if (node == "<none>") node = {};
    if (Node pod = pod_of_row(name, ready, state, node); pod.kind == yaml::Kind::mapping) {
      yaml::member_at(yaml::member_at(pod, "metadata"), "namespace") =
          yaml::plain_at(name_column == 0 ? "" : cell(0));
      pods.push_back(std::move(pod));
    }
  }
  return pods;
}

bool tells_of_pods(const Dump& dump) {
  constexpr std::string_view kinds[] = {"Pod",        "Job",        "CronJob",        "JobSet",
                                        "Deployment", "ReplicaSet", "StatefulSet",    "RayCluster",
                                        "RayJob",     "RayService", "LeaderWorkerSet"};
  return dump.has_empty_list || std::ranges::any_of(dump.objects, [&](const Node& object) {
           return std::ranges::find(kinds, object.text_at({"kind"})) != std::end(kinds) &&
                  object.at({"status", "tableStatus"}) == nullptr;
         });
}

void add_pods_of_events(Dump& dump) {
  // Events last for an hour, so that an owner without pods may have had some.
  if (std::ranges::any_of(dump.objects, [](const Node& object) {
        return object.text_at({"kind"}) == "Pod" || object.at({"spec", "template"}) != nullptr ||
               object.at({"spec", "replicatedJobs"}) != nullptr;
      }))
    return;
  std::map<ObjectName, const Node*> last;  // event about each pod
  std::map<std::string, Node> owners;      // by the name of the pod
  for (const Node& event : dump.objects) {
    if (event.text_at({"kind"}) != "Event") continue;
    const Node* about = event.find("involvedObject");
    if (about == nullptr) about = event.find("regarding");
    if (about == nullptr) continue;
    const ObjectName name{std::string(about->text_at({"kind"})),
                          std::string(about->text_at({"namespace"})),
                          std::string(about->text_at({"name"}))};
    constexpr std::string_view created = "Created pod: ";
    const std::string_view message = event.text_at({"message"});
    if (message.starts_with(created))
      owners[std::string(message.substr(created.size()))] =
          yaml::list_at({}, {object_with({{"kind", yaml::plain_at(name.kind)},
                                          {"name", yaml::plain_at(name.name)}})});
    if (name.kind != "Pod" || name.name.empty()) continue;
    const Node*& newest = last[name];
    if (newest == nullptr || time_of_event(*newest) <= time_of_event(event)) newest = &event;
  }
  std::vector<Node> pods;
  for (const auto& [name, event] : last) {
    const std::string_view reason = event->text_at({"reason"});
    if (std::ranges::find(bad_events, reason) == std::end(bad_events)) continue;
    Node metadata = object_with(
        {{"name", yaml::plain_at(name.name)}, {"namespace", yaml::plain_at(name.name_space)}});
    if (const auto owner = owners.find(name.name); owner != owners.end())
      metadata.members.push_back({yaml::plain_at("ownerReferences"), owner->second});
    const bool on_node = std::ranges::find(events_on_nodes, reason) != std::end(events_on_nodes);
    const bool started = reason == "Unhealthy";
    pods.push_back(object_with(
        {{"kind", yaml::plain_at("Pod")},
         {"metadata", std::move(metadata)},
         {"spec",
          on_node ? object_with({{"nodeName", yaml::plain_at("unknown")}}) : object_with({})},
         {"status", object_with({{"phase", yaml::plain_at(started ? "Running" : "Pending")}})}}));
  }
  if (pods.empty()) return;
  dump.remarks.push_back(
      "the dump has events and no pods: pods are known by their last event alone, and those that "
      "run are left out");
  for (Node& pod : pods) dump.objects.push_back(std::move(pod));
}

}  // namespace flexslice::why
