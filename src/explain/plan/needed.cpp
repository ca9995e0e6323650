#include <fmt/core.h>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "explain/plan/sheet.hpp"

namespace flexslice::explain {

using yaml::Value;

namespace {

// Where Kubernetes objects name others: at a key, or at `inner` of the value there or of each
// element of a list. Read from the objects and not from the spec, so that patches and further
// containers count as well. References of the same noun follow each other.
struct Reference {
  std::string_view noun;
  std::string_view key;
  std::string_view inner = {};
};

constexpr Reference references[] = {
    {"ServiceAccount", "serviceAccountName"},
    {"PriorityClass", "priorityClassName"},
    {"Secret", "imagePullSecrets", "name"},
    {"Secret", "secretKeyRef", "name"},
    {"Secret", "secretRef", "name"},
    {"Secret", "secretName"},
    {"ConfigMap", "configMapKeyRef", "name"},
    {"ConfigMap", "configMapRef", "name"},
    {"ConfigMap", "configMap", "name"},
    {"PersistentVolumeClaim", "claimName"},
    {"bucket", "bucketName"},
};

constexpr std::string_view fuse_driver = "gcsfuse.csi.storage.gke.io";

// The names that objects refer to, each once, in the order in which they come.
struct Names {
  using Named = std::pair<std::string_view, std::string_view>;

  void search(const Value& value) {
    for (const auto& item : value.items) search(item);
    for (const auto& [key, member] : value.members) {
      uses_fuse = uses_fuse || (key == "driver" && member.text == fuse_driver);
      for (const auto& reference : references) {
        if (reference.key == key) add(reference, member);
      }
      search(member);
    }
  }

  void add(const Reference& reference, const Value& value) {
    for (const auto& item : value.items) add(reference, item);
    const Value* name = reference.inner.empty() ? &value : value.find(reference.inner);
    if (name == nullptr || !name->is_string()) return;
    // Every namespace has the first, every cluster the second; the third matches whatever
    // buckets one may read.
    if (name->text == "default" || name->text.starts_with("system-") || name->text == "_") return;
    const Named named{reference.noun, name->text};
    if (!contains(names, named)) names.push_back(named);
  }

  std::vector<Named> names;  // noun, name
  bool uses_fuse = false;
};

std::string cluster_text(const plan::Cluster& cluster, bool uses_fuse) {
  std::string text = cluster.name.empty() ? "an Autopilot cluster, selected by kubectl's context"
                                          : std::string(cluster.name);
  if (!cluster.location.empty()) text += fmt::format(" in {}", cluster.location);
  if (uses_fuse && !cluster.autopilot)
    text += ", with Workload Identity and the addon GcsFuseCsiDriver";
  return text;
}

}  // namespace

void add_needed(const plan::Plan& plan, const catalog::Catalog& catalog, const Made& made,
                layout::Sheet& sheet) {
  Names names;
  for (const auto& object : made.objects) names.search(object);
  sheet.section("Required, and not created by the scripts");
  if (!plan.cluster.create) sheet.entry("cluster", cluster_text(plan.cluster, names.uses_fuse));
  const plan::Provisioning& provisioning = plan.provisioning;
  const catalog::Support* support =
      catalog::find_support(*provisioning.by_model, plan.tpu.generation);
  if (support != nullptr && support->access == "allowlist")
    sheet.entry("access", "Google's allowlist for {} with {}, through the account team",
                plan.tpu.generation, provisioning.title);
  if (provisioning.reservation) sheet.entry("reservation", provisioning.reservation->name);
  for (const auto& controller : catalog.controllers) {
    const auto is_of = [&](const Value& object) {
      const Value* version = object.find("apiVersion");
      return version != nullptr && version->text.starts_with(controller.group);
    };
    if (any_of(made.objects, is_of) || any_of(made.queues, is_of))
      sheet.entry(controller.name, "in the cluster, {}", controller.site);
  }
  if (!plan.name_space.empty() && plan.name_space != "default")
    sheet.entry("namespace", plan.name_space);
  std::string_view noun;
  for (const auto& reference : references) {
    if (reference.noun == noun) continue;
    noun = reference.noun;
    const auto of_noun = texts(names.names, &Names::Named::second,
                               [&](const auto& named) { return named.first == noun; });
    if (!of_noun.empty()) sheet.entry(noun, text::join(of_noun, ", "));
  }
}

}  // namespace flexslice::explain
