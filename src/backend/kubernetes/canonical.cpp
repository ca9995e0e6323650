#include "backend/kubernetes/canonical.hpp"

#include <algorithm>
#include <string_view>

#include "base/quantity.hpp"

namespace flexslice::kubernetes {

using yaml::Value;

namespace {

// Where quantities are: `key` below `parent`, in Kubernetes' own types and Kueue's.
struct Place {
  std::string_view parent;
  std::string_view key;
  bool all = false;  // every member of the mapping there is one
};

constexpr Place quantities[] = {
    {"resources", "requests", true}, {"resources", "limits", true},   {"spec", "overhead", true},
    {"emptyDir", "sizeLimit"},       {"resourceFieldRef", "divisor"}, {"resources", "nominalQuota"},
    {"resources", "borrowingLimit"}, {"resources", "lendingLimit"},
};

// Lists whose elements have a `value` that is empty by default.
constexpr std::string_view lists_of_values[] = {"env", "tolerations"};

const Place* find_place(std::string_view parent, std::string_view key) {
  const auto is_here = [&](const Place& place) {
    return place.parent == parent && place.key == key;
  };
  const auto* place = std::find_if(std::begin(quantities), std::end(quantities), is_here);
  return place == std::end(quantities) ? nullptr : place;
}

// What the API server writes into the lists of a JobSet where it is missing. Client-side apply
// compares such a list as a whole, so it has to be in the manifest. `parent` is the key of a
// mapping, or of a list of them.
struct Default {
  std::string_view parent;
  std::string_view key;
  Value (*value)();
};

Value nothing() { return Value::mapping(); }
Value empty() { return Value::string(""); }
Value zero() { return Value::string("0"); }
Value tcp() { return Value::string("TCP"); }

constexpr std::string_view jobs = "replicatedJobs";
constexpr Default defaults[] = {
    {"template", "metadata", nothing},        {"containers", "resources", nothing},
    {"initContainers", "resources", nothing}, {"ports", "protocol", tcp},
    {"resourceFieldRef", "divisor", zero},    {"grpc", "service", empty},
};

void write_quantity(Value& value) {
  const auto quantity = parse_quantity(value.text);
  if (!quantity) return;
  Value canonical = Value::string(quantity->text());
  canonical.comment = value.comment;
  if (canonical.comment.empty() && canonical.text != value.text) canonical.comment = value.text;
  value = std::move(canonical);
}

void add_defaults(Value& value, std::string_view parent) {
  for (const Default& each : defaults) {
    if (each.parent != parent || !value.is_mapping() || value.find(each.key) != nullptr) continue;
    // As people write it: metadata comes first.
    const bool first = each.key == "metadata";
    value.members.insert(first ? value.members.begin() : value.members.end(),
                         Value::Member(each.key, each.value()));
  }
}

// `parent` is the key of the value, or of the list that it is in.
void visit(Value& value, std::string_view parent, bool in_jobs = false) {
  for (Value& item : value.items) visit(item, parent, in_jobs);
  const bool may_lack_value = std::find(std::begin(lists_of_values), std::end(lists_of_values),
                                        parent) != std::end(lists_of_values);
  if (const Value* text = value.find("value");
      may_lack_value && text != nullptr && text->is_empty())
    value.erase("value");
  if (in_jobs) add_defaults(value, parent);
  for (auto& [key, member] : value.members) {
    const Place* place = find_place(parent, key);
    if (place == nullptr) {
      visit(member, key, in_jobs || key == jobs);
    } else if (!place->all) {
      write_quantity(member);
    } else {
      for (Value::Member& amount : member.members) write_quantity(amount.value);
    }
  }
}

}  // namespace

void make_canonical(Value& object) { visit(object, {}); }

}  // namespace flexslice::kubernetes
