#include "explain/needed.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.hpp"

namespace flexslice::explain {

using yaml::Value;

namespace {

// Where Kubernetes objects name others: at a key, or at `inner` of what stands there or of each of
// a list. Read from the objects and not from the spec, so that patches and further containers count
// as well.
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

class Finder {
 public:
  void search(std::span<const Value> objects) {
    for (const Value& object : objects) search(object);
  }

  void add_entries(std::vector<Entry>& entries) const {
    for (const Reference* at = std::begin(references); at != std::end(references); ++at) {
      const auto same = [&](const Reference& other) { return other.noun == at->noun; };
      if (std::any_of(std::begin(references), at, same)) continue;
      const std::string names = names_of(at->noun);
      if (!names.empty()) entries.push_back({std::string(at->noun), {}, names});
    }
  }

  bool uses_fuse() const { return uses_fuse_; }

 private:
  struct Found {
    std::string_view noun;
    std::string_view name;

    friend bool operator==(const Found&, const Found&) = default;
  };

  void search(const Value& value) {
    for (const Value& item : value.items) search(item);
    for (const auto& [key, member] : value.members) {
      uses_fuse_ = uses_fuse_ || (key == "driver" && member.text == fuse_driver);
      for (const Reference& reference : references) {
        if (reference.key == key) add(reference, member);
      }
      search(member);
    }
  }

  void add(const Reference& reference, const Value& value) {
    for (const Value& item : value.items) add(reference, item);
    const Value* name = reference.inner.empty() ? &value : value.find(reference.inner);
    if (name == nullptr || !name->is_string()) return;
    // Every namespace has the first, every cluster the second; the third stands for whatever
    // buckets one may read.
    if (name->text == "default" || name->text.starts_with("system-") || name->text == "_") return;
    const Found found{reference.noun, name->text};
    if (std::find(found_.begin(), found_.end(), found) == found_.end()) found_.push_back(found);
  }

  std::string names_of(std::string_view noun) const {
    std::vector<std::string_view> names;
    for (const Found& found : found_) {
      if (found.noun == noun) names.push_back(found.name);
    }
    return text::join(names, ", ");
  }

  std::vector<Found> found_;
  bool uses_fuse_ = false;
};

void add_cluster(const plan::Cluster& cluster, bool uses_fuse, std::vector<Entry>& entries) {
  if (cluster.create) return;
  std::string text = cluster.name.empty() ? "an Autopilot cluster, the one of kubectl's context"
                                          : std::string(cluster.name);
  if (!cluster.location.empty()) text += fmt::format(" in {}", cluster.location);
  if (uses_fuse && !cluster.autopilot)
    text += ", with Workload Identity and the addon GcsFuseCsiDriver";
  entries.push_back({"cluster", {}, text});
}

// Some generations are offered only to projects that Google has admitted.
void add_access(const plan::Plan& plan, std::vector<Entry>& entries) {
  const catalog::Support* support =
      catalog::find_support(*plan.provisioning.by_model, plan.tpu.generation);
  if (support == nullptr || support->access != "allowlist") return;
  entries.push_back({"access",
                     {},
                     fmt::format("Google's allowlist for {} with {}, through the account team",
                                 plan.tpu.generation, plan.provisioning.title)});
}

void add_controllers(const catalog::Catalog& catalog, const Made& made,
                     std::vector<Entry>& entries) {
  for (const catalog::Controller& controller : catalog.controllers) {
    const auto is_of = [&](const Value& object) {
      const Value* version = object.find("apiVersion");
      return version != nullptr && version->text.starts_with(controller.group);
    };
    const bool used = std::any_of(made.objects.begin(), made.objects.end(), is_of) ||  //
                      std::any_of(made.queues.begin(), made.queues.end(), is_of);
    if (used)
      entries.push_back(
          {std::string(controller.name), {}, fmt::format("in the cluster, {}", controller.site)});
  }
}

}  // namespace

void add_needed(const plan::Plan& plan, const catalog::Catalog& catalog, const Made& made,
                Sheet& sheet) {
  Finder finder;
  finder.search(made.objects);
  std::vector<Entry> entries;
  add_cluster(plan.cluster, finder.uses_fuse(), entries);
  add_access(plan, entries);
  if (plan.provisioning.reservation)
    entries.push_back({"reservation", {}, plan.provisioning.reservation->name});
  add_controllers(catalog, made, entries);
  if (!plan.name_space.empty() && plan.name_space != "default")
    entries.push_back({"namespace", {}, plan.name_space});
  finder.add_entries(entries);
  if (entries.empty()) return;
  sheet.section("Needed, and not made here");
  for (Entry& entry : entries) sheet.entry(std::move(entry));
}

}  // namespace flexslice::explain
