#include "backend/kubernetes/apply.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/quantity.hpp"
#include "resolve/labels.hpp"

namespace flexslice::kubernetes {

using yaml::Value;

namespace {

// Quantities are at `key` below `parent`, in Kubernetes' own types and Kueue's.
struct QuantityField {
  std::string_view parent;
  std::string_view key;
  bool all = false;  // every member of the mapping there is one
};

constexpr QuantityField quantities[] = {
    {"resources", "requests", true}, {"resources", "limits", true},   {"spec", "overhead", true},
    {"emptyDir", "sizeLimit"},       {"resourceFieldRef", "divisor"}, {"resources", "nominalQuota"},
    {"resources", "borrowingLimit"}, {"resources", "lendingLimit"},
};

// Lists whose elements have a `value` that is empty by default.
constexpr std::string_view lists_of_values[] = {"env", "tolerations"};

// The API server writes these into the lists of a custom resource and of a pod failure policy where
// they are missing. Client-side apply compares such a list as a whole, so the manifest needs them.
// `parent` is the key of a mapping, or of a list of them.
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
    // KubeRay writes it.
    {"workerGroupSpecs", "scaleStrategy", Value::Kind::mapping},
    {"onPodConditions", "status", Value::Kind::string, "True"},
};

// Such lists begin at these keys: in the custom resources of controllers, and in a Job.
constexpr std::string_view listed[] = {"replicatedJobs", "podFailurePolicy", "leaderWorkerTemplate",
                                       "headGroupSpec", "workerGroupSpecs"};

void write_quantity(Value& value) {
  const auto quantity = parse_quantity(value.text);
  if (!quantity) return;
  std::string canonical = quantity->text();
  if (value.comment.empty() && canonical != value.text) value.comment = std::move(value.text);
  value.text = std::move(canonical);
  value.kind = Value::Kind::string;
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
void visit(Value& value, std::string_view parent, bool in_list = false) {
  for (Value& item : value.items) visit(item, parent, in_list);
  if (!value.is_mapping()) return;
  if (std::ranges::count(lists_of_values, parent) > 0) {
    const Value* text = value.find("value");
    if (text != nullptr && text->is_empty()) value.erase("value");
  }
  if (in_list) add_defaults(value, parent);
  for (const QuantityField& place : quantities) {
    Value* quantity = place.parent == parent ? value.find(place.key) : nullptr;
    if (quantity == nullptr) continue;
    if (!place.all) {
      write_quantity(*quantity);
    } else {
      for (Value::Member& amount : quantity->members) write_quantity(amount.value);
    }
  }
  for (auto& [key, member] : value.members) {
    if (member.is_mapping() || member.is_sequence())
      visit(member, key, in_list || std::ranges::count(listed, key) > 0);
  }
}

constexpr std::string_view last_applied = "kubectl.kubernetes.io/last-applied-configuration";

// How many bytes Go writes for each byte of a string: it escapes what JSON must, and what HTML
// would read as its own.
constexpr std::array<std::uint8_t, 256> escaped_sizes = [] {
  std::array<std::uint8_t, 256> sizes{};
  for (std::size_t byte = 0; byte < sizes.size(); ++byte) sizes[byte] = byte < 0x20 ? 6 : 1;
  for (unsigned char byte : {'"', '\\', '\b', '\f', '\n', '\r', '\t'}) sizes[byte] = 2;
  for (unsigned char byte : {'<', '>', '&'}) sizes[byte] = 6;
  return sizes;
}();

std::size_t string_size(std::string_view text) {
  std::size_t size = 2;
  for (char c : text) size += escaped_sizes[static_cast<unsigned char>(c)];
  // These two are three bytes each, and are escaped for JavaScript.
  for (std::string_view separator : {"\u2028", "\u2029"}) {
    for (std::size_t at = text.find(separator); at != std::string_view::npos;
         at = text.find(separator, at + 1))
      size += 3;
  }
  return size;
}

// Counts the bytes of the value as JSON on one line.
template <class StringSize>
std::size_t json_size(const Value& value, StringSize string_size) {
  if (value.kind == Value::Kind::null) return 4;
  if (value.is_string()) return string_size(value.text);
  std::size_t size = value.text.size();
  if (value.is_sequence()) size += 1 + std::max<std::size_t>(value.items.size(), 1);
  if (value.is_mapping()) size += 1 + std::max<std::size_t>(value.members.size(), 1);
  for (const Value& item : value.items) size += json_size(item, string_size);
  for (const Value::Member& member : value.members)
    size += string_size(member.key) + 1 + json_size(member.value, string_size);
  return size;
}

// At least string_size, for a fraction of its work: no character needs more than six bytes.
constexpr auto string_bound = [](std::string_view text) { return 2 + 6 * text.size(); };

}  // namespace

void make_canonical(Value& object) { visit(object, {}); }

std::size_t applied_size(const Value& object) {
  std::size_t size = json_size(object, string_size) + 1;  // ends with a line break
  // kubectl adds what is missing.
  if (object.at({"metadata", "annotations"}) == nullptr)
    size += std::string_view(R"("annotations":{},)").size();
  if (object.at({"metadata", "namespace"}) == nullptr)
    size += std::string_view(R"("namespace":"default",)").size();
  return size;
}

void check_sizes(std::span<const Value> objects, const std::function<Span()>& where,
                 diag::Sink& sink) {
  constexpr std::size_t most = most_annotations;
  for (const Value& object : objects) {
    if (2 * json_size(object, string_bound) < most) continue;
    std::size_t size = last_applied.size() + applied_size(object);
    if (const Value* annotations = object.at({"metadata", "annotations"})) {
      for (const auto& [key, value] : annotations->members) size += key.size() + value.text.size();
    }
    if (size <= most) continue;
    const Value* kind = object.find("kind");
    sink.report<diag::Code::ObjectTooLarge>(
            where(), kind == nullptr ? std::string("object") : kind->text, size, most)
        .help(fmt::format("make it {} bytes shorter, or move it into the image or a ConfigMap",
                          size - most))
        .help("or apply the file with `kubectl apply --server-side`, and allow this");
  }
}

namespace {

// Slices of nodes with this label are formed when the workload is admitted: the admission check
// then adds their topology to the node selector, which server-side apply replaces as a whole.
bool gets_selector_later(const Value& workload) {
  return yaml::find_in_tree(workload, [](const Value& value) {
           return value.find("cloud.google.com/gke-accelerator-topology-mode") != nullptr;
         }) != nullptr;
}

}  // namespace

std::string_view apply_again(const Value& object) {
  const std::string_view version = object.text_at({"apiVersion"});
  if (version.starts_with("policy/"))
    return "# `kubectl apply` reports the PodDisruptionBudget as configured each time, and nothing "
           "changes: it\n# replaces the selector by the same one.\n";
  if (object.at({"metadata", "labels", resolve::queue_label}) == nullptr)
    return version.starts_with("ray.io/")
               ? "# `kubectl apply` reports this as configured each time, and no pod changes: "
                 "KubeRay "
                 "1.7 adds `priority` to the worker groups,\n# which earlier ones refuse. "
                 "`kubectl diff` shows no difference.\n"
               : "";
  if (version.starts_with("jobset.x-k8s.io/") && gets_selector_later(object))
    return "# Use `kubectl apply --server-side --force-conflicts`. Once the workload is admitted, "
           "the server refuses it, and the workload goes on:\n"
           "# its node selector then has the topology of its slices, which every apply would "
           "remove. To change it, delete the workload first.\n";
  if (version.starts_with("batch/") && gets_selector_later(object))
    return "# Use `kubectl apply`. Once the workload is admitted, its node selector has the "
           "topology of its slice, which\n# --server-side would remove: the server refuses it.\n";
  if (version.starts_with("jobset.x-k8s.io/"))
    return "# Use `kubectl apply --server-side --force-conflicts`: Kueue changes the workload when "
           "it "
           "admits it, and client-side apply is rejected after that.\n";
  // A list of worker groups is replaced as a whole by every way to apply it.
  if (version.starts_with("ray.io/"))
    return "# Kueue adds labels and a scheduling gate to the worker groups when it admits the "
           "workload. Applying this again would\n# remove them, and Kueue would not place pods "
           "that "
           "start later: delete the workload first.\n";
  return {};
}

}  // namespace flexslice::kubernetes
