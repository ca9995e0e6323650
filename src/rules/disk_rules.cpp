// Disks of volumes that the nodes of TPUs cannot attach.
#include <fmt/core.h>

#include "rules/run_rules.hpp"
#include "schema/placeholder.hpp"

namespace flexslice::rules {

namespace {

// The type of the disks of a class; empty: not known.
std::string disk_type_of(const Text& storage_class,
                         std::span<const Placed<view::DiskClass>> classes, const Catalog& catalog) {
  if (!storage_class.where.given) {
    const auto* own = find_where(catalog.storage_classes,
                                 [](const StorageClass& each) { return each.is_default; });
    return own == nullptr ? std::string() : std::string(own->disk_type);
  }
  if (!storage_class.usable()) return {};
  std::vector<std::string> types;
  for (const auto& each : classes) {
    if (each.claims.name.value == storage_class.value && !contains(types, each.claims.type))
      types.push_back(each.claims.type);
  }
  if (types.size() == 1) return types.front();
  const auto* built_in =
      named(catalog.storage_classes, &StorageClass::name, std::string_view(storage_class.value));
  return types.empty() && built_in != nullptr ? std::string(built_in->disk_type) : std::string();
}

}  // namespace

void judge_disk(const MountedDisk& mounted, std::string_view folder, const RunDisks& disks,
                const Catalog& catalog, Sink& sink) {
  Text storage_class = mounted.disk.storage_class;
  const Placed<view::DiskClaims>* claim = nullptr;
  if (!mounted.disk.is_own) {
    // The claims of other folders may be of other clusters: they must agree.
    std::vector<const Placed<view::DiskClaims>*> here, all;
    for (const auto& each : disks.claims) {
      if (each.claims.name.value != mounted.disk.claim.value ||
          !may_share_namespace(each.claims.name_space, mounted.name_space))
        continue;
      all.push_back(&each);
      if (folder_of(each.file) == folder) here.push_back(&each);
    }
    const auto& fitting = here.empty() ? all : here;
    if (fitting.empty()) return;
    for (const auto* each : fitting) {
      const Text &own = each->claims.storage_class, &first = fitting[0]->claims.storage_class;
      if (each->claims.has_volume || own.value != first.value) return;
    }
    claim = fitting[0];
    storage_class = claim->claims.storage_class;
  }
  const std::string type = disk_type_of(storage_class, disks.classes, catalog);
  if (claim != nullptr && claim->claims.mounted_by_many && !type.empty()) {
    sink.report<Code::ClaimModeRefused>(mounted.disk.claim, mounted.disk.claim.value)
        .also(claim->file, claim->at, "the claim is here")
        .note("StorageClass `{}` makes {} disks, whose driver mounts a file system on one node",
              storage_class.value, type)
        .help("name a StorageClass of shared storage, such as Filestore's, or mount a bucket");
    return;
  }
  if (claim != nullptr && !claim->claims.mounted_by_many && !type.empty() && mounted.pods > 1) {
    sink.report<Code::ClaimOfOneNode>(mounted.disk.claim, mounted.disk.claim.value, mounted.pods)
        .also(claim->file, claim->at, "the claim is here")
        .help("name a StorageClass of shared storage, such as Filestore's, or mount a bucket");
    return;
  }
  const auto& attachable = mounted.generation->attachable_disks;
  if (!type.starts_with("pd-") || attachable.empty() || contains(attachable, type)) return;
  Diagnostic& finding = sink.report<Code::DiskNotAttachable>(
      mounted.disk.claim, mounted.generation->id, mounted.disk.claim.value, type);
  if (claim != nullptr) finding.also(claim->file, claim->at, "the claim is here");
  if (!storage_class.where.given) {
    finding.level = diag::Level::note;
    finding.note("the claim names no class, and gets the default one of the cluster");
  } else {
    finding.note("StorageClass `{}` makes {} disks", storage_class.value, type);
  }
  finding.note("{} attaches {}", mounted.generation->id, text::join(attachable, ", "))
      .help("name a StorageClass with `type: {}`", attachable.front());
}

}  // namespace flexslice::rules
