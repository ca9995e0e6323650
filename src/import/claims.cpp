#include "import/claims.hpp"

#include <algorithm>

#include "base/lists.hpp"
#include "import/match.hpp"
#include "import/path.hpp"

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

bool leave(Value& volume) {
  Value* claim = volume.find("pvc");
  if (claim == nullptr || !claim->is_mapping()) return false;
  *claim = Value(*claim->find("name"));
  return true;
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
  return std::ranges::count_if(volumes->items, [&](Value& volume) {
           return volume.text_at({"pvc", "name"}) == name && leave(volume);
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
    any |= volume != nullptr && leave(*volume);
  }
  return any;
}

}  // namespace flexslice::imports
