#include "import/claims.hpp"

#include <algorithm>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "import/match.hpp"
#include "import/path.hpp"
#include "resolve/workload_names.hpp"

namespace flexslice::imports {

using yaml::Value;

namespace {

constexpr std::string_view claim_kind = "PersistentVolumeClaim";

bool mounts_claim(const FoundObject& object, std::string_view name) {
  return yaml::find_in_tree(object.value, [&](const Value& each) {
           return each.text_at({"claimName"}) == name;
         }) != nullptr;
}

// Null where the input has none, several, or others that mount it.
const Value* claim_of(const FoundWorkload& workload, std::string_view name,
                      const std::vector<FoundObject>& objects) {
  const Value* claim = nullptr;
  for (const FoundObject& each : objects) {
    if (!is_same_namespace(each.value, *workload.object)) continue;
    if (&each.value != workload.object && mounts_claim(each, name)) return nullptr;
    if (each.kind != claim_kind || each.name != name) continue;
    if (claim != nullptr) return nullptr;
    claim = &each.value;
  }
  return claim;
}

Value* volumes_of(Value& spec) {
  Value* workload = spec.find("workload");
  return workload == nullptr ? nullptr : workload->find("volumes");
}

// The name of the claim that compile makes of the volume; empty: it makes none.
std::string made_claim(const Value& volume, std::string_view workload) {
  if (volume.at({"gcs", "profile"}) != nullptr)
    return resolve::profile_claim(workload, volume.text_at({"name"}));
  return std::string(volume.text_at({"pvc", "name"}));
}

bool leave(Value& volume, std::string_view workload) {
  const std::string name = made_claim(volume, workload);
  if (name.empty()) return false;
  volume.erase("gcs");
  volume["pvc"] = Value::string(name);
  return true;
}

// The bucket of whose profile compile makes such a claim, or nothing.
Value bucket_of(std::string_view workload, const Value& volume, const Value& claim,
                const std::vector<FoundObject>& objects) {
  constexpr std::string_view prefix = "gcsfusecsi-";
  const std::string_view storage = claim.text_at({"spec", "storageClassName"});
  const FoundObject* disk = find_where(objects, [&](const FoundObject& each) {
    return each.kind == "PersistentVolume" && each.name == claim.text_at({"spec", "volumeName"});
  });
  if (disk == nullptr || !storage.starts_with(prefix) ||
      disk->value.text_at({"spec", "csi", "driver"}) != "gcsfuse.csi.storage.gke.io" ||
      claim.text_at({"metadata", "name"}) !=
          resolve::profile_claim(workload, volume.text_at({"name"})))
    return {};
  Value bucket = Value::mapping();
  bucket["bucket"] = Value::string(disk->value.text_at({"spec", "csi", "volumeHandle"}));
  if (const Value* options = disk->value.at({"spec", "mountOptions"})) {
    std::vector<std::string_view> texts;
    for (const Value& option : options->items) texts.push_back(option.text);
    bucket["mountOptions"] = Value::string(text::join(texts, ","));
  }
  bucket["profile"] = Value::string(storage.substr(prefix.size()));
  return bucket;
}

}  // namespace

bool is_of_volumes(std::string_view kind) {
  return kind == claim_kind || kind == "PersistentVolume" || kind == "StorageClass";
}

void add_claims(const FoundWorkload& workload, const std::vector<FoundObject>& objects,
                Value& fields) {
  Value* volumes = fields.find("volumes");
  if (volumes == nullptr) return;
  for (Value& volume : volumes->items) {
    Value* name = volume.find("pvc");
    const Value* claim = name == nullptr ? nullptr : claim_of(workload, name->text, objects);
    const Value* size =
        claim == nullptr ? nullptr : claim->at({"spec", "resources", "requests", "storage"});
    if (size == nullptr) continue;
    Value bucket =
        bucket_of(workload.object->text_at({"metadata", "name"}), volume, *claim, objects);
    if (!bucket.is_empty()) {
      volume.erase("pvc");
      volume["gcs"] = std::move(bucket);
      continue;
    }
    Value made = Value::mapping();
    made["name"] = *name;
    if (const Value* storage_class = claim->at({"spec", "storageClassName"}))
      made["class"] = *storage_class;
    made["size"] = *size;
    *name = std::move(made);
  }
}

bool is_same_claim(const std::vector<Difference>& differences) {
  return std::ranges::all_of(differences, [](const Difference& each) {
    return each.is_added() && each.path.front().key == "metadata";
  });
}

bool leave_claim(std::string_view name, Value& spec) {
  Value* volumes = volumes_of(spec);
  if (volumes == nullptr) return false;
  const std::string_view workload = spec.text_at({"name"});
  return std::ranges::count_if(volumes->items, [&](Value& volume) {
           return made_claim(volume, workload) == name && leave(volume, workload);
         }) > 0;
}

std::vector<Path> refused_claims(const Trial& trial) {
  std::vector<Path> refused;
  for (const diag::Diagnostic& finding : trial.diagnostics) {
    const Path path = path_at(trial.tree, finding.where.begin);
    if (finding.level > diag::Level::soft || path.size() < 5 || path[1] != "volumes" ||
        path[3] != "pvc" || path[4] == "name")
      continue;
    refused.emplace_back(path.begin(), path.begin() + 4);
  }
  return refused;
}

bool leave_refused_claims(const Trial& trial, Value& spec) {
  bool any = false;
  for (const Path& path : refused_claims(trial)) {
    Value* volume = volumes_of(spec) == nullptr ? nullptr : find(spec, PathView(path).first(3));
    any |= volume != nullptr && leave(*volume, spec.text_at({"name"}));
  }
  return any;
}

}  // namespace flexslice::imports
