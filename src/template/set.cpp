#include <algorithm>

#include "embed/embedded.hpp"
#include "template/template.hpp"

namespace flexslice::templates {

namespace {

// `kubernetes/job.yaml` is the template `kubernetes/job`.
std::string_view stem(std::string_view file) { return file.substr(0, file.rfind('.')); }

}  // namespace

yaml::View Set::find(std::string_view name) const {
  for (const Overlay& overlay : overlays_) {
    if (overlay.name == name) return overlay.tree->root();
  }
  for (const embedded::File& file : embedded::templates) {
    if (stem(file.name) == name) return file.root();
  }
  return {};
}

void Set::override_with(std::string name, const yaml::Node& tree) {
  std::erase_if(overlays_, [&](const Overlay& each) { return each.name == name; });
  overlays_.push_back({std::move(name), std::make_unique<yaml::Frozen>(tree)});
}

std::vector<std::string_view> Set::names(std::string_view prefix) const {
  std::vector<std::string_view> found;
  for (const embedded::File& file : embedded::templates) {
    if (file.name.starts_with(prefix)) found.push_back(stem(file.name));
  }
  for (const Overlay& overlay : overlays_) {
    if (overlay.name.starts_with(prefix)) found.push_back(overlay.name);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace flexslice::templates
