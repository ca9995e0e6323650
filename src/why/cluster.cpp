#include "why/cluster.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.hpp"

namespace flexslice::why {

using yaml::Node;

namespace {

// Labels by which controllers mark pods with the name of what they make them for.
constexpr std::pair<std::string_view, std::string_view> labels_of_roots[] = {
    {"jobset.sigs.k8s.io/jobset-name", "JobSet"},
    {"leaderworkerset.sigs.k8s.io/name", "LeaderWorkerSet"},
    {"ray.io/cluster", "RayCluster"},
    {"batch.kubernetes.io/job-name", "Job"},
    {"job-name", "Job"},
};

constexpr std::size_t time_length = std::string_view("2026-11-28T10:00:00").size();

// Days from 1970 to the first day of a month, by the calendar of Gregory.
std::int64_t days_to(std::int64_t year, std::int64_t month) {
  if (month <= 2) --year;
  const std::int64_t era = year / 400, of_era = year - era * 400;
  const std::int64_t of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5;
  return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

void newest(const Node& node, std::string& time) {
  if (node.kind == yaml::Kind::scalar && node.text.size() >= time_length && node.text.size() < 32 &&
      seconds_at(node.text))
    time = std::max(time, node.text.substr(0, time_length) + "Z");
  for (const Node& item : node.items) newest(item, time);
  for (const yaml::Member& member : node.members) {
    // Times of the future: when a certificate or a window ends.
    constexpr std::string_view future[] = {"spec", "annotations", "requeueState", "management",
                                           "upgradeSettings"};
    if (std::ranges::find(future, member.key.text) == std::end(future)) newest(member.value, time);
  }
}

}  // namespace

ObjectName name_of(const Node& object) {
  const std::string_view name = object.text_at({"metadata", "name"});
  return {std::string(object.text_at({"kind"})),
          std::string(object.text_at({"metadata", "namespace"})),
          std::string(name.empty() ? object.text_at({"name"}) : name)};
}

std::optional<std::int64_t> seconds_at(std::string_view time) {
  if (time.size() < time_length || time[4] != '-' || time[7] != '-' || time[10] != 'T' ||
      time[13] != ':' || time[16] != ':')
    return std::nullopt;
  std::int64_t parts[6] = {};
  constexpr std::pair<std::size_t, std::size_t> places[] = {{0, 4},  {5, 2},  {8, 2},
                                                            {11, 2}, {14, 2}, {17, 2}};
  for (std::size_t i = 0; i < std::size(places); ++i) {
    const auto part = text::whole_number(time.substr(places[i].first, places[i].second));
    if (!part) return std::nullopt;
    parts[i] = *part;
  }
  const auto& [year, month, day, hour, minute, second] = parts;
  if (month < 1 || month > 12 || day < 1 || day > 31) return std::nullopt;
  return ((days_to(year, month) + day - 1) * 24 + hour) * 3600 + minute * 60 + second;
}

std::string time_text(std::int64_t seconds) {
  const std::int64_t days = seconds / 86400;
  std::int64_t year = 1970, month = 1;
  while (days_to(year + 1, 1) <= days) ++year;
  while (month < 12 && days_to(year, month + 1) <= days) ++month;
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", year, month,
                     days - days_to(year, month) + 1, seconds / 3600 % 24, seconds / 60 % 60,
                     seconds % 60);
}

std::string_view time_of_event(const Node& event) {
  for (const auto path : {"lastTimestamp", "eventTime", "firstTimestamp"}) {
    const std::string_view time = event.text_at({path});
    if (seconds_at(time)) return time;
  }
  const std::string_view observed = event.text_at({"series", "lastObservedTime"});
  return seconds_at(observed) ? observed : event.text_at({"metadata", "creationTimestamp"});
}

const Node* condition_at(const Node& object, std::string_view type) {
  const Node* conditions = object.at({"status", "conditions"});
  if (conditions == nullptr) return nullptr;
  for (const Node& condition : conditions->items) {
    if (condition.text_at({"type"}) == type) return &condition;
  }
  return nullptr;
}

bool says_true(const Node& object, std::string_view type) {
  const Node* condition = condition_at(object, type);
  return condition != nullptr && condition->text_at({"status"}) == "True";
}

ClusterView::ClusterView(const Dump& dump) {
  for (const Node& object : dump.objects) {
    newest(object, saved_at_);
    if (object.text_at({"kind"}) != "Event") {
      objects_[name_of(object)] = &object;
      continue;
    }
    // events.k8s.io calls it `regarding`, and its text `note`.
    for (const std::string_view key : {"involvedObject", "regarding"}) {
      const Node* about = object.find(key);
      if (about == nullptr) continue;
      events_[{std::string(about->text_at({"kind"})), std::string(about->text_at({"namespace"})),
               std::string(about->text_at({"name"}))}]
          .push_back(&object);
    }
  }
  for (auto& [about, events] : events_) {
    std::stable_sort(events.begin(), events.end(), [](const Node* one, const Node* other) {
      return time_of_event(*one) < time_of_event(*other);
    });
  }
}

const Node* ClusterView::find(const ObjectName& name) const {
  const auto found = objects_.find(name);
  return found == objects_.end() ? nullptr : found->second;
}

ObjectName ClusterView::root_of(const Node& object) const {
  ObjectName name = name_of(object);
  const Node* at = &object;
  for (int depth = 0; at != nullptr && depth < 8; ++depth) {
    const Node* owners = at->at({"metadata", "ownerReferences"});
    if (owners == nullptr || owners->items.empty()) break;
    const Node& owner = owners->items.front();
    name.kind = owner.text_at({"kind"});
    name.name = owner.text_at({"name"});
    at = find(name);
  }
  if (name.kind == "ReplicaSet" && at == nullptr) {
    name.kind = "Deployment";
    name.name.resize(std::min(name.name.rfind('-'), name.name.size()));
  }
  if (at == nullptr || name.kind == "Pod") {
    const Node* labels = object.at({"metadata", "labels"});
    for (const auto& [label, kind] : labels_of_roots) {
      const Node* value = labels == nullptr ? nullptr : labels->find(label);
      if (value == nullptr) continue;
      ObjectName labeled{std::string(kind), name.name_space, value->text};
      const Node* found = find(labeled);
      return found == nullptr ? labeled : root_of(*found);
    }
  }
  return name;
}

std::vector<const Node*> ClusterView::of_kind(std::string_view kind) const {
  std::vector<const Node*> all;
  // Objects are sorted by their kind first.
  for (auto at = objects_.lower_bound({std::string(kind), "", ""});
       at != objects_.end() && at->first.kind == kind; ++at)
    all.push_back(at->second);
  return all;
}

std::vector<const Node*> ClusterView::events_of(const ObjectName& about) const {
  auto found = events_.find(about);
  // A table of events of one namespace does not say which.
  if (found == events_.end()) found = events_.find({about.kind, "", about.name});
  return found == events_.end() ? std::vector<const Node*>() : found->second;
}

std::vector<ObjectName> ClusterView::absent_children(const ObjectName& object) const {
  std::vector<ObjectName> children;
  for (const auto& [about, events] : events_) {
    if (about.name_space != object.name_space || objects_.contains(about) ||
        !about.name.starts_with(object.name))
      continue;
    const std::string_view rest = std::string_view(about.name).substr(object.name.size());
    const bool is_part = rest.starts_with('-');
    const bool has_one_part = is_part && rest.find('-', 1) == std::string_view::npos;
    const bool is_child =
        (object.kind == "Deployment" && about.kind == "ReplicaSet" && has_one_part) ||
        (object.kind == "LeaderWorkerSet" && about.kind == "StatefulSet" &&
         (rest.empty() || has_one_part)) ||
        (object.kind == "JobSet" && about.kind == "Job" && is_part) ||
        (object.kind == "RayJob" && about.kind == "RayCluster" && has_one_part);
    if (is_child) children.push_back(about);
  }
  return children;
}

}  // namespace flexslice::why
