// The text of `kubectl describe`, which is for people: names in columns, indented blocks, and a
// table of events at the end of each object.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/lines.hpp"
#include "base/text.hpp"
#include "why/dump.hpp"
#include "yaml/made.hpp"

namespace flexslice::why {

namespace {

using yaml::Node;

Node& made_at(Node& parent, std::initializer_list<std::string_view> path) {
  Node* at = &parent;
  for (const std::string_view key : path) at = &yaml::member_at(*at, key);
  return *at;
}
Node& item(Node& list) {
  list.kind = yaml::Kind::sequence;
  list.items.emplace_back().kind = yaml::Kind::mapping;
  return list.items.back();
}

std::size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

// `Key:  value`.
struct DescribedLine {
  std::size_t indent = 0;
  std::string_view key, value;
};
std::optional<DescribedLine> entry_of(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::size_t indent = indent_of(line);
  if (colon < indent) return std::nullopt;
  return DescribedLine{indent, line.substr(indent, colon - indent),
                       text::trim(line.substr(colon + 1))};
}

// The kind, where the text does not say it, by what only that kind has.
constexpr std::pair<std::string_view, std::string_view> kinds_by_key[] = {
    {"Pods Statuses", "Job"},
    {"Last Schedule Time", "CronJob"},
    {"Allocatable", "Node"},
    {"StrategyType", "Deployment"},
    {"Access Modes", "PersistentVolumeClaim"},
};

class Describer {
 public:
  explicit Describer(std::vector<Node>& objects) : objects_(objects) {}

  void line(std::string_view line) {
    const auto entry = entry_of(line);
    if (entry && entry->indent == 0) return top(*entry);
    if (block_ == "Labels" && object() != nullptr) return label(text::trim(line));
    if (block_ == "Events") return event(line);
    if (object() == nullptr || !entry) {
      if (block_ == "Conditions") condition_row(line);
      return;
    }
    if (block_ == "Containers" || block_ == "Init Containers") return container(*entry);
    if (block_ == "Conditions") return condition_row(line);
    if (block_ == "Status") return condition(*entry);
    if (block_ == "Metadata") return metadata(*entry);
    if (block_ == "Spec" || block_ == "Pod Template") template_of_pods(*entry);
  }

 private:
  Node* object() { return objects_.empty() ? nullptr : &objects_.back(); }
  void set(std::initializer_list<std::string_view> path, std::string_view value) {
    if (object() != nullptr) made_at(*object(), path) = yaml::plain_at(value);
  }

  void top(const DescribedLine& entry) {
    const auto& [indent, key, value] = entry;
    block_ = key;
    if (key == "Name") {
      objects_.emplace_back();
      set({"kind"}, "Pod");
      set({"metadata", "name"}, value);
      events_ = nullptr;
      return;
    }
    if (object() == nullptr) return;
    for (const auto& [only, kind] : kinds_by_key) {
      if (key == only) set({"kind"}, kind);
    }
    if (key == "Kind") set({"kind"}, value);
    if (key == "Namespace") set({"metadata", "namespace"}, value);
    if (key == "Parallelism" || key == "Suspend") set({"spec", text::lower(key)}, value);
    if (key == "Active Deadline Seconds")
      set({"spec", "activeDeadlineSeconds"},
          value.substr(0, value.find_first_not_of("0123456789")));
    if (key == "Last Schedule Time" && value != "<unset>")
      set({"status", "lastScheduleTime"}, value);
    if (key == "Start Time" && object()->text_at({"kind"}) == "Job")
      set({"status", "startTime"}, value);
    if (key == "Pods Statuses") statuses(value);
    if (key == "Reason" || key == "Message") set({"status", text::lower(key)}, value);
    if (key == "Labels") label(value);
    if (key == "Node" && value != "<none>")
      set({"spec", "nodeName"}, value.substr(0, value.find('/')));
    if (key == "Status" && !value.empty()) {
      set({"status", "phase"}, value.substr(0, value.find(' ')));
      if (value.starts_with("Terminating")) set({"metadata", "deletionTimestamp"}, "");
    }
    if (key == "Controlled By") {
      Node& owner = item(made_at(*object(), {"metadata", "ownerReferences"}));
      yaml::member_at(owner, "kind") = yaml::plain_at(value.substr(0, value.find('/')));
      yaml::member_at(owner, "name") =
          yaml::plain_at(value.substr(std::min(value.find('/'), value.size() - 1) + 1));
    }
  }

  // A custom resource has its owners here, where a pod has `Controlled By`.
  void metadata(const DescribedLine& entry) {
    const auto& [indent, key, value] = entry;
    if (key == "Creation Timestamp")
      made_at(*object(), {"metadata", "creationTimestamp"}) = yaml::plain_at(value);
    if (indent == 2) in_owners_ = key == "Owner References";
    if (indent <= 2 || !in_owners_) return;
    Node& owners = made_at(*object(), {"metadata", "ownerReferences"});
    // Its entries are in the order of the alphabet.
    if (key == "API Version") item(owners);
    if (key == "Kind" || key == "Name") {
      if (owners.items.empty()) item(owners);
      yaml::member_at(owners.items.back(), text::lower(key)) = yaml::plain_at(value);
    }
  }

  void template_of_pods(const DescribedLine& entry) {
    if (entry.key != "google.com/tpu") return;
    Node& containers = made_at(*object(), {"spec", "template", "spec", "containers"});
    if (containers.items.empty()) item(containers);
    made_at(containers.items.back(), {"resources", "requests", entry.key}) =
        yaml::plain_at(entry.value);
  }

  // `2 Active (0 Ready) / 0 Succeeded / 0 Failed`.
  void statuses(std::string_view text) {
    for (const std::string_view part : text::split(text, '/')) {
      const std::string_view trimmed = text::trim(part);
      const std::size_t space = std::min(trimmed.find(' '), trimmed.size());
      const std::string_view word = text::trim(trimmed.substr(space));
      const std::string_view name = word.substr(0, word.find(' '));
      if (!name.empty()) set({"status", text::lower(name)}, trimmed.substr(0, space));
    }
  }

  void label(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos)
      set({"metadata", "labels", text.substr(0, equals)}, text.substr(equals + 1));
  }

  void container(const DescribedLine& entry) {
    const auto& [indent, key, value] = entry;
    const bool init = block_ == "Init Containers";
    if (indent == 2) {
      Node& container = item(made_at(*object(), {"spec", init ? "initContainers" : "containers"}));
      yaml::member_at(container, "name") = yaml::plain_at(key);
      status_ = &item(
          made_at(*object(), {"status", init ? "initContainerStatuses" : "containerStatuses"}));
      yaml::member_at(*status_, "name") = yaml::plain_at(key);
      return;
    }
    if (status_ == nullptr) return;
    Node& spec = made_at(*object(), {"spec", init ? "initContainers" : "containers"});
    if (key == "State" || key == "Last State") {
      state_ = &yaml::member_at(yaml::member_at(*status_, key == "State" ? "state" : "lastState"),
                                text::lower(value));
      state_->kind = yaml::Kind::mapping;
      return;
    }
    if (state_ != nullptr && indent > 4) {
      if (key == "Reason" || key == "Message")
        yaml::member_at(*state_, text::lower(key)) = yaml::plain_at(value);
      if (key == "Exit Code") yaml::member_at(*state_, "exitCode") = yaml::plain_at(value);
    }
    if (indent == 4) state_ = nullptr;
    if (key == "Ready") yaml::member_at(*status_, "ready") = yaml::plain_at(text::lower(value));
    if (key == "Image") yaml::member_at(spec.items.back(), "image") = yaml::plain_at(value);
    if (key == "Restart Count") yaml::member_at(*status_, "restartCount") = yaml::plain_at(value);
    if (key == "google.com/tpu")
      yaml::member_at(yaml::member_at(yaml::member_at(spec.items.back(), "resources"), "requests"),
                      key) = yaml::plain_at(value);
  }

  // `PodScheduled   False`, below `Type   Status`; of a node there are more columns.
  void condition_row(std::string_view line) {
    const std::vector<std::string_view> columns = columns_of(line);
    if (object() == nullptr || columns.size() < 2 || columns[0] == "Type" ||
        columns[0].starts_with("--"))
      return;
    Node& condition = item(made_at(*object(), {"status", "conditions"}));
    yaml::member_at(condition, "type") = yaml::plain_at(columns[0]);
    yaml::member_at(condition, "status") = yaml::plain_at(columns[1]);
  }

  // A custom resource has a run of entries for each condition, of which `Type` is the last.
  void condition(const DescribedLine& entry) {
    constexpr std::pair<std::string_view, std::string_view> keys[] = {
        {"Last Transition Time", "lastTransitionTime"},
        {"Message", "message"},
        {"Reason", "reason"},
        {"Status", "status"},
        {"Type", "type"}};
    for (const auto& [words, key] : keys) {
      if (entry.key == words && !entry.value.empty())
        yaml::member_at(pending_, key) = yaml::plain_at(entry.value);
    }
    if (entry.key == "State" && !entry.value.empty()) {  // of an admission check
      Node& check = item(made_at(*object(), {"status", "admissionChecks"}));
      check = std::exchange(pending_, {});
      yaml::member_at(check, "state") = yaml::plain_at(entry.value);
    }
    if (entry.key != "Type" || entry.value.empty()) return;
    Node& list = made_at(*object(), {"status", "conditions"});
    item(list) = std::move(pending_);
    pending_ = {};
  }

  static std::vector<std::string_view> columns_of(std::string_view line) {
    std::vector<std::string_view> columns;
    for (std::size_t at = indent_of(line); at < line.size();) {
      const std::size_t end = std::min(line.find("  ", at), line.size());
      columns.push_back(text::trim(line.substr(at, end - at)));
      at = std::min(line.find_first_not_of(' ', end), line.size());
    }
    return columns;
  }

  // `Warning  FailedScheduling  2m (x5 over 10m)  default-scheduler  MESSAGE`.
  void event(std::string_view line) {
    const std::vector<std::string_view> columns = columns_of(line);
    if (columns.size() < 5 || columns[0] == "Type" || columns[0].starts_with("--")) return;
    if (events_ == nullptr) events_ = object();
    if (events_ == nullptr) return;
    Node event;
    yaml::member_at(event, "kind") = yaml::plain_at("Event");
    yaml::member_at(event, "type") = yaml::plain_at(columns[0]);
    yaml::member_at(event, "reason") = yaml::plain_at(columns[1]);
    yaml::member_at(event, "age") = yaml::plain_at(columns[2]);
    const auto begin = static_cast<std::size_t>(columns[4].data() - line.data());
    yaml::member_at(event, "message") = yaml::plain_at(text::trim(line.substr(begin)));
    Node& about = yaml::member_at(event, "involvedObject");
    for (const std::string_view key : {"name", "namespace"})
      yaml::member_at(about, key) = yaml::plain_at(objects_.back().text_at({"metadata", key}));
    yaml::member_at(about, "kind") = yaml::plain_at(objects_.back().text_at({"kind"}));
    found_.push_back(std::move(event));
  }

 public:
  std::vector<Node> take_events() { return std::move(found_); }

 private:
  std::vector<Node>& objects_;
  std::vector<Node> found_;
  std::string_view block_;
  Node* status_ = nullptr;
  Node* state_ = nullptr;
  Node* events_ = nullptr;
  Node pending_;
  bool in_owners_ = false;
};

}  // namespace

bool is_described(std::string_view text) {
  const std::string_view first = text.substr(0, text.find('\n'));
  return first.starts_with("Name:") && text.find("\nNamespace:") != std::string_view::npos;
}

std::vector<Node> read_described(std::string_view text) {
  std::vector<Node> objects;
  Describer describer(objects);
  for (std::size_t at = 0; at < text.size(); at = text::next_line(text, at)) {
    const std::size_t end = text::line_end(text, at);
    describer.line(text.substr(at, end - at));
  }
  for (Node& event : describer.take_events()) objects.push_back(std::move(event));
  return objects;
}

}  // namespace flexslice::why
