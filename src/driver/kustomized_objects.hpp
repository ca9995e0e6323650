// Objects that a kustomization lists, with those of its bases, as the bases' own patches make them.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "driver/near.hpp"
#include "yaml/node.hpp"

namespace flexslice::lint {

// The manifests of a folder and below, by their paths.
using ListFiles = std::function<std::vector<std::string>(const std::string& folder)>;

inline constexpr std::string_view patch_keys[] = {"patches", "patchesStrategicMerge",
                                                  "patchesJson6902"};

// `dir/../base` is `base`.
std::string normal_path(std::string_view path);

struct KustomizedObject {
  yaml::Node tree;
  std::string kind, name;
  bool is_open = false;  // patches change it in ways that are not understood
};

class KustomizedObjects {
 public:
  KustomizedObjects(const ReadFile& read, const ListFiles& list) : read_(read), list_(list) {}

  // `folder` ends with a slash, unless it is empty.
  void add_resources(const yaml::Node& kustomization, const std::string& folder, int depth = 0);
  // Adds those of a folder of the repository, whose root is the folder `above` or one above it, and
  // returns the folder. `lists_files`: it need not have a kustomization.
  std::optional<std::string> add_deployed(std::string_view path, std::string above,
                                          bool lists_files);
  // Objects from the one at `first` on become what the patches of the kustomization make of them.
  void patch(const yaml::Node& kustomization, const std::string& folder, std::size_t first = 0);

  const std::vector<KustomizedObject>& all() const { return objects_; }
  // Leaves out objects whose patches are not understood.
  std::vector<const yaml::Node*> trees() const;
  bool has_tpus() const { return has_tpus_; }
  // Says whether it lists the file or folder.
  bool has_path(const std::string& path) const { return seen_.contains(path); }

 private:
  bool add_folder(const std::string& path, int depth);
  void add_objects(const std::string& text);

  const ReadFile& read_;
  const ListFiles& list_;
  std::vector<KustomizedObject> objects_;
  std::set<std::string> seen_;
  bool has_tpus_ = false;
};

}  // namespace flexslice::lint
