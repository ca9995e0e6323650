// The objects of a dump, found by name and by owner, and the times in it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "why/dump.hpp"

namespace flexslice::why {

struct ObjectName {
  std::string kind, name_space, name;
  friend bool operator==(const ObjectName&, const ObjectName&) = default;
  // The standard library of the page compares strings by `<` alone.
  friend bool operator<(const ObjectName& a, const ObjectName& b) {
    return std::tie(a.kind, a.name_space, a.name) < std::tie(b.kind, b.name_space, b.name);
  }
};
ObjectName name_of(const yaml::Node& object);

class ClusterView {
 public:
  explicit ClusterView(const Dump& dump);  // which must outlive it

  const yaml::Node* find(const ObjectName& name) const;
  // Follows the owners of the object to the workload that a person has applied. The labels of a pod
  // count where its owners are not in the dump.
  ObjectName root_of(const yaml::Node& object) const;
  std::vector<const yaml::Node*> of_kind(std::string_view kind) const;
  // Returns the events about the object, oldest first.
  std::vector<const yaml::Node*> events_of(const ObjectName& about) const;
  // Objects that make pods for this one, of which the dump has events alone.
  std::vector<ObjectName> absent_children(const ObjectName& object) const;
  // The newest time in the dump, which is about when it was saved; empty: it has none.
  const std::string& saved_at() const { return saved_at_; }

 private:
  std::map<ObjectName, const yaml::Node*> objects_;
  std::map<ObjectName, std::vector<const yaml::Node*>> events_;
  std::string saved_at_;
};

// `2026-11-28T10:00:00Z` in seconds since 1970, and back. Nothing for any other text.
std::optional<std::int64_t> seconds_at(std::string_view time);
std::string time_text(std::int64_t seconds);
std::string_view time_of_event(const yaml::Node& event);
// An item of `status.conditions`, or null.
const yaml::Node* condition_at(const yaml::Node& object, std::string_view type);
bool says_true(const yaml::Node& object, std::string_view condition);

}  // namespace flexslice::why
