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

// What the API server writes into the lists of a JobSet where it is missing. Client-side apply
// compares such a list as a whole, so it has to be in the manifest. `parent` is the key of a
// mapping, or of a list of them.
struct Default {
  std::string_view parent;
  std::string_view key;
  Value::Kind kind;
  std::string_view text = {};
};

constexpr Default defaults[] = {
    {"template", "metadata", Value::Kind::mapping},
    {"containers", "resources", Value::Kind::mapping},
    {"initContainers", "resources", Value::Kind::mapping},
    {"ports", "protocol", Value::Kind::string, "TCP"},
    {"resourceFieldRef", "divisor", Value::Kind::string, "0"},
    {"grpc", "service", Value::Kind::string},
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
  for (const Default& missing : defaults) {
    if (missing.parent != parent || value.find(missing.key) != nullptr) continue;
    Value::Member member(missing.key);
    member.value.kind = missing.kind;
    member.value.text = missing.text;
    // As people write it: metadata comes first.
    value.members.insert(missing.key == "metadata" ? value.members.begin() : value.members.end(),
                         std::move(member));
  }
}

// `parent` is the key of the value, or of the list that it is in.
void visit(Value& value, std::string_view parent, bool in_jobs = false) {
  for (Value& item : value.items) visit(item, parent, in_jobs);
  if (!value.is_mapping()) return;
  const Value* text = value.find("value");
  if (text != nullptr && text->is_empty() && std::ranges::count(lists_of_values, parent) > 0)
    value.erase("value");
  if (in_jobs) add_defaults(value, parent);
  for (auto& [key, member] : value.members) {
    const auto* place = std::ranges::find_if(quantities, [&](const Place& candidate) {
      return candidate.parent == parent && candidate.key == key;
    });
    if (place == std::end(quantities)) {
      visit(member, key, in_jobs || key == "replicatedJobs");
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
