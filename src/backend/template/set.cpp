#include <algorithm>
#include <set>

#include "backend/template/template.hpp"
#include "yaml/embedded.hpp"

namespace flexslice::templates {

namespace {

// `kubernetes/job.yaml` is the template `kubernetes/job`.
std::string_view stem(std::string_view file) { return file.substr(0, file.rfind('.')); }

}  // namespace

yaml::View Set::find(std::string_view name) const {
  for (const Overlay& overlay : overlays_) {
    if (overlay.name == name) return overlay.tree->root();
  }
  // The build sorts them.
  const embedded::Folder files = embedded::templates;
  for (auto file = std::ranges::lower_bound(files, name, {}, &embedded::File::name);
       file != files.end() && file->name.starts_with(name); ++file) {
    if (stem(file->name) == name) return file->root();
  }
  return {};
}

void Set::override_with(std::string name, const yaml::Node& tree) {
  std::erase_if(overlays_, [&](const Overlay& overlay) { return overlay.name == name; });
  overlays_.push_back({std::move(name), std::make_unique<yaml::Frozen>(tree)});
}

std::vector<std::string_view> Set::names(std::string_view prefix) const {
  std::set<std::string_view> names;
  for (const embedded::File& file : embedded::templates) names.insert(stem(file.name));
  for (const Overlay& overlay : overlays_) names.insert(overlay.name);
  std::erase_if(names, [&](std::string_view name) { return !name.starts_with(prefix); });
  return {names.begin(), names.end()};
}

}  // namespace flexslice::templates
